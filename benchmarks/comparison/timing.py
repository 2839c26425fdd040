# SPDX-License-Identifier: Apache-2.0
"""The speed part of the comparison: fit and score of a made table, each run in a process of its own (time_one.py)."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from cache import Task
from detectors import TIMED
from made_table import synthetic

COLUMNS = 10
LONG_SECONDS = 60  # a run that takes longer is not repeated
LIMIT_SECONDS = 1200
SCRIPT = Path(__file__).with_name("time_one.py")
CORES = os.cpu_count() or 1
THREADS = sorted({1, CORES})
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def data_name(rows: int, threads: int) -> str:
    return f"{rows} x {COLUMNS}, threads: {threads}"


def speed_tasks(rows: int) -> Iterator[tuple[Task, int]]:
    """The tasks with their numbers of threads."""
    for threads in THREADS:
        for name in (name for name, detector in TIMED.items() if detector.is_installed()):
            yield Task("speed", data_name(rows, threads), name, 0), threads


def time_once(name: str, threads: int, path: Path) -> dict:
    """Seconds and megabytes; or why there are none."""
    command = [sys.executable, str(SCRIPT), name, str(threads), str(COLUMNS), str(path)]
    environment = os.environ | {variable: str(threads) for variable in THREAD_VARIABLES}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"not done in {LIMIT_SECONDS} s"}
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {"failed": f"ended with {done.returncode}: {reason}"}
    return json.loads(done.stdout.splitlines()[-1])


def wants_more(found: dict | None) -> bool:
    return found is None or "failed" not in found and found["seconds"][-1] <= LONG_SECONDS


def with_run(found: dict | None, run: dict) -> dict:
    """The runs so far and one more. A failed run stands for all."""
    if "failed" in run:
        return run
    return {figure: [*(found or {}).get(figure, []), value] for figure, value in run.items()}


def time_all(rows: int, rounds: int, keep: Callable[[Task, dict], None], say: Callable[[str], None]) -> None:
    """Every detector has a turn in every round. `keep` gets the runs of a task so far after each of them."""
    found: dict[Task, dict] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table")
        synthetic(rows, COLUMNS).tofile(path)
        for number in range(1, rounds + 1):
            for task, threads in speed_tasks(rows):
                if wants_more(found.get(task)):
                    load = os.getloadavg()[0]
                    run = time_once(task.algorithm, threads, path)
                    found[task] = with_run(found.get(task), run if "failed" in run else run | {"load": load})
                    keep(task, found[task])
                    words = run.get("failed") or f"{run['seconds']:.2f} s"
                    say(f"round {number} of {rounds}: {task.algorithm} on {task.data}: {words}")
