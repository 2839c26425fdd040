# SPDX-License-Identifier: Apache-2.0
"""Streams under kills, signals, clock jumps, full disks, and inputs that grow or lose their end.

    PIDFOREST_BINARY=build/pidforest python3 tests/faults/soak.py --minutes 30    (make soak MINUTES=30)
    PIDFOREST_BINARY=build/pidforest python3 tests/faults/soak.py --rounds 3 --seed 7

Each round makes a file of events with random columns and lets it grow in pieces that end in the middle of a line. After
each piece `pidforest stream` goes on from its state, and something random happens to it. When the file is whole and the
last run has ended, the output and the state must be those of one run that nothing disturbed. libfailing_calls.so is
expected next to PIDFOREST_BINARY.
"""

import argparse
import errno
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

BINARY = Path(os.environ["PIDFOREST_BINARY"]).resolve()
LIBRARY = BINARY.parent / "libfailing_calls.so"
FILE_ERROR, OUT_OF_MEMORY, INTERRUPTED = 5, 6, 130
PIECES = 12


def events(rng: random.Random) -> tuple[list[str], list[str]]:
    """The lines of a file of events, and flags that fit it."""
    kinds = [rng.choice(("number", "whole", "level")) for _ in range(rng.randint(1, 6))]
    has_key = rng.random() < 0.3
    lines = [",".join([*(["key"] if has_key else []), *(f"c{i}" for i in range(len(kinds)))])]
    for row in range(rng.randint(600, 3000)):
        cells = [f"k{rng.randrange(3)}"] if has_key else []
        for kind in kinds:
            if rng.random() < 0.01:
                cells.append("")
            elif kind == "number":
                cells.append(f"{rng.gauss(row / 500, 1):.4f}")
            else:
                cells.append(str(rng.randrange(40)) if kind == "whole" else rng.choice(["up", "down", "idle"]))
        lines.append(",".join(cells))
    flags = ["--warm-up", "64", "--horizon", "256", "--n-estimators", "8", "--save-every", str(rng.choice((20, 150, 700)))]
    flags += ["--by", "key"] if has_key else []
    flags += ["--window", "3"] if rng.random() < 0.3 else []
    flags += ["--json"] if rng.random() < 0.3 else []
    return lines, flags


