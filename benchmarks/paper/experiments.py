# SPDX-License-Identifier: Apache-2.0
"""The paper's experiments: the data, the algorithms, the number of runs, and how the scores are judged.

A quick run does a part of the same tasks, so that its cached results also serve the full run.
"""

import hashlib
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas

sys.path.append(str(Path(__file__).resolve().parents[1] / "accuracy"))

import judges
import synthetic
from algorithms import EM, PRESETS, RIVALS, RRCF, TODAY, Algorithm, fingerprint, isolation_forest
from algorithms import local_outlier_factor, one_class_svm, preset, pyod
from cache import Task
from data_sets import DATA, KNOWN, NOISE_COLUMNS, NOISY, SHINGLE, TWELVE, file_of
from depth import depth_of
from histogram import SIZE, WAYS, error, no_rows
from synthetic import Labelled

EDITION = 1  # increase it when judges change, which makes old results stale
NOISES = (2, 10)
NOISY_COLUMNS = range(20)
SAMPLES = range(100, 1001, 50)
SMALL = tuple(name for name in TWELVE if name not in ("http", "smtp", "cpu_utilization", "machine_temperature"))


class Experiment(NamedTuple):
    data: Sequence[str]
    algorithms: dict[str, Algorithm]
    make: Callable[[str, int], Labelled]  # the rows of a data set; only generated ones use the seed
    judge: Callable[[Labelled, np.ndarray], dict]
    seeds: int
    quick_data: Sequence[str]
    quick_seeds: int = 1
    is_made_up: bool = False  # then the seed changes the rows, so it matters even for deterministic algorithms

    def tasks(self, name: str, is_quick: bool) -> Iterator[Task]:
        for seed in range(self.quick_seeds if is_quick else self.seeds):
            for data in self.quick_data if is_quick else self.data:
                for label, algorithm in self.algorithms.items():
                    if seed == 0 or algorithm.is_random or self.is_made_up:
                        yield Task(name, data, label, seed)


@cache
def real_set(name: str, _seed: int = 0) -> Labelled:
    with tempfile.TemporaryDirectory() as folder:
        frame = pandas.read_csv(file_of(name, Path(folder)), float_precision="round_trip")
    labels = frame.pop("label").to_numpy()
    return Labelled(np.ascontiguousarray(frame.to_numpy(dtype=float)), labels)


def noisy_set(name: str, seed: int) -> Labelled:
    """Return one of the real sets with columns of uniform noise after its own."""
    plain = real_set(name.removesuffix(str(NOISE_COLUMNS)))
    noise = np.random.RandomState(seed).uniform(0, 1, (len(plain.rows), NOISE_COLUMNS))
    return Labelled(np.hstack([plain.rows, noise]), plain.labels)


def mixture_set(name: str, seed: int) -> Labelled:
    noise, n_noisy = name.split("/")
    return synthetic.mixture(float(noise), int(n_noisy), seed)


def mixture_name(noise: int, n_noisy: int) -> str:
    return f"{noise}/{n_noisy}"


def made_up(make: Callable[[int], Labelled]) -> Callable[[str, int], Labelled]:
    return lambda _name, seed: make(seed)


def with_options(name: str, option: str, values: Sequence, **others) -> dict[str, Algorithm]:
    return {f"{name} {option}={value}": preset(name, **others | {option: value}) for value in values}


# The settings of the authors' notebooks.
MASKING = {"n_estimators": 20, "max_depth": 20, "max_children": 2}
MIXTURE = {"n_estimators": 20, "max_depth": 12, "max_samples": 300}
SERIES = {"n_estimators": 20, "max_depth": 12, "max_samples": 200, "quantile": 0.7}

