# SPDX-License-Identifier: Apache-2.0
"""The methods that are compared: our presets by the command, and the peers of requirements-bench.txt, on one thread."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from mixed_sets import DataSet

TREES = 100


class Task(NamedTuple):
    data: DataSet
    path: Path  # the same rows as a CSV file
    seed: int
    max_samples: int | None  # None: the default of each method
    binary: Path


def command(task: Task, *flags: str | int) -> list[float]:
    """Return the scores of all rows, in row order. The schema is inferred."""
    words = [task.binary, "detect", task.path, "--label", "label", "--top", len(task.data.rows), "--json", "--quiet"]
    words += ["--threads", 1, "--seed", task.seed, *flags]
    if task.max_samples:
        words += ["--max-samples", task.max_samples]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"mixed: pidforest detect ended with {done.returncode}: {done.stderr.strip()}")
    by_row = sorted((row["row"], row["score"]) for row in json.loads(done.stdout)["top"])
    return [score for _, score in by_row]


def categories(frame) -> list[str]:
    import pandas

    return [name for name in frame if not pandas.api.types.is_numeric_dtype(frame[name])]


def frame_of(data: DataSet):
    """Return a pandas frame with texts as categories."""
    import pandas

    frame = pandas.DataFrame(data.rows, columns=data.header)
    return frame.astype({name: "category" for name in categories(frame)})


def sklearn_one_hot(task: Task) -> Sequence[float]:
    import pandas
    import sklearn.ensemble

    frame = frame_of(task.data)
    rows = pandas.get_dummies(frame, columns=categories(frame)).to_numpy(dtype="float32")
    peer = sklearn.ensemble.IsolationForest(max_samples=task.max_samples or "auto", random_state=task.seed, n_jobs=1)
    return (-peer.fit(rows).score_samples(rows)).tolist()


def isotree(task: Task, **settings) -> Sequence[float]:
    import isotree

    if task.max_samples:
        settings |= {"ntrees": TREES, "sample_size": task.max_samples}
    frame = frame_of(task.data)
    peer = isotree.IsolationForest(ndim=1, random_seed=task.seed, nthreads=1, **settings)
    return peer.fit(frame).predict(frame).tolist()


def isotree_density(task: Task) -> Sequence[float]:
    return isotree(task, categ_split_type="single_categ", scoring_metric="density")


def with_samples(method: Callable[[Task], Sequence[float]], max_samples: int) -> Callable[[Task], Sequence[float]]:
    return lambda task: method(task._replace(max_samples=max_samples))


def preset(name: str) -> Callable[[Task], Sequence[float]]:
    return lambda task: command(task, "--preset", name)


PEERS = ("scikit-learn", "isotree")
WITH_MAX_SAMPLES: dict[str, Callable[[Task], Sequence[float]]] = {
    "default": preset("default"),
    "paper": preset("paper"),
    "authors": preset("authors"),
    "scikit-learn": sklearn_one_hot,
    "isotree": isotree,
    "isotree density": isotree_density,
}
METHODS = WITH_MAX_SAMPLES | {
    "default 1024": with_samples(preset("default"), 1024),
    "isotree 256": with_samples(isotree, 256),
    "isotree density 256": with_samples(isotree_density, 256),
}
