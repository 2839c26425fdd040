#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ranks the rows of the planted worlds by pidforest's aggregates and its peers, and writes docs/worlds.md.

`make worlds` installs the peers first. Make choices with --quick or --first-seed 0: a whole run has the seeds 100 to 104.

    .venv/bin/python benchmarks/worlds/worlds.py                             writes docs/worlds.md
    .venv/bin/python benchmarks/worlds/worlds.py --tool OTHER --output FILE  another build
    python3 benchmarks/worlds/worlds.py --quick --methods mean,top           one seed, our tool alone: prints
"""

import argparse
import os
import re
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # must be set before the peers are imported

BENCHMARKS = Path(__file__).resolve().parents[1]
sys.path += [str(BENCHMARKS), str(BENCHMARKS / "wild"), str(BENCHMARKS / "mixed")]
from choices import list_of
from figures import auc_and_precision
from judge import found_in_top
from making import ROWS, WORLDS, make_world
from methods import METHODS as OF_TABLES
from methods import Task, pidforest, run_tool, write_csv
from report import Figures, Measures, document

ROOT = BENCHMARKS.parent
AGGREGATES = ("mean", "odds", "top")
METHODS = {name: pidforest("--aggregate", name) for name in AGGREGATES}
METHODS |= {name: OF_TABLES[name] for name in ("IsolationForest", "ECOD")}
SEEDS = 5
FIRST_SEED = 100  # of a whole run
PROCESSES = 2


class Job(NamedTuple):
    name: str
    seed: int
    rows: int
    methods: list[str]
    tool: Path


def figures(scores: list[float], labels: list[int]) -> Figures:
    planted = {row for row, label in enumerate(labels) if label}
    return Figures(*auc_and_precision(scores, labels), found_in_top(scores, planted, len(planted)) / len(planted))


def run_job(job: Job) -> list[Figures]:
    world = make_world(job.name, job.seed, job.rows)
    with tempfile.TemporaryDirectory() as folder:
        task = Task(world.cells, write_csv(world.cells, Path(folder, "world.csv")), job.seed, job.tool)
        return [figures(METHODS[method](task), world.labels) for method in job.methods]


def refused_by(tool: Path, methods: list[str]) -> list[str]:
    known = run_tool(tool, "options")
    return [name for name in methods if name in AGGREGATES and not re.search(rf"\b{name}\b", known)]


def run_all(options: argparse.Namespace) -> Measures:
    measures: Measures = defaultdict(list)
    jobs = [Job(name, seed, options.rows, options.methods, options.tool) for name in options.worlds for seed in options.seeds]
    with ProcessPoolExecutor(PROCESSES) as pool:
        for count, (job, found) in enumerate(zip(jobs, pool.map(run_job, jobs)), 1):
            print(f"worlds: {count} of {len(jobs)}, {job.name}", file=sys.stderr, flush=True)
            for method, one in zip(job.methods, found):
                measures[job.name, method].append(one)
    return measures


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", type=Path, default=ROOT / "build" / "pidforest", help="default: build/pidforest")
    parser.add_argument("--quick", action="store_true", help="one seed, 0")
    parser.add_argument("--seeds", type=int, help=f"how many; default {SEEDS}, or 1 if quick")
    parser.add_argument("--first-seed", type=int, help=f"default {FIRST_SEED}, or 0 if quick")
    parser.add_argument("--rows", type=int, default=ROWS, help=f"of each table; default {ROWS}")
    lists = {"worlds": tuple(WORLDS), "methods": tuple(METHODS)}
    for name, choices in lists.items():
        every = ", ".join(choices)
        parser.add_argument(f"--{name}", type=list_of(str, choices), default=list(choices), metavar="NAME,...", help=every)
    parser.add_argument("--output", type=Path, help="default: docs/worlds.md for a whole run, no file for a part")
    options = parser.parse_args()
    n_seeds, first = (1, 0) if options.quick else (SEEDS, FIRST_SEED)
    n_seeds = n_seeds if options.seeds is None else options.seeds
    first = first if options.first_seed is None else options.first_seed
    for name, given, least in (("seeds", n_seeds, 1), ("first-seed", first, 0), ("rows", options.rows, 200)):
        if given < least:
            parser.error(f"--{name} must be at least {least}; got {given}.")
    options.seeds = range(first, first + n_seeds)
    is_whole = options.seeds == range(FIRST_SEED, FIRST_SEED + SEEDS) and options.rows == ROWS
    is_whole &= all(set(getattr(options, name)) == set(choices) for name, choices in lists.items())
    options.output = options.output or (ROOT / "docs" / "worlds.md" if is_whole else None)
    return options


def main() -> None:
    options = parse_options()
    options.tool = options.tool.resolve()
    if not options.tool.exists():
        sys.exit(f"worlds: there is no {options.tool}; `make tool` makes it, --tool names another.")
    refused = refused_by(options.tool, options.methods)
    options.methods = [name for name in options.methods if name not in refused]
    text = document(run_all(options), options.seeds, options.rows, options.methods, refused)
    print(text, end="")
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
