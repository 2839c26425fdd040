# SPDX-License-Identifier: Apache-2.0
"""Fails call 1, 2, 3, ... of every system call and of every allocation, for every verb of the command.

    PIDFOREST_BINARY=build/pidforest python3 tests/faults/sweep.py            a part of the calls, in a minute
    PIDFOREST_BINARY=build/pidforest python3 tests/faults/sweep.py --all      every call of every verb (make torture)

Each run must end with a documented exit code and one line of message, and leave every output file whole: as it was
before, or as a run without faults writes it. A stream is then run again and must end as if nothing had failed.

All cases begin with the same allocations, about 9,000 of them, before the command line is read. Only the first case
fails these; the others begin shortly before the first allocation that differs in size between any two cases.
libfailing_calls.so is expected next to PIDFOREST_BINARY.
"""

import argparse
import array
import errno
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BINARY = Path(os.environ["PIDFOREST_BINARY"]).resolve()
LIBRARY = BINARY.parent / "libfailing_calls.so"
DOCUMENTED = {0, 2, 3, 4, 5, 6}
OLD = b"the file that was there before\n"
MARK = "failed.mark"
TRACE = "sizes.trace"
# Allocations before the first difference that the later cases fail too.
MARGIN = 100
# Reports without a clock. Huge pages halve the time of a run, because the reader's buffer has 16 MB.
SETTING = {"SOURCE_DATE_EPOCH": "0", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}

ERRORS = {
    "open": ("EACCES", "EMFILE", "EINTR"),
    "read": ("EIO", "EINTR"),
    "pread": ("EIO", "EINTR"),
    "write": ("ENOSPC", "EIO", "EINTR"),
    "pwrite": ("ENOSPC", "EINTR"),
    "fsync": ("EIO",),
    "fdatasync": ("EIO",),
    "ftruncate": ("EIO",),
    "fchmod": ("EPERM",),
    "flock": ("ENOLCK",),
    "lseek": ("ESPIPE",),
    "access": ("EACCES",),
    "rename": ("EIO",),
    "unlink": ("EACCES",),
    "fstat": ("EIO",),
    "stat": ("EACCES",),
    "lstat": ("EACCES",),
    "mkostemp": ("EACCES", "EMFILE"),
    "poll": ("EINTR",),
    "opendir": ("EACCES",),
    "fwrite": ("ENOSPC",),
    "fflush": ("ENOSPC",),
    "close": ("EIO",),
}


class Case(NamedTuple):
    """A run of the command in a folder of its own."""

    name: str
    words: list[str]
    outputs: tuple[str, ...] = ()
    resumes: bool = False  # whether a second run goes on where the first one ended
    does_without: tuple[str, ...] = ()  # calls that may fail: the output then says less
    n_dense: int = 8  # allocations that also a part of the sweep fails one by one


CASES = [
    Case("options", ["options"]),  # the shortest one comes first: it fails the allocations that all have in common
    Case("detect", "detect t.csv --n-estimators 4 --threads 1 --report r.html".split(), ("r.html",)),
    Case("detect gz", "detect t.csv.gz --n-estimators 4 --threads 1 --json".split()),
    Case("detect jsonl", "detect t.jsonl --n-estimators 4 --threads 1".split()),
    Case("fit", "fit t.csv --n-estimators 4 --threads 1 -o new.pidf".split(), ("new.pidf",)),
    Case("score", "score m.pidf t.csv --threads 1 --output s.csv".split(), ("s.csv",),
         n_dense=160),  # as far as the check that the output can be written
    Case("explain", "explain m.pidf t.csv --threads 1 --top 3 --json".split()),
    Case("report", "report m.pidf t.csv --threads 1 --output r.html".split(), ("r.html",)),
    Case("stream", "stream t.csv --n-estimators 4 --max-samples 32 --state s.state --output e.csv".split(),
         ("s.state", "e.csv"), resumes=True),
    Case("stream json", "stream t.csv --n-estimators 4 --max-samples 32 --json --state s.state --output e.jsonl".split(),
         ("s.state", "e.jsonl"), resumes=True),
    Case("stream of jsonl", "stream t.jsonl --n-estimators 4 --max-samples 32 --state s.state --output e.jsonl".split(),
         ("s.state", "e.jsonl"), resumes=True),
    Case("score json", "score m.pidf t.csv --threads 1 --json".split()),
    Case("inspect json", "inspect m.pidf --json".split(), does_without=("stat",)),
    Case("exact json", "exact small.csv --top 2 --json".split()),
    Case("inspect", "inspect m.pidf".split(), does_without=("stat",)),  # the size of the file
    Case("schema", "schema t.csv".split()),
    Case("exact", "exact small.csv --top 2".split()),
    Case("completion", "completion bash".split()),
    Case("man", ["man"]),
]  # fmt: skip


