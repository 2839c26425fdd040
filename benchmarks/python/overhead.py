#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the overhead of Python over the library: time per call and per row, and memory. Writes docs/python_speed.md.

One thread, medians, in one run with the C++ worker and with scikit-learn's IsolationForest. `make overhead` builds the
prerequisites.

    .venv/bin/python benchmarks/python/overhead.py           writes docs/python_speed.md
    .venv/bin/python benchmarks/python/overhead.py --quick   fewer rounds and rows: prints
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.ensemble import IsolationForest

from pidforest import PIDForest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks" / "speed"))
from report import Requirement, machine, table, verdicts  # noqa: E402
from worker import Worker  # noqa: E402

PAGE = ROOT / "docs" / "python_speed.md"
ONE_ROW_MICROSECONDS = 30
OVER_LIBRARY = 1.05
OVER_TABLE = 0.05  # of the table, in addition to the scores

MEMORY = """
import resource, sys
import numpy as np
import pandas, polars, pyarrow
from pidforest import PIDForest
n_rows, kind = int(sys.argv[1]), sys.argv[2]
def column(i):
    return np.random.default_rng(i).random(n_rows)
if kind == "numpy, C order":
    X = np.empty((n_rows, 10))
    for i in range(10):
        X[:, i] = column(i)
elif kind == "numpy, Fortran order":
    X = np.empty((10, n_rows)).T
    for i in range(10):
        X[:, i] = column(i)
else:
    columns = {f"a{i}": column(i) for i in range(10)}
    X = {"pandas": lambda: pandas.DataFrame(columns, copy=False), "polars": lambda: polars.DataFrame(columns),
         "pyarrow": lambda: pyarrow.table(columns)}[kind]()
    del columns
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
forest = PIDForest().fit(X)
fitted = peak()
assert len(forest.score_samples(X)) == n_rows
print(fitted - before, peak() - before)
"""


def per_call(work, rounds):
    """Return the CPU seconds of a call: the median over rounds of many calls each."""
    calls = max(1, int(0.05 / cpu(lambda: [work() for _ in range(20)]) * 20))
    return median(cpu(lambda: [work() for _ in range(calls)]) / calls for _ in range(rounds))


def cpu(work):
    """Return CPU seconds, which do not include the work of other processes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def one_row(rounds, asked):
    rows = []
    for d in (3, 10, 36):
        X = np.random.default_rng(0).normal(size=(20_000, d))
        ours, peer = PIDForest(n_jobs=1).fit(X), IsolationForest(n_jobs=1, random_state=0).fit(X)
        row = X[:1]
        took = 1e6 * per_call(lambda: ours.score_samples(row), rounds)
        peer_took = 1e6 * per_call(lambda: peer.score_samples(row), rounds)
        rows.append([d, f"{took:.1f}", f"{peer_took:.0f}", f"{peer_took / took:.0f}x"])
        asked.append(Requirement(f"microseconds of score_samples on one row, d = {d}", took, ONE_ROW_MICROSECONDS, True))
    return table(["columns", "ours, microseconds", "scikit-learn", "ratio"], rows)


def many_rows(n_rows, rounds, build, asked):
    X = np.random.default_rng(0).normal(size=(n_rows, 10))
    forest = PIDForest(n_jobs=1).fit(X)
    times = {"library": [], "python": []}
    with Worker(build) as worker, tempfile.TemporaryDirectory() as folder:
        worker.load(X, Path(folder))
        worker.order("fit", "seed=0")
        for _ in range(rounds):
            times["library"].append(worker.order("score").cpu)
            times["python"].append(cpu(lambda: forest.score_samples(X)))
    library, python = median(times["library"]), median(times["python"])
    asked.append(Requirement(f"CPU time of score_samples on {n_rows:,} x 10 / of the library", python / library, OVER_LIBRARY, True))
    cells = [f"{n_rows:,}", f"{1e3 * library:.0f}", f"{1e3 * python:.0f}", f"{python / library:.3f}x"]
    return table(["rows", "library, ms", "Python, ms", "ratio"], [cells])


def memory(n_rows, asked):
    rows = []
    size = n_rows * 80
    for kind in ("numpy, C order", "numpy, Fortran order", "pandas", "polars", "pyarrow"):
        print(f"overhead: memory of {kind}", file=sys.stderr)
        printed = subprocess.run([sys.executable, "-c", MEMORY, str(n_rows), kind], capture_output=True, text=True, check=True).stdout
        of_fit, of_both = map(int, printed.split())
        rows.append([kind, f"{of_fit / 1e6:.0f}", f"{of_both / 1e6:.0f}", f"{n_rows * 8 / 1e6:.0f}"])
        asked.append(Requirement(f"peak beyond a table of {size / 1e9:.2g} GB and its scores, {kind}, as a share of it", (of_both - n_rows * 8) / size, OVER_TABLE, True))
    return table(["table", "fit, MB", "fit and score, MB", "of which scores, MB"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--build", type=Path, default=ROOT / "build-bench")
    options = parser.parse_args()
    rounds = 3 if options.quick else 15
    asked = []
    lines = ["# The overhead of Python", "", "Written by `make overhead` (benchmarks/python/overhead.py). One thread; medians.", "", machine(options.build, ("scikit-learn", "numpy", "pandas", "polars", "pyarrow"))]
    lines += ["", "## One row", "", "`score_samples` on one row of a numpy array, 100 trees, CPU time:"]
    lines += one_row(rounds, asked)
    lines += ["", "## Many rows", "", "CPU time of scoring 10 columns with 100 trees, in Python and in C++ (`Model::score`), measured in turn:"]
    lines += many_rows(100_000 if options.quick else 1_000_000, rounds, options.build, asked)
    lines += ["", "## Memory", "", "Growth of the process's peak memory beyond an existing table of 10 columns of doubles (1 GB):"]
    lines += memory(1_000_000 if options.quick else 12_500_000, asked)
    lines += verdicts(asked)
    text = "\n".join(lines) + "\n"
    if options.quick:
        print(text)
    else:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
