#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants wrong cells in tables that look like real ones, ranks the rows by pidforest and its peers, and writes docs/wild.md.

`make wild` installs the peers first. Make choices with --quick or --first-seed 0: a whole run has the seeds 100 to 102.

    .venv/bin/python benchmarks/wild/wild.py                        writes docs/wild.md
    .venv/bin/python benchmarks/wild/wild.py --tool OTHER --output FILE    another build
    python3 benchmarks/wild/wild.py --quick --methods pidforest     one seed, our tool alone: prints
"""

import argparse
import os
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # must be set before the peers are imported

sys.path.append(str(Path(__file__).resolve().parents[1]))  # shared by the benchmarks
from choices import list_of
from errors import KINDS, Planter
from judge import Figures, figures
from methods import METHODS, OURS_BEFORE, Task, fit, write_csv
from quiet import Found, Quiet, all_quiet, measure_quiet
from report import Beyond, Measures, QuietMeasures, document
from tables import RECIPES, make_table

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("errors", "quiet")
SEEDS = 3
FIRST_SEED = 100  # of a whole run
BEFORE = 1000  # added to the seed of a table for the one that a model is fitted on
PROCESSES = 2


class Job(NamedTuple):
    """One table with one seed: every kind of error is planted in it, one after the other."""

    name: str
    seed: int
    rows: int | None
    kinds: list[str]
    methods: list[str]
    tool: Path


class Done(NamedTuple):
    figures: dict[tuple[str, str], Figures]  # by kind and method
    beyond: dict[str, float]  # by kind


def model_before(job: Job, folder: Path) -> Path:
    earlier = make_table(job.name, job.seed + BEFORE, job.rows)
    return fit(job.tool, job.seed, write_csv(earlier.cells, folder / "earlier.csv"), folder / "earlier.pidf")


def run_job(job: Job) -> Done:
    table = make_table(job.name, job.seed, job.rows)
    planter = Planter(table)
    done = Done({}, {})
    with tempfile.TemporaryDirectory() as folder:
        before = model_before(job, Path(folder)) if OURS_BEFORE in job.methods else None
        for kind in job.kinds:
            planted = planter.plant(kind, job.seed)
            task = Task(table.cells, write_csv(table.cells, Path(folder, "table.csv")), job.seed, job.tool, before)
            rows = {one.row for one in planted}
            for method in job.methods:
                done.figures[kind, method] = figures(METHODS[method](task), rows)
            done.beyond[kind] = fmean(one.is_beyond for one in planted)
            planter.undo()
    return done


def run_quiet(quiet: Quiet, tool: Path) -> Found:
    with tempfile.TemporaryDirectory() as folder:
        return measure_quiet(quiet, tool, Path(folder))


def measure_errors(options: argparse.Namespace, pool: ProcessPoolExecutor) -> tuple[Measures, Beyond]:
    measures: Measures = defaultdict(list)
    beyond: Beyond = defaultdict(list)
    chosen = (options.kinds, options.methods, options.tool)
    jobs = [Job(name, seed, options.rows, *chosen) for name in options.tables for seed in options.seeds]
    for count, (job, done) in enumerate(zip(jobs, pool.map(run_job, jobs)), 1):
        print(f"wild: {count} of {len(jobs)}, {job.name}", file=sys.stderr, flush=True)
        for (kind, method), found in done.figures.items():
            measures[job.name, kind, method].append(found)
        for kind, share in done.beyond.items():
            beyond[job.name, kind].append(share)
    return measures, beyond


def measure_all_quiet(options: argparse.Namespace, pool: ProcessPoolExecutor) -> QuietMeasures:
    print("wild: tables without errors", file=sys.stderr, flush=True)
    quiet = list(all_quiet(options.seeds, options.rows))
    return dict(zip(quiet, pool.map(run_quiet, quiet, [options.tool] * len(quiet))))


def measured(options: argparse.Namespace) -> str:
    with ProcessPoolExecutor(PROCESSES) as pool:
        measures, beyond = measure_errors(options, pool) if "errors" in options.parts else ({}, {})
        quiet = measure_all_quiet(options, pool) if "quiet" in options.parts else {}
    return document(measures, beyond, quiet, options.seeds, options.methods)


def add_list(parser: argparse.ArgumentParser, flag: str, names: tuple[str, ...]) -> None:
    every = ", ".join(names).replace("%", "%%")
    parser.add_argument(flag, type=list_of(str, names), default=list(names), metavar="NAME,...", help=every)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", type=Path, default=ROOT / "build" / "pidforest", help="default: build/pidforest")
    parser.add_argument("--quick", action="store_true", help="one seed, 0")
    parser.add_argument("--seeds", type=int, help=f"how many; default {SEEDS}, or 1 if quick")
    parser.add_argument("--first-seed", type=int, help=f"default {FIRST_SEED}, or 0 if quick")
    parser.add_argument("--rows", type=int, help="at most this many rows of each table")
    lists = {"parts": PARTS, "tables": tuple(RECIPES), "kinds": tuple(KINDS), "methods": tuple(METHODS)}
    for name, choices in lists.items():
        add_list(parser, f"--{name}", choices)
    parser.add_argument("--output", type=Path, help="default: docs/wild.md for a whole run, no file for a part")
    options = parser.parse_args()
    n_seeds, first = (1, 0) if options.quick else (SEEDS, FIRST_SEED)
    n_seeds = n_seeds if options.seeds is None else options.seeds
    first = first if options.first_seed is None else options.first_seed
    for name, given, least in (("seeds", n_seeds, 1), ("first-seed", first, 0), ("rows", options.rows, 200)):
        if given is not None and given < least:
            parser.error(f"--{name} must be at least {least}; got {given}.")
    options.seeds = range(first, first + n_seeds)
    is_whole = options.seeds == range(FIRST_SEED, FIRST_SEED + SEEDS) and not options.rows
    is_whole &= all(set(getattr(options, name)) == set(choices) for name, choices in lists.items())
    options.output = options.output or (ROOT / "docs" / "wild.md" if is_whole else None)
    return options


def main() -> None:
    options = parse_options()
    options.tool = options.tool.resolve()
    if not options.tool.exists():
        sys.exit(f"wild: there is no {options.tool}; `make tool` makes it, --tool names another.")
    text = measured(options)
    print(text, end="")
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
