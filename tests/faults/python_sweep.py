# SPDX-License-Identifier: Apache-2.0
"""Fails allocation and system call 1, 2, 3, ... inside the Python package: each ends as an exception, never as a crash.

    LD_PRELOAD=build/libfailing_calls.so .venv/bin/python tests/faults/python_sweep.py [--all]

After every failure the object must still work: the call is made again in the thread, without a fault, and must give the
usual result.
Only allocations of at least 1 kB fail, because nanobind itself ends the process if it lacks a few bytes for its tables.
"""

import argparse
import ctypes
import errno
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas
import pidforest

LIBRARY = ctypes.CDLL(None)
EXPECTED = (MemoryError, OSError)
IO_CALLS = {"open": errno.EACCES, "read": errno.EIO, "write": errno.ENOSPC, "pread": errno.EIO, "pwrite": errno.ENOSPC,
            "fsync": errno.EIO, "rename": errno.EIO, "mkostemp": errno.EACCES, "fchmod": errno.EPERM, "fstat": errno.EIO,
            "close": errno.EIO}  # fmt: skip


def calls(folder: Path) -> dict[str, Callable[[], bytes]]:
    """The calls that are tried, by name. Each returns bytes that do not depend on faults before it."""
    rows = np.random.RandomState(0).standard_normal((200, 4))
    rows[7, 2] = 50
    forest = pidforest.PIDForest(n_estimators=4, random_state=0, n_jobs=1).fit(rows)
    forest.save(folder / "m.pidf")
    # 1,500 values and 400 levels: the memory that a thread keeps between calls then has blocks of 1 kB.
    large = pandas.DataFrame({"size": np.random.RandomState(1).standard_normal(1500), "level": [f"level {i * i % 400}" for i in range(1500)]})

    def stream() -> bytes:
        return pidforest.StreamingPIDForest(n_estimators=4, max_samples=32, random_state=0).update(rows).tobytes()

    def report() -> bytes:
        forest.report(rows, folder / "r.html")
        return b"" if (folder / "r.html").stat().st_size > 1000 else b"short"

    def save() -> bytes:
        forest.save(folder / "s.pidf")
        return (folder / "s.pidf").read_bytes()

    return {
        "fit": lambda: pidforest.PIDForest(n_estimators=4, random_state=0, n_jobs=1).fit(rows).score_samples(rows).tobytes(),
        "fit of levels": lambda: pidforest.PIDForest(n_estimators=4, max_samples=1500, random_state=0, n_jobs=1).fit(large).score_samples(large).tobytes(),
        "score": lambda: forest.score_samples(rows).tobytes(),
        "explain": lambda: repr(forest.explain(rows[:8])).encode(),
        "save": save,
        "load": lambda: pidforest.PIDForest.load(folder / "m.pidf").score_samples(rows).tobytes(),
        "report": report,
        "stream": stream,
    }


def numbers(all_calls: bool) -> Iterator[int]:
    number = 1
    while True:
        yield number
        number += 1 if all_calls or number < 16 else max(1, number // 8)


def ending_with_fault(action: Callable[[], bytes], usual: bytes, call: str, number: int, error: int) -> str:
    """How the action ends if a call fails: "" if it does not come to that call, "wrong" if the next action differs."""
    # glibc ends the process if it lacks the memory for the variables that other packages keep per thread.
    pidforest.PIDForest(n_estimators=1, n_jobs=1).fit(pandas.DataFrame({"size": [1.0, 2.0], "level": ["a", "b"]}))
    LIBRARY.fail_call(call.encode(), ctypes.c_long(number), error)
    try:
        action()
        ending = "success"
    except EXPECTED as exception:
        ending = type(exception).__name__
    reached = LIBRARY.failed_calls() > 0
    LIBRARY.fail_call(b"", ctypes.c_long(0), 0)
    if not reached:
        return ""
    return ending if action() == usual else "wrong"


def sweep(name: str, action: Callable[[], bytes], all_calls: bool) -> int:
    usual = action()
    endings: Counter = Counter()
    for call, error in ({"large memory": errno.ENOMEM} | IO_CALLS).items():
        for number in numbers(all_calls):
            with ThreadPoolExecutor(1) as new_thread:  # it has none of the memory that threads keep between calls
                ending = new_thread.submit(ending_with_fault, action, usual, call, number, error).result()
            if ending == "wrong":
                sys.exit(f"python_sweep: {name} gives another result after {call} {number} failed")
            if not ending:
                break
            endings[ending] += 1
    print(f"python_sweep: {name}: " + ", ".join(f"{n} {ending}" for ending, n in sorted(endings.items())), flush=True)
    return endings.total()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="every call")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        n_failed = sum(sweep(name, action, options.all) for name, action in calls(Path(folder)).items())
    print(f"python_sweep: {n_failed} calls failed, 0 wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
