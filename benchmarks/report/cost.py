#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what a report adds to `pidforest detect`, and the size of its page. Writes the figures into docs/report.md.

Each table is read, fitted and scored alternately with and without a report; the figures are differences of medians.
`make report-bench` builds the prerequisites.

    .venv/bin/python benchmarks/report/cost.py           writes docs/report.md
    .venv/bin/python benchmarks/report/cost.py --quick   a smaller table: prints
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks" / "speed"))
from report import Requirement, machine, table, verdicts  # noqa: E402

PAGE = ROOT / "docs" / "report.md"
HEADING = "## Measured\n"
MOST_SECONDS = 10
MOST_MEGABYTES = 5
ROUNDS = 3
N_COLUMNS = 20


def plain(rng, n_rows):
    """Twenty columns of numbers; one row in a thousand is far away in two of them."""
    values = rng.normal(size=(n_rows, N_COLUMNS)).round(4)
    planted = rng.random(n_rows) < 0.001
    values[planted, 3] += 8
    values[planted, 7] -= 8
    return pd.DataFrame(values, columns=[f"m{i}" for i in range(N_COLUMNS)])


def mixed(rng, n_rows):
    """A time, categories, missing values and numbers, which exercise every part of a report."""
    frame = plain(rng, n_rows)
    frame["m0"] = pd.date_range("2026-01-01", periods=n_rows, freq="10s").strftime("%Y-%m-%d %H:%M:%S")
    for i, n_levels in ((1, 5), (2, 40), (4, 1000)):
        frame[f"m{i}"] = [f"level {level}" for level in np.minimum(rng.geometric(3 / n_levels, n_rows), n_levels)]
    frame.loc[rng.random(n_rows) < 0.05, "m5"] = np.nan
    return frame.rename(columns={"m0": "at"})


class Took(NamedTuple):
    wall: float
    cpu: float


def run(command):
    """Return wall seconds, and CPU seconds of all processors."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"report: {command} has failed")
    return Took(time.perf_counter() - begin, usage.ru_utime + usage.ru_stime)


def measure(binary, file, page):
    """Return the cost of `detect`, and the additional cost of a report."""
    detect = [binary, "detect", file, "--contamination", "0.001", "--quiet"]
    without, with_report = [], []
    for _ in range(ROUNDS):
        without.append(run(detect))
        with_report.append(run([*detect, "--report", page]))
    took = Took(*map(median, zip(*without)))
    return took, Took(*(median(all_of) - less for all_of, less in zip(zip(*with_report), took)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    options = parser.parse_args()
    n_rows = 50_000 if options.quick else 1_000_000
    asked, rows = [], []
    busy = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        for make in (plain, mixed):
            print(f"report: {make.__name__}", file=sys.stderr, flush=True)
            file, page = Path(folder, "rows.csv"), Path(folder, "report.html")
            make(np.random.default_rng(0), n_rows).to_csv(file, index=False)
            took, added = measure(options.build / "pidforest", file, page)
            size = page.stat().st_size / 1e6
            rows.append([make.__name__, f"{took.wall:.1f}", f"{added.wall:.1f}", f"{added.cpu:.1f}", f"{size:.2f}"])
            asked.append(Requirement(f"seconds that a report adds, {make.__name__}, {n_rows:,} x {N_COLUMNS}", added.wall, MOST_SECONDS, True))
            asked.append(Requirement(f"megabytes of its page, {make.__name__}", size, MOST_MEGABYTES, True))
    lines = [
        "Written by `make report-bench` (benchmarks/report/cost.py): `pidforest detect` of "
        f"{n_rows:,} rows and {N_COLUMNS} columns, with and without `--report`, medians of {ROUNDS}.",
        "",
        machine(options.build, ("numpy", "pandas")) + f" The load average was {busy:.1f} when it began.",
        *table(["table", "detect, s", "a report adds, s", "of processor time, s", "its page, MB"], rows),
        *verdicts(asked),
    ]
    measured = HEADING + "\n" + "\n".join(lines).replace("\n## ", "\n### ") + "\n"
    if options.quick:
        print(measured)
    else:
        PAGE.write_text(PAGE.read_text(encoding="utf-8").partition(HEADING)[0].rstrip() + "\n\n" + measured, encoding="utf-8")
    return 0 if all(requirement.is_reached() for requirement in asked) else 1


if __name__ == "__main__":
    sys.exit(main())
