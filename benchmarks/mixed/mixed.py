#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares us with scikit-learn and isotree on rare combinations of common values, and writes docs/mixed.md.

The data are made by mixed_sets.py; a seed is used for both data and model. `make mixed` installs the peers first.

    .venv/bin/python benchmarks/mixed/mixed.py                      writes docs/mixed.md
    python3 benchmarks/mixed/mixed.py --methods default --seeds 1   a part: prints, writes only with --output
"""

import argparse
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # must be set before the peers are imported

sys.path.append(str(Path(__file__).resolve().parents[1]))  # shared by the benchmarks
from choices import list_of
from figures import Figures, figures
from methods import METHODS, WITH_MAX_SAMPLES, Task
from mixed_sets import ANIMALS, Animals, DataSet, animals, mushrooms, write_csv
from report import MAX_SAMPLES, MIXED, Measures, document

ROOT = Path(__file__).resolve().parents[2]
SETS = ("mushrooms", "animals")
SEEDS = 3
PROCESSES = 2


class Job(NamedTuple):
    """One data set with one seed, and the methods that rank it."""

    spread: int | Animals  # a number is the number of mixed columns of mushrooms
    seed: int
    rows: int | None
    max_samples: int | None
    methods: list[str]
    binary: Path

    def data(self) -> DataSet:
        make = animals if isinstance(self.spread, Animals) else mushrooms
        return make(self.spread, self.seed, **({"n": self.rows} if self.rows else {}))


def run_job(job: Job) -> list[Figures]:
    data = job.data()
    with tempfile.TemporaryDirectory() as folder:
        path = write_csv(data, Path(folder, "rows.csv"))
        task = Task(data, path, job.seed, job.max_samples, job.binary)
        return [figures(METHODS[method](task), data.labels) for method in job.methods]


def all_jobs(options: argparse.Namespace) -> Iterator[Job]:
    fixed = [name for name in options.methods if name in WITH_MAX_SAMPLES]
    for seed in range(options.seeds):
        if "mushrooms" in options.sets:
            for mixed in MIXED:
                yield Job(mixed, seed, options.rows, None, options.methods, options.binary)
        if "animals" in options.sets:
            for spread in ANIMALS:
                for max_samples in MAX_SAMPLES:
                    yield Job(spread, seed, options.rows, max_samples, fixed, options.binary)


def run_all(options: argparse.Namespace) -> Measures:
    measures: Measures = defaultdict(list)
    jobs = list(all_jobs(options))
    with ProcessPoolExecutor(PROCESSES) as pool:
        for done, (job, found) in enumerate(zip(jobs, pool.map(run_job, jobs)), 1):
            print(f"mixed: {done} of {len(jobs)}", file=sys.stderr, flush=True)
            for method, one in zip(job.methods, found):
                measures[job.spread, job.max_samples, method].append(one)
    return measures


def parse_options() -> argparse.Namespace:
    names = tuple(METHODS)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "pidforest", help="default: build/pidforest")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"how many, from 0; default {SEEDS}")
    parser.add_argument("--sets", type=list_of(str, SETS), default=list(SETS), metavar="NAME,...", help=", ".join(SETS))
    every = ", ".join(names)
    parser.add_argument("--methods", type=list_of(str, names), default=list(names), metavar="NAME,...", help=every)
    parser.add_argument("--rows", type=int, help="of each set; default: 8000 mushrooms, 100000 animals")
    parser.add_argument("--output", type=Path, help="default: docs/mixed.md for a whole run, no file for a part")
    options = parser.parse_args()
    for name, least in (("seeds", 1), ("rows", 100)):
        given = getattr(options, name)
        if given is not None and given < least:
            parser.error(f"--{name} must be at least {least}; got {given}.")
    is_whole = options.seeds >= SEEDS and not options.rows
    is_whole &= set(options.sets) == set(SETS) and set(options.methods) == set(names)
    options.output = options.output or (ROOT / "docs" / "mixed.md" if is_whole else None)
    return options


def main() -> None:
    options = parse_options()
    if not options.binary.exists():
        sys.exit(f"mixed: there is no {options.binary}; `make build` makes it, --binary names another.")
    text = document(run_all(options), options.sets, options.methods, options.seeds, options.rows)
    print(text, end="")
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