masking_algorithms = (
    with_options("default", "max_samples", SAMPLES)
    | with_options("authors", "max_samples", SAMPLES, **MASKING)
    | with_options("paper", "max_samples", SAMPLES)
    | {f"iForest max_samples={m}": isolation_forest(n_estimators=20, max_samples=m) for m in SAMPLES}
)
mixture_algorithms = {
    "default": preset("default"),
    "authors": preset("authors", **MIXTURE),
    "paper": preset("paper"),
    "iForest": isolation_forest(n_estimators=20, max_samples=100),
    "iForest 100x256": isolation_forest(),
    "EM": EM,
    "LOF": local_outlier_factor(n_neighbors=10),
    "RRCF": RRCF,
    "SVM": one_class_svm("auto"),
    "kNN": pyod("KNN"),
    "PCA": pyod("PCA"),
}
series_algorithms = PRESETS | {"authors": preset("authors", **SERIES)} | RIVALS
series_algorithms |= {
    "iForest": isolation_forest(n_estimators=30, max_samples=100),
    "iForest 100x256": isolation_forest(),
}
HYPER = {
    "max_children": (2, 3, 4, 5, 6),
    "max_samples": (25, 50, 100, 200, 400, 800),
    "n_estimators": (1, 2, 5, 10, 20, 50, 100, 200),
    "max_depth": (2, 4, 6, 8, 10, 12, 14),
}
hyper_algorithms = {}
for option, values in HYPER.items():
    hyper_algorithms |= with_options("authors", option, values, **SERIES)
    if option != "max_children":  # sampled cuts do not have this option
        hyper_algorithms |= with_options("default", option, values)

TABLE = PRESETS | RIVALS | TODAY
quick_mixtures = [mixture_name(noise, n) for noise in NOISES for n in (0, 2, 6, 12, 19)]
sine = made_up(synthetic.sine)
EXPERIMENTS = {
    "table 2": Experiment(tuple(TWELVE), TABLE, real_set, judges.ranking, 5, SMALL),
    "table 3": Experiment(tuple(NOISY), TABLE, noisy_set, judges.ranking, 5, ["thyroid50"], 1, True),
    "more seeds": Experiment(("vowels",), {"iForest": RIVALS["iForest"]}, real_set, judges.ranking, 50, ["vowels"], 10),
    "ablation": Experiment(
        ("thyroid", "mammography"), {name: depth_of(name) for name in PRESETS}, real_set, judges.ranking, 5, ["thyroid"]
    ),
    "masking": Experiment(
        ["zeros"], masking_algorithms, made_up(synthetic.masking), judges.masked, 10, ["zeros"], 1, True
    ),
    "mixture": Experiment(
        [mixture_name(noise, n) for noise in NOISES for n in NOISY_COLUMNS],
        mixture_algorithms, mixture_set, judges.rarest, 5, quick_mixtures, 1, True,
    ),
    "series": Experiment(["sine"], series_algorithms, sine, judges.stretches, 10, ["sine"], 2, True),
    "hyper": Experiment(["sine"], hyper_algorithms, sine, judges.ranking, 10, ["sine"], 2, True),
    "split": Experiment(
        tuple(TWELVE),
        {"exact": preset("authors", epsilon=0), "one pass": preset("authors", epsilon=0.1)},
        real_set, judges.ranking, 5, SMALL,
    ),
    "one split": Experiment([SIZE], WAYS, no_rows, error, 1, [SIZE]),
}  # fmt: skip


def all_tasks(names: Sequence[str], is_quick: bool) -> list[Task]:
    return [task for name in names for task in EXPERIMENTS[name].tasks(name, is_quick)]


def algorithm_of(task: Task) -> Algorithm:
    return EXPERIMENTS[task.experiment].algorithms[task.algorithm]


@cache
def digest_of_data(experiment: str, data: str, seed: int) -> str:
    made = EXPERIMENTS[experiment].make(data, seed)
    return hashlib.sha256(made.rows.tobytes() + made.labels.tobytes()).hexdigest()[:16]


@cache
def digest_of_algorithm(experiment: str, algorithm: str) -> str:
    return fingerprint(EXPERIMENTS[experiment].algorithms[algorithm])


def fingerprint_of(task: Task) -> str:
    """Return a fingerprint of everything a result depends on: the rows, the algorithm and the judge."""
    seed = task.seed if EXPERIMENTS[task.experiment].is_made_up else 0
    data = digest_of_data(task.experiment, task.data, seed)
    return f"{EDITION}-{data}-{digest_of_algorithm(task.experiment, task.algorithm)}"


def run(task: Task) -> dict:
    experiment = EXPERIMENTS[task.experiment]
    data = experiment.make(task.data, task.seed)
    scored = algorithm_of(task).on(data.rows, task.seed)
    seconds = {"fit_seconds": scored.fit_seconds, "score_seconds": scored.score_seconds}
    return experiment.judge(data, scored.scores) | seconds


def missing_data(names: set[str]) -> list[str]:
    """Return the files of the real data sets among `names` that are missing from the folder."""
    real = sorted({name.removesuffix(str(NOISE_COLUMNS)) for name in names if name in KNOWN})
    return [f"{name}.csv" for name in real if not any((DATA / f"{name}.csv{end}").exists() for end in ("", ".gz"))]
