# SPDX-License-Identifier: Apache-2.0
"""The paper's "best 5-bucket histogram of a 300-element array": time and error of one split, by the speed benchmark."""

import json
import subprocess
from pathlib import Path

import numpy as np
from algorithms import Algorithm, Scored
from synthetic import Labelled

PROGRAM = Path(__file__).resolve().parents[2] / "build-bench" / "speed_partition"
SIZE = "300/5"  # values and groups
ROUNDS = 7


def run_split(_rows: np.ndarray, _seed: int, way: str) -> Scored:
    """Time one split; its score is minus the squared error."""
    flags = [f"--benchmark_filter=^{way}/{SIZE}$", f"--benchmark_repetitions={ROUNDS}", "--benchmark_format=json"]
    done = subprocess.run([PROGRAM, *flags], check=True, capture_output=True)
    runs = [run for run in json.loads(done.stdout)["benchmarks"] if run["run_type"] == "iteration"]
    microseconds = float(np.median([run["cpu_time"] for run in runs]))
    return Scored(np.array([-runs[0]["error"]]), microseconds * 1e-6, None)


def error(_data: Labelled, scores: np.ndarray) -> dict:
    return {"error": -float(scores[0])}


def no_rows(_name: str, _seed: int) -> Labelled:
    """The program generates its own data."""
    return Labelled(np.empty((0, 1)), np.empty(0, int))


WAYS = {
    way: Algorithm(run_split, str(PROGRAM), {"way": way}, is_random=False) for way in ("exact", "plain", "one_pass")
}
