#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the paper's experiments with us and the rivals, and writes docs/paper.md with its plots and results.json.

Results are kept in build/paper/results.jsonl: a second run does only the tasks that are missing or out of date. The
data are in the folder PIDFOREST_DATA (by default ../shared/data); fetch.py says where they come from.

    .venv/bin/python benchmarks/paper/reproduce.py            an hour or two; writes docs/paper.md
    .venv/bin/python benchmarks/paper/reproduce.py --quick    minutes; a part of it, written to build/paper/paper.md
"""

import argparse
import os
import signal
import sys
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # before numpy is imported

sys.path.append(str(Path(__file__).resolve().parents[1]))  # what benchmarks share
from cache import Cache, Task
from choices import list_of
from experiments import DATA, EXPERIMENTS, algorithm_of, all_tasks, fingerprint_of, missing_data, run
from page import write_all
from runner import fill

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "build" / "paper"
LIMIT = 7200  # seconds for one task


def say(words: str) -> None:
    print(f"reproduce: {words}", file=sys.stderr, flush=True)


def parse_options() -> argparse.Namespace:
    names = list(EXPERIMENTS)
    every = list(dict.fromkeys(data for experiment in EXPERIMENTS.values() for data in experiment.data))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer data sets and seeds: under 10 minutes on 2 cores")
    parser.add_argument("--only", type=list_of(str, names), default=names, metavar="NAME,...", help=", ".join(names))
    parser.add_argument("--data", type=list_of(str, every), default=every, metavar="NAME,...", help="some data sets only")
    parser.add_argument("--write", action="store_true", help="run nothing, write the page from what is in the cache")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes side by side; default: all cores")
    parser.add_argument("--limit", type=float, default=LIMIT, help=f"seconds for one task; default {LIMIT}")
    parser.add_argument(
        "--cache", type=Path, default=SCRATCH / "results.jsonl", help="default: build/paper/results.jsonl"
    )
    parser.add_argument("--output", type=Path, help="folder; default: docs, and build/paper for a part")
    options = parser.parse_args()
    for name, least in (("jobs", 1), ("limit", 1)):
        if getattr(options, name) < least:
            parser.error(f"--{name} must be at least {least}; got {getattr(options, name)}.")
    is_whole = not options.quick and options.only == names and options.data == every
    options.output = options.output or (ROOT / "docs" if is_whole else SCRATCH)
    return options


def wanted(options: argparse.Namespace) -> list[Task]:
    """Return the tasks of all installed algorithms."""
    tasks = [task for task in all_tasks(options.only, options.quick) if task.data in options.data]
    absent = {algorithm_of(task).package for task in tasks if not algorithm_of(task).is_installed()}
    for package in sorted(absent):
        say(f"{package} is not there, and left out; `make reproduce` installs and builds all.")
    return [task for task in tasks if algorithm_of(task).package not in absent]


def main() -> int:
    options = parse_options()
    absent = missing_data({task.data for task in all_tasks(options.only, options.quick)} & set(options.data))
    if absent:
        say(f"{DATA} has no {', '.join(absent)}. PIDFOREST_DATA names the folder; benchmarks/paper/fetch.py fills it.")
        return 3
    tasks = {task: fingerprint_of(task) for task in wanted(options)}
    cache = Cache(options.cache)
    is_whole = options.write or fill(cache, tasks, run, options.jobs, options.limit, say)
    results = {task: cache.get(task, fingerprint) for task, fingerprint in tasks.items()}
    write_all({task: found for task, found in results.items() if found is not None}, options.output)
    say(f"wrote {options.output / 'paper.md'}")
    return 0 if is_whole else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the processes of the tasks end too
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("stopped; the next run goes on from here")
        sys.exit(130)