def table(n_rows: int) -> list[tuple[str, ...]]:
    rows = [(f"{i % 17}.{i % 7}", "red" if i % 3 else "blue", str((i * i) % 101)) for i in range(n_rows)]
    return [*rows, ("9999", "green", "")]


def fill_with_inputs(folder: Path) -> None:
    lines = [",".join(row) for row in [("size", "colour", "count"), *table(80)]]
    (folder / "t.csv").write_text("\n".join(lines) + "\n")
    (folder / "small.csv").write_text("\n".join(lines[:20]) + "\n")
    keys = [f'{{"size": {size}, "colour": "{colour}"}}' for size, colour, _ in table(80)]
    (folder / "t.jsonl").write_text("\n".join(keys) + "\n")
    subprocess.run(["gzip", "--keep", "--no-name", folder / "t.csv"], check=True)
    subprocess.run([BINARY, *"fit t.csv --n-estimators 4 --quiet -o m.pidf".split()], cwd=folder, check=True)


def run(case: Case, folder: Path, **fault: str) -> subprocess.CompletedProcess:
    environment = os.environ | SETTING | fault
    return subprocess.run([BINARY, *case.words], cwd=folder, env=environment, capture_output=True, timeout=60, check=False)


def contents(case: Case, folder: Path) -> dict[str, bytes | None]:
    paths = {name: folder / name for name in case.outputs}
    return {name: path.read_bytes() if path.exists() else None for name, path in paths.items()}


def sizes_of_allocations(case: Case, folder: Path) -> array.array:
    trace = folder / TRACE
    run(case, folder, LD_PRELOAD=str(LIBRARY), PIDFOREST_TRACE=str(trace))
    return array.array("I", trace.read_bytes())


def n_common_allocations(inputs: Path, folder: Path) -> int:
    """The number of allocations that every case begins with, less MARGIN."""
    traces = []
    for case in CASES:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(inputs, folder)
        traces.append(sizes_of_allocations(case, folder))
    n_equal = next(i for i, sizes in enumerate(zip(*traces, strict=False)) if len(set(sizes)) > 1)
    return max(0, n_equal - MARGIN)


