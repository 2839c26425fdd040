#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares pidforest with Isolation Forest, isotree, ECOD and COPOD, and writes docs/comparison.md.

Every detector has its default configuration on every data set, and no detector sees a label. The data are in the folder
PIDFOREST_DATA (../shared/data unless said otherwise). Results are kept in build/comparison/results.jsonl: a second run measures
only the tasks that are missing or out of date, and the speed part, which is measured again whenever it is asked for.

    .venv/bin/python benchmarks/comparison/comparison.py                  writes docs/comparison.md
    .venv/bin/python benchmarks/comparison/comparison.py --parts speed    one part; the others come from the kept results
    .venv/bin/python benchmarks/comparison/comparison.py --write          measures nothing
    .venv/bin/python benchmarks/comparison/comparison.py --quick          small sets and one seed; leaves docs alone
"""

import argparse
import os
import signal
import sys
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # before numpy is imported

import shared  # noqa: F401: says where the other benchmarks are
from cache import Cache, Task
from choices import list_of
from comparison_page import document
from detectors import DETECTORS, INSTALLED, PARTS, Scope, fingerprint_of, fingerprint_of_detector, is_long, run
from experiments import DATA, SMALL, TWELVE, missing_data
from runner import fill
from timing import speed_tasks, time_all

ROOT = Path(__file__).resolve().parents[2]
SPEED = "speed"
SEEDS, QUICK_SEEDS = 5, 1
ROWS, QUICK_ROWS = 1_000_000, 50_000
ROUNDS, QUICK_ROUNDS = 3, 1
LIMIT = 1800  # seconds for one task


def say(words: str) -> None:
    print(f"comparison: {words}", file=sys.stderr, flush=True)


def parse_options() -> argparse.Namespace:
    parts = [*PARTS, SPEED]
    names = list(TWELVE)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", type=list_of(str, parts), default=parts, metavar="NAME,...", help=", ".join(parts))
    parser.add_argument("--quick", action="store_true", help="small sets, one seed and a small table")
    parser.add_argument("--data", type=list_of(str, names), metavar="NAME,...", help=", ".join(names))
    parser.add_argument("--seeds", type=int, help=f"how many, from 0; default {SEEDS}")
    parser.add_argument("--rows", type=int, help=f"rows of the table of the speed part; default {ROWS}")
    parser.add_argument("--rounds", type=int, help=f"runs of the speed part; default {ROUNDS}")
    parser.add_argument("--write", action="store_true", help="measure nothing, write the page from the kept results")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes side by side; default: all cores")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="default: build")
    parser.add_argument("--cache", type=Path, help="default: comparison/results.jsonl in the build folder")
    parser.add_argument("--output", type=Path, help="default: docs/comparison.md for a whole run, else beside the cache")
    options = parser.parse_args()
    options.cache = options.cache or options.build / "comparison" / "results.jsonl"
    options.data = options.data or list(SMALL if options.quick else TWELVE)
    for name, whole, quick in (("seeds", SEEDS, QUICK_SEEDS), ("rows", ROWS, QUICK_ROWS), ("rounds", ROUNDS, QUICK_ROUNDS)):
        if getattr(options, name) is None:
            setattr(options, name, quick if options.quick else whole)
    for name, least in (("seeds", 1), ("rows", 1000), ("rounds", 1), ("jobs", 1)):
        if getattr(options, name) < least:
            parser.error(f"--{name} must be at least {least}; got {getattr(options, name)}.")
    return options


def wanted(options: argparse.Namespace, part: str) -> dict[Task, str]:
    """The tasks of a part with their fingerprints."""
    if part == SPEED:
        return {task: fingerprint_of_detector(task.algorithm) for task, _ in speed_tasks(options.rows)}
    return {task: fingerprint_of(task) for task in PARTS[part](Scope(options.data, options.seeds))}


def measure(options: argparse.Namespace, cache: Cache, tasks: dict[str, dict[Task, str]]) -> bool:
    """Measures the parts that are asked for. Whether all tasks ended well."""
    ranked = {task: mark for part in options.parts if part != SPEED for task, mark in tasks[part].items()}
    ranked = dict(sorted(ranked.items(), key=lambda item: not is_long(item[0].algorithm, item[0].data)))  # long ones begin
    is_well = fill(cache, ranked, run, options.jobs, LIMIT, say) if ranked else True
    if SPEED in options.parts:
        time_all(options.rows, options.rounds, lambda task, found: cache.put(task, tasks[SPEED][task], found), say)
    return is_well


def output_of(options: argparse.Namespace, is_complete: bool) -> Path:
    is_whole = options.data == list(TWELVE) and options.seeds >= SEEDS and options.rows == ROWS and options.rounds >= ROUNDS
    folder = ROOT / "docs" if is_complete and is_whole else options.cache.parent
    return options.output or folder / "comparison.md"


def main() -> int:
    options = parse_options()
    absent = missing_data(set(options.data))
    if absent:
        say(f"{DATA} has no {', '.join(absent)}. PIDFOREST_DATA names the folder; benchmarks/paper/fetch.py fills it.")
        return 3
    left_out = [name for name in DETECTORS if name not in INSTALLED]
    if left_out:
        say(f"{', '.join(left_out)}: not installed, and left out; `make comparison` installs all.")
    cache = Cache(options.cache)
    tasks = {part: wanted(options, part) for part in (*PARTS, SPEED)}
    is_well = options.write or measure(options, cache, tasks)
    found = {task: cache.get(task, mark) for marks in tasks.values() for task, mark in marks.items()}
    known = {task: result for task, result in found.items() if result is not None}
    for part, marks in tasks.items():
        missing = sum(task not in known for task in marks)
        if missing:
            say(f"{part}: {missing} of {len(marks)} results are missing or out of date")
    output = output_of(options, len(known) == len(found) and not left_out)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(document(known, options), encoding="utf-8")
    say(f"wrote {output}")
    return 0 if is_well else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the processes of the tasks end too
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("stopped; the next run goes on from here")
        sys.exit(130)
