#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures fits and scores on Spark, and writes docs/spark_speed.md. `make spark-bench` builds the prerequisites.

Each subject has a Spark session in a process of its own. The data sets http and mammography are in the folder
PIDFOREST_DATA (../shared/data unless said otherwise).

    .venv-spark/bin/python benchmarks/spark/bench.py           writes docs/spark_speed.md
    .venv-spark/bin/python benchmarks/spark/bench.py --write   measures nothing, writes the page from build/spark/results.json
    .venv-spark/bin/python benchmarks/spark/bench.py --quick   fewer rows and rounds: prints
"""

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from page import document, java_version, missing_packages
from parquet_tables import DATA, LABELLED, write_events, write_labelled, write_numbers

from pidforest import StreamingPIDForest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "spark_speed.md"
KEPT = ROOT / "build" / "spark" / "results.json"
ROUNDS = {100_000: 3, 1_000_000: 3, 10_000_000: 1}  # by the rows of the table
QUICK_ROUNDS = {20_000: 1, 100_000: 1}
EVENTS = (8, 100, 100)  # micro-batches, keys, events of a key in each
HORIZONS, COLUMNS = (512, 2048, 8192), (3, 10, 36)


def say(words: str) -> None:
    print(f"spark-bench: {words}", file=sys.stderr, flush=True)


def measure(subject: str, folder: Path, n_cores: int, rounds: int) -> dict[str, Any]:
    """The figures of measure.py for a table. Its words are shown only if it fails."""
    say(f"{subject} of {folder.name} on {n_cores} core{'s' if n_cores > 1 else ''}")
    command = [sys.executable, str(Path(__file__).with_name("measure.py")), subject, str(folder), str(n_cores), str(rounds)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"spark-bench: {' '.join(command[1:])} failed:\n{run.stderr[-4000:]}")
    return {**json.loads(run.stdout.splitlines()[-1]), "cores": n_cores, "rounds": rounds}


def milliseconds(work: Any) -> float:
    start = time.process_time()
    for _ in range(20):
        work()
    return (time.process_time() - start) * 1e3 / 20


def state(horizon: int, n_columns: int) -> dict[str, Any]:
    forest = StreamingPIDForest(horizon=horizon)
    forest.update(np.random.default_rng(0).normal(size=(2 * horizon, n_columns)))
    stored = pickle.dumps(forest._stream)
    read, write = milliseconds(lambda: pickle.loads(stored)), milliseconds(lambda: pickle.dumps(forest._stream))
    return {"horizon": horizon, "columns": n_columns, "bytes": len(stored), "read": read, "write": write}


def measure_all(folder: Path, rounds: dict[int, int]) -> dict[str, Any]:
    results: dict[str, Any] = {"numbers": [], "load": [os.getloadavg()[0]], "java": java_version()}
    results["state"] = [state(horizon, n) for horizon in HORIZONS for n in COLUMNS]
    results["stream"] = measure("stream", write_events(folder, *EVENTS), 2, 1)
    middle = list(rounds)[1]
    results["labelled"] = {name: measure("labelled", write_labelled(folder, name), 2, rounds[middle]) for name in LABELLED}
    for n_rows in rounds:
        table = write_numbers(folder, n_rows)
        results["numbers"] += [measure("numbers", table, n_cores, rounds[n_rows]) for n_cores in (1, 2)]
        if n_rows == middle:
            results["peer"] = measure("peer", table, 2, rounds[n_rows])
        keep(results)
    results["load"].append(os.getloadavg()[0])
    return results


def keep(results: dict[str, Any]) -> None:
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(results), encoding="utf-8")


def check_prerequisites() -> None:
    if missing := missing_packages():
        raise SystemExit(f"spark-bench: {', '.join(missing)} not installed; run `make spark-bench`.")
    if absent := [name for name, file in LABELLED.items() if not (DATA / file).is_file()]:
        raise SystemExit(f"spark-bench: {DATA} has no {', '.join(absent)}. PIDFOREST_DATA names the folder; benchmarks/paper/fetch.py fills it.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rows and rounds: prints")
    parser.add_argument("--write", action="store_true", help="measure nothing, write the page from the kept results")
    options = parser.parse_args()
    if options.write:
        results = json.loads(KEPT.read_text(encoding="utf-8"))
    else:
        check_prerequisites()
        with tempfile.TemporaryDirectory() as folder:
            results = measure_all(Path(folder), QUICK_ROUNDS if options.quick else ROUNDS)
        keep(results)
    if options.quick:
        print(document(results))
    else:
        PAGE.write_text(document(results), encoding="utf-8")


if __name__ == "__main__":
    main()