class Judge:
    """Runs a case with faults and keeps what went wrong."""

    def __init__(self, case: Case, inputs: Path, folder: Path) -> None:
        self.case, self.inputs, self.folder = case, inputs, folder
        self.codes: Counter = Counter()
        self.wrong: list[str] = []
        self.start_anew()
        first = run(case, folder)
        if first.returncode != 0:
            sys.exit(f"sweep: {case.name} fails without any fault: {first.stderr.decode()}")
        self.stdout, self.whole, self.names = first.stdout, contents(case, folder), set(os.listdir(folder))

    def start_anew(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.inputs, self.folder)
        if not self.case.resumes:
            for name in self.case.outputs:
                (self.folder / name).write_bytes(OLD)
        self.before = contents(self.case, self.folder)

    def is_reached(self, call: str, number: str, error: str) -> bool:
        """Run once with a fault. Whether the run came to the call that fails."""
        self.start_anew()
        mark = self.folder / MARK
        fault = f"{call}:{number}:{getattr(errno, error)}"
        done = run(self.case, self.folder, LD_PRELOAD=str(LIBRARY), PIDFOREST_FAIL=fault, PIDFOREST_FAIL_MARK=str(mark))
        if not mark.exists():
            return False
        mark.unlink()
        self.codes[done.returncode] += 1
        self.wrong += [f"{self.case.name}, {call} {number} {error}: {what}" for what in self.faults_of(done, call)]
        return True

    def faults_of(self, done: subprocess.CompletedProcess, call: str) -> Iterator[str]:
        message = done.stderr.decode(errors="replace")
        if done.returncode not in DOCUMENTED:
            yield f"exit code {done.returncode}: {message[-200:]!r}"
            return
        if done.returncode != 0 and not message.strip().rpartition("\n")[2].startswith("pidforest: "):
            yield f"a message that is not ours: {message[-200:]!r}"
        found = contents(self.case, self.folder)
        if done.returncode == 0 and call not in self.case.does_without and (done.stdout != self.stdout or found != self.whole):
            yield "success, but another result"
        leftovers = set(os.listdir(self.folder)) - self.names
        if leftovers and call != "unlink":
            yield f"left behind: {', '.join(sorted(leftovers))}"
        if self.case.resumes:
            yield from self.faults_of_second_run()
            return
        for name, content in found.items():
            if content not in (self.before[name], self.whole[name]):
                yield f"{name} is neither the old nor the new one"

    def faults_of_second_run(self) -> Iterator[str]:
        again = run(self.case, self.folder)
        if again.returncode != 0:
            yield f"the next run fails: {again.stderr.decode()[-200:]!r}"
        elif contents(self.case, self.folder) != self.whole:
            yield "the next run ends with another result"


def numbers(all_calls: bool, dense: int) -> Iterator[int]:
    """Every number from 1 on, or the first ones and ever fewer of the others."""
    number = 1
    while True:
        yield number
        number += 1 if all_calls or number < dense else max(1, number // 4)


def sweep(judge: Judge, all_calls: bool, n_skipped: int) -> int:
    """Fail the calls of a case, except its first `n_skipped` allocations. The number of runs."""
    n_runs = 0
    for call, errors in (ERRORS | {"memory": ("ENOMEM",)}).items():
        for error in errors if all_calls else errors[:1]:
            for number in numbers(all_calls, judge.case.n_dense if call == "memory" else 4):
                number += n_skipped if call == "memory" else 0
                if not judge.is_reached(call, str(number), error):
                    break
                n_runs += 1
                if call != "memory" or all_calls:
                    n_runs += judge.is_reached(call, f"{number}+", error) if error != "EINTR" else 0
    return n_runs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="every call, and all errors of each")
    parser.add_argument("--only", metavar="NAME", action="append", help="this case, and others that are named so: " + ", ".join(case.name for case in CASES))
    options = parser.parse_args()
    n_runs, wrong = 0, []
    with tempfile.TemporaryDirectory() as temporary:
        inputs = Path(temporary, "inputs")
        inputs.mkdir()
        fill_with_inputs(inputs)
        n_common = n_common_allocations(inputs, Path(temporary, "run"))
        print(f"sweep: all cases begin with the same {n_common} allocations, which {CASES[0].name} alone fails", flush=True)
        for case in CASES:
            if options.only and case.name not in options.only:
                continue
            judge = Judge(case, inputs, Path(temporary, "run"))
            n_case = sweep(judge, options.all, 0 if case is CASES[0] else n_common)
            codes = ", ".join(f"{count} ended with {code}" for code, count in sorted(judge.codes.items()))
            print(f"sweep: {case.name}: {n_case} calls failed: {codes}; {len(judge.wrong)} wrong", flush=True)
            for line in judge.wrong[:200]:
                print(f"WRONG {line}", flush=True)
            n_runs, wrong = n_runs + n_case, wrong + judge.wrong
    print(f"sweep: {n_runs} runs, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
