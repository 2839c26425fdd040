# SPDX-License-Identifier: Apache-2.0
"""Fits one detector on a table and scores all rows, in a process that does nothing else. Prints seconds and megabytes.

    .venv/bin/python benchmarks/comparison/time_one.py NAME THREADS COLUMNS FILE

FILE holds doubles, row by row. The seconds are those of the clock and those of the processors in this process. The memory is
the peak of the process while it fits and scores, and the part of it beyond the memory that the process had before:
interpreter, libraries and the table.
"""

import gc
import json
import re
import sys
import time
from pathlib import Path

import shared  # noqa: F401: says where the other benchmarks are
import numpy as np
from detectors import with_threads

WARM_UP_ROWS = 300  # the first call imports and compiles, and starts threads or processes
STATUS = Path("/proc/self/status")


def megabytes(what):
    return int(re.search(rf"{what}:\s+(\d+) kB", STATUS.read_text())[1]) * 1024 / 1e6


def main():
    name, threads, columns, path = sys.argv[1:]
    detector = with_threads(name, int(threads))
    rows = np.fromfile(path).reshape(-1, int(columns))
    detector.on(rows[:WARM_UP_ROWS].copy(), 0)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins again
    before, begin, begin_cpu = megabytes("VmRSS"), time.perf_counter(), time.process_time()
    scored = detector.on(rows, 0)
    seconds, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
    if not np.isfinite(scored.scores).all():
        sys.exit(f"time_one: {name} gives scores that are not finite.")
    peak = megabytes("VmHWM")
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak": peak, "beyond": peak - before}))


if __name__ == "__main__":
    main()
