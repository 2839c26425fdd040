#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how often explanations name the columns in which anomalies were planted, and writes docs/planted.md.

The tables are made by planted.py. `make explain` installs SHAP and scikit-learn first. Tune rules with --quick, whose
seeds begin at 0: a full run has other seeds, so that the published figures were not tuned on its tables.

    .venv/bin/python benchmarks/explain/explain.py                      writes docs/planted.md
    .venv/bin/python benchmarks/explain/explain.py --quick              one seed, 10 and 50 columns: prints
    python3 benchmarks/explain/explain.py --quick --methods mean,top    our tool alone, which needs no packages
"""

import argparse
import os
import shlex
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # must be set before the peers are imported

sys.path.append(str(Path(__file__).resolve().parents[1]))  # shared by the benchmarks
from choices import list_of
from judge import Judgement, judge
from peers import shap_answers, shap_seconds_per_row, z_answers
from planted import ROWS, Recipe, files_of, read_truth
from report import METHODS, OURS, Judgements, Seconds, document, introduction
from tool import Tool, tool_answers, tool_seconds_per_row

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = (10, 50, 200)
QUICK_COLUMNS = (10, 50)
SEEDS = 5
FIRST_SEED = 100  # of a full run
PROCESSES = 2
SHAP_ROWS = 100  # number of rows that are timed


class Job(NamedTuple):
    """One table, and the methods that explain its planted rows."""

    recipe: Recipe
    folder: Path
    methods: list[str]
    tool: Tool


def run_job(job: Job) -> list[list[Judgement]]:
    path, truth_path = files_of(job.recipe, job.folder)
    truth, seed = read_truth(truth_path), job.recipe.seed
    found = []
    for method in job.methods:
        if method in OURS:
            answers = tool_answers(job.tool, path, job.recipe.rows, truth, seed, method)
        else:
            answers = shap_answers(path, truth, seed) if method == "shap" else z_answers(path, truth)
        found.append([judge(one, answer) for one, answer in zip(truth, answers)])
    return found


def run_all(options: argparse.Namespace) -> Judgements:
    judgements: Judgements = defaultdict(list)
    recipes = [
        Recipe(columns, is_correlated, seed, options.rows)
        for columns in options.columns
        for is_correlated in (False, True)
        for seed in options.seeds
    ]
    jobs = [Job(recipe, options.folder, options.methods, Tool(options.tool, options.extra)) for recipe in recipes]
    with ProcessPoolExecutor(PROCESSES) as pool:
        for done, (job, found) in enumerate(zip(jobs, pool.map(run_job, jobs)), 1):
            print(f"explain: {done} of {len(jobs)}", file=sys.stderr, flush=True)
            for method, judged in zip(job.methods, found):
                judgements[job.recipe.columns, job.recipe.is_correlated, method] += judged
    return judgements


def measure_seconds(options: argparse.Namespace) -> Seconds:
    """Runs alone, without other jobs of this benchmark."""
    seconds: Seconds = {}
    for columns in options.columns:
        path, _ = files_of(Recipe(columns, True, options.seeds[0], options.rows), options.folder)
        seconds[columns] = {}
        for method in options.methods:
            if method in OURS:
                tool = Tool(options.tool, ["--aggregate", method, *options.extra])
                seconds[columns][method] = tool_seconds_per_row(tool, path, options.rows)
            elif method == "shap":
                seconds[columns][method] = shap_seconds_per_row(path, SHAP_ROWS)
    return seconds


def parse_options() -> argparse.Namespace:
    names = tuple(METHODS)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", type=Path, default=ROOT / "build" / "pidforest", help="default: build/pidforest")
    parser.add_argument("--extra", type=shlex.split, default=[], metavar="FLAGS", help="for our tool, in quotes")
    parser.add_argument("--quick", action="store_true", help="one seed, 10 and 50 columns, no times")
    parser.add_argument("--seeds", type=int, help=f"how many; default {SEEDS}, or 1 if quick")
    parser.add_argument("--first-seed", type=int, help=f"default {FIRST_SEED}, or 0 if quick")
    parser.add_argument("--columns", type=list_of(int, COLUMNS), metavar="N,...", help=", ".join(map(str, COLUMNS)))
    every = ", ".join(names)
    parser.add_argument("--methods", type=list_of(str, names), default=list(names), metavar="NAME,...", help=every)
    parser.add_argument("--rows", type=int, default=ROWS, help=f"of each table; default {ROWS}")
    parser.add_argument("--folder", type=Path, help="keeps the tables; those that are there are not made again")
    parser.add_argument("--output", type=Path, help="default: docs/planted.md for a whole run, no file for a part")
    options = parser.parse_args()
    options.columns = options.columns or list(QUICK_COLUMNS if options.quick else COLUMNS)
    n_seeds, first = (1, 0) if options.quick else (SEEDS, FIRST_SEED)
    n_seeds = n_seeds if options.seeds is None else options.seeds
    first = first if options.first_seed is None else options.first_seed
    for name, given, least in (("seeds", n_seeds, 1), ("first-seed", first, 0), ("rows", options.rows, 1000)):
        if given < least:
            parser.error(f"--{name} must be at least {least}; got {given}.")
    options.seeds = range(first, first + n_seeds)
    is_whole = not options.quick and not options.extra and options.rows == ROWS
    is_whole &= options.seeds == range(FIRST_SEED, FIRST_SEED + SEEDS)
    is_whole &= set(options.columns) == set(COLUMNS) and set(options.methods) == set(names)
    options.output = options.output or (ROOT / "docs" / "planted.md" if is_whole else None)
    return options


def measured(options: argparse.Namespace) -> str:
    judgements = run_all(options)
    seconds = {} if options.quick else measure_seconds(options)
    introduced = introduction(options.rows, options.seeds, options.methods, options.extra)
    return document(judgements, seconds, introduced, options.methods)


def main() -> None:
    options = parse_options()
    options.tool = options.tool.resolve()
    if not options.tool.exists():
        sys.exit(f"explain: there is no {options.tool}; `make build` makes it, --tool names another.")
    with tempfile.TemporaryDirectory() as folder:
        options.folder = options.folder or Path(folder)
        text = measured(options)
    print(text, end="")
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