class Round:
    """One file of events, the run that nothing disturbs, and the run that everything disturbs."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines, self.flags = events(self.rng)
        self.whole = "".join(line + "\n" for line in self.lines).encode()
        self.calm, self.rough = folder / "calm", folder / "rough"
        for place in (self.calm, self.rough):
            place.mkdir()
        (self.calm / "e.csv").write_bytes(self.whole)
        self.did: Counter = Counter()

    def command(self) -> list[str]:
        return [str(BINARY), "stream", "e.csv", "--state", "s.state", "--output", "o.csv", "--quiet", *self.flags]

    def run(self, place: Path, **more: str) -> subprocess.CompletedProcess:
        return subprocess.run(self.command(), cwd=place, env=os.environ | more, capture_output=True, timeout=300, check=False)

    def interrupt(self, sent: signal.Signals) -> None:
        with subprocess.Popen(self.command(), cwd=self.rough, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            time.sleep(self.rng.uniform(0, 0.15))
            process.send_signal(sent)
            if sent == signal.SIGSTOP:
                time.sleep(0.02)
                process.send_signal(signal.SIGCONT)
            message = process.communicate(timeout=300)[1]
        is_expected = process.returncode in {0, INTERRUPTED, -sent}  # the last: before the command watches signals
        self.expect(is_expected, f"{sent.name}: exit code {process.returncode}: {message[-300:]!r}")

    def break_disk(self) -> None:
        call, error = self.rng.choice((("write", errno.ENOSPC), ("pwrite", errno.ENOSPC), ("fsync", errno.EIO), ("rename", errno.EIO)))
        fault = f"{call}:{self.rng.randint(1, 40)}+:{error}"
        done = self.run(self.rough, LD_PRELOAD=str(LIBRARY), PIDFOREST_FAIL=fault)
        self.expect(done.returncode in {0, FILE_ERROR}, f"{fault}: exit code {done.returncode}: {done.stderr[-300:]!r}")

    def lack_memory(self) -> None:
        fault = f"memory:{self.rng.randint(1, 20000)}:{errno.ENOMEM}"
        done = self.run(self.rough, LD_PRELOAD=str(LIBRARY), PIDFOREST_FAIL=fault)
        self.expect(done.returncode in {0, OUT_OF_MEMORY}, f"{fault}: exit code {done.returncode}: {done.stderr[-300:]!r}")

    def jump_clock(self) -> None:
        done = self.run(self.rough, LD_PRELOAD=str(LIBRARY), PIDFOREST_CLOCK_JUMPS=str(self.rng.randrange(1 << 30)))
        self.expect(done.returncode == 0, f"clock jumps: exit code {done.returncode}: {done.stderr[-300:]!r}")

    def lose_end(self) -> None:
        """A file that is shorter than the part already read is refused, and nothing changes."""
        path = self.rough / "e.csv"
        content = path.read_bytes()
        if self.run(self.rough).returncode != 0 or len(content) < 2000:
            return
        before = self.kept(self.rough)
        path.write_bytes(content[: len(content) // 3])
        done = self.run(self.rough)
        path.write_bytes(content)
        self.expect(done.returncode not in {0, 1} and done.returncode > 0, f"a shorter file: exit code {done.returncode}")
        self.expect(self.kept(self.rough) == before, "a shorter file changed the output or the state")

    def kept(self, place: Path) -> list[bytes | None]:
        files = (place / "o.csv", place / "s.state")
        return [file.read_bytes() if file.exists() else None for file in files]

    def disturb(self) -> None:
        actions = {
            "SIGKILL": lambda: self.interrupt(signal.SIGKILL),
            "SIGTERM": lambda: self.interrupt(signal.SIGTERM),
            "SIGINT": lambda: self.interrupt(signal.SIGINT),
            "SIGSTOP": lambda: self.interrupt(signal.SIGSTOP),
            "broken disk": self.break_disk,
            "lack of memory": self.lack_memory,
            "clock jumps": self.jump_clock,
            "shorter file": self.lose_end,
        }
        name = self.rng.choice(list(actions))
        self.did[name] += 1
        actions[name]()

    def expect(self, is_true: bool, what: str) -> None:
        if not is_true:
            raise AssertionError(f"{what}\nflags: {' '.join(self.flags)}")

    def go(self) -> None:
        done = self.run(self.calm)
        self.expect(done.returncode == 0, f"undisturbed: exit code {done.returncode}: {done.stderr[-300:]!r}")
        header_end = len(self.lines[0]) + 1
        ends = sorted(self.rng.randrange(header_end, len(self.whole)) for _ in range(PIECES))
        for end in [*ends, len(self.whole)]:
            (self.rough / "e.csv").write_bytes(self.whole[:end])
            self.disturb()
        done = self.run(self.rough)
        self.expect(done.returncode == 0, f"the last run: exit code {done.returncode}: {done.stderr[-300:]!r}")
        self.expect(self.kept(self.rough)[0] == self.kept(self.calm)[0], "the output differs from that of an undisturbed run")
        self.expect(self.kept(self.rough)[1] == self.kept(self.calm)[1], "the state differs from that of an undisturbed run")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, help="how long")
    parser.add_argument("--rounds", type=int, default=2, help="how many, unless --minutes is given; default 2")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first round; default 0")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes if options.minutes else None
    did: Counter = Counter()
    n_rounds = n_wrong = 0
    while time.monotonic() < end if end else n_rounds < options.rounds:
        seed = options.seed + n_rounds
        with tempfile.TemporaryDirectory() as folder:
            this = Round(Path(folder), seed)
            try:
                this.go()
            except AssertionError as error:
                n_wrong += 1
                print(f"WRONG soak --rounds 1 --seed {seed}: {error}", flush=True)
        did += this.did
        n_rounds += 1
    print(f"soak: {n_rounds} streams, {did.total()} disturbances ({', '.join(f'{n} {name}' for name, n in sorted(did.items()))}), {n_wrong} wrong")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
