#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the automatic threshold flags and writes the figures into docs/threshold.md.

Every figure comes from `pidforest detect FILE --label label --json`, run once per table and seed. Regular data has no
anomalies, so fewer flags are better; for planted rows more are. The rule was not tuned on the public data sets.

    python3 benchmarks/threshold/threshold.py                     writes docs/threshold.md
    python3 benchmarks/threshold/threshold.py --seeds 1 --print   prints instead
"""

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks" / "accuracy"))
from data_sets import TWELVE, file_of, write_csv  # noqa: E402

PAGE = ROOT / "docs" / "threshold.md"
HEADING = "## Measured\n"
SHAPES = [(1000, 1), (1000, 2), (1000, 10), (10000, 2), (10000, 10)]
MOST_OF_REGULAR = 0.01
MUST_BE_QUIET = ("even noise", "one Gaussian", "a line y = x", "a constant table")


def even(rng, d):
    return [rng.random() for _ in range(d)]


def gaussian(rng, d):
    return [rng.gauss(0, 1) for _ in range(d)]


def correlated(rng, d):
    common = rng.gauss(0, 1)
    return [0.9 * common + math.sqrt(1 - 0.81) * rng.gauss(0, 1) for _ in range(d)]


def clusters(rng, d):
    centre = 20 * rng.randrange(3)
    return [rng.gauss(centre, 1) for _ in range(d)]


def zipf(rng, d):
    return [f"v{rng.choices(range(30), [1 / i for i in range(1, 31)])[0]}" for _ in range(d)]


def mixed(rng, d):
    kinds = [
        lambda: rng.gauss(0, 1),
        lambda: "" if rng.random() < 0.1 else rng.expovariate(1),
        lambda: zipf(rng, 1)[0],
        lambda: rng.choice("abcdefgh"),
    ]
    return [kinds[j % 4]() for j in range(d)]


REGULAR = {
    "even noise": even,
    "one Gaussian": gaussian,
    "a line y = x": lambda rng, d: [rng.random()] * d,
    "a constant table": lambda _rng, d: [3] * d,
    "correlated Gaussian": correlated,
    "three clusters": clusters,
    "exponential": lambda rng, d: [rng.expovariate(1) for _ in range(d)],
    "log-normal": lambda rng, d: [rng.lognormvariate(0, 1) for _ in range(d)],
    "even categories": lambda rng, d: [rng.choice("abcdefgh") for _ in range(d)],
    "Zipf categories": zipf,
    "mixed, with missing": mixed,
}

# Planted in a Gaussian table: the number or share of rows, their distance in deviations, and the number of columns.
PLANTED = [(1, 10, 1), (10, 6, 1), (10, 10, 1), (10, 6, 3), (10, 10, 3), (0.02, 8, 10), (0.05, 8, 10), (0.1, 8, 10)]


def regular_table(make, n, d, rng):
    return [[*make(rng, d), 0] for _ in range(n)]


def planted_table(planting, n, d, rng):
    """The planted rows are at least this far away, each on a random side in every column."""
    n_planted, distance, n_moved = planting
    rows = regular_table(gaussian, n, d, rng)
    for row in rng.sample(rows, n_planted if n_planted >= 1 else round(n_planted * n)):
        for j in range(min(n_moved, d)):
            row[j] = rng.choice((-1, 1)) * distance * rng.uniform(1, 1.3)
        row[-1] = 1
    return rows


def flagged(binary, path, seed):
    """Return the share flagged of the rows with label 0, and of those with label 1."""
    n = 10**9
    command = [binary, "detect", path, "--label", "label", "--json", "--quiet", "--seed", seed, "--top", n]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"threshold: {' '.join(done.args)} ended with {done.returncode}: {done.stderr.strip()}")
    shares = []
    for label in (0, 1):
        flags = [row["is_anomaly"] for row in json.loads(done.stdout)["top"] if row["label"] == label]
        shares.append(fmean(flags) if flags else math.nan)
    return shares


def measure(options, make, n, d):
    """Return the mean over the seeds."""
    found = []
    for seed in range(options.seeds):
        path = Path(options.folder, "table.csv")
        write_csv(path, [*(f"x{j}" for j in range(d)), "label"], make(n, d, random.Random(1000 * n + 10 * d + seed)))
        found.append(flagged(options.binary, path, seed))
    return found


def table(head, rows):
    return ["", *("| " + " | ".join(map(str, cells)) + " |" for cells in (head, ["---"] * len(head), *rows))]


def percent(share):
    return f"{100 * share:.2f}"


def regular_part(options, missed):
    rows = []
    for name, make in REGULAR.items():
        print(f"threshold: {name}", file=sys.stderr, flush=True)
        cells = [name]
        for n, d in SHAPES:
            shares = [of_others for of_others, _ in measure(options, lambda *a, m=make: regular_table(m, *a), n, d)]
            cells.append(percent(fmean(shares)))
            if name in MUST_BE_QUIET and max(shares) >= MOST_OF_REGULAR:
                missed.append(f"{name}, {n} x {d}: {percent(max(shares))} %")
        rows.append(cells)
    head = ["percent of the rows flagged", *(f"{n} x {d}" for n, d in SHAPES)]
    return ["", "Regular data, without anomalies.", *table(head, rows)]


def planted_part(options):
    rows = []
    for planting in PLANTED:
        n_planted, distance, n_moved = planting
        print(f"threshold: planted {planting}", file=sys.stderr, flush=True)
        count = f"{n_planted}" if n_planted >= 1 else f"{100 * n_planted:.0f} %"
        cells = [count, f"{distance} or more", "all" if n_moved == 10 else n_moved]
        for n, d in SHAPES:
            found = measure(options, lambda *a, p=planting: planted_table(p, *a), n, d)
            cells.append(f"{100 * fmean(planted for _, planted in found):.0f} ({percent(fmean(o for o, _ in found))})")
        rows.append(cells)
    head = ["rows planted", "deviations away", "in columns", *(f"{n} x {d}" for n, d in SHAPES)]
    words = "A Gaussian with rows planted far away: percent of these rows that are flagged, and in brackets percent of all other rows."
    return ["", words, *table(head, rows)]


def public_part(options):
    rows = []
    for name in TWELVE:
        print(f"threshold: {name}", file=sys.stderr, flush=True)
        others, anomalies = flagged(options.binary, file_of(name, Path(options.folder)), 0)
        rows.append([name, percent(others), f"{100 * anomalies:.0f}"])
    head = ["data set", "percent flagged of the rows labelled normal", "and of those labelled anomalies"]
    words = "The twelve public data sets, seed 0. Their labels were not used to choose the rule."
    return ["", words, *table(head, rows)]


def main():
    parser = argparse.ArgumentParser(description="Measures what the automatic threshold flags.")
    parser.add_argument("--binary", default=ROOT / "build" / "pidforest")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--print", action="store_true", help="print instead of writing docs/threshold.md")
    options = parser.parse_args()
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        options.folder = folder
        words = f"Written by `make threshold` (benchmarks/threshold/threshold.py). Means over {options.seeds} seeds."
        lines = [words, *regular_part(options, missed), *planted_part(options), *public_part(options)]
    measured = HEADING + "\n" + "\n".join(lines) + "\n"
    if options.print:
        print(measured)
    else:
        PAGE.write_text(PAGE.read_text().partition(HEADING)[0].rstrip() + "\n\n" + measured)
    for what in missed:
        print(f"threshold: flags too much of {what}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
