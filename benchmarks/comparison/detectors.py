# SPDX-License-Identifier: Apache-2.0
"""The five detectors of the comparison and the tasks that measure them.

The detectors, the data sets and the judge are those of benchmarks/paper. Each task belongs to a part of the comparison.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import duckdb
import numpy as np
import pandas
from algorithms import PRESETS, PYOD, RIVALS, TODAY, Algorithm, IsolationForest, fingerprint, forest_of, pidforest, preset
from cache import Task
from experiments import NOISE_COLUMNS, TWELVE, digest_of_data, real_set
from experiments import fingerprint_of as fingerprint_of_paper
from experiments import run as run_of_paper
from data_sets import SERIES
from judges import top
from methods import frame_of
from mixed_sets import ANIMALS, animals
from sklearn.metrics import roc_auc_score

OURS = "pidforest"
IN_THE_PAPER = {OURS: "default", "Isolation Forest": "iForest", "isotree": "isotree", "ECOD": "ECOD", "COPOD": "COPOD"}
EVERYONE = PRESETS | RIVALS | TODAY
DETECTORS: dict[str, Algorithm] = {name: EVERYONE[short] for name, short in IN_THE_PAPER.items()}
PEERS = [name for name in DETECTORS if name != OURS]
INSTALLED = [name for name, detector in DETECTORS.items() if detector.is_installed()]
PACKAGES = {name: detector.package for name, detector in DETECTORS.items()}

TABULAR = [name for name in TWELVE if name not in SERIES]
SHAPES = {"normal noise": "normal", "log-normal noise": "lognormal"}  # beside uniform noise, which is that of the paper
ISOTREE_SEEDS_APART = 1000  # its tree i has the seed random_seed + i, so that neighbouring seeds share nearly all trees
ISOTREE_MOST_ROWS = 50_000  # a larger set gets one seed of isotree, whose 500 deep trees score it for minutes
EXPLAINED_ROWS = 20
MIXED_ROWS = 4000
EDITION = 1  # raise it where a part measures something else than before: cached results are then stale

# The speed part has two more: pidforest with the threshold of its defaults, and isotree with the trees of the others.
THRESHOLD, SMALL_ISOTREE = "pidforest with threshold", "isotree, 100 x 256"
TIMED = DETECTORS | {
    THRESHOLD: preset("default", contamination="auto"),
    SMALL_ISOTREE: TODAY["isotree"]._replace(settings={"ntrees": 100, "sample_size": 256}),
}


def with_threads(name: str, threads: int) -> Algorithm:
    algorithm = TIMED[name]
    return algorithm._replace(settings=algorithm.settings | {"n_jobs": threads})


@cache
def small_tables() -> list[str]:
    """The tables that get noise of other shapes too; on the larger ones isotree takes too long."""
    return [name for name in TABULAR if len(real_set(name).rows) <= ISOTREE_MOST_ROWS]


def is_long(name: str, data: str) -> bool:
    return name == "isotree" and data in TWELVE and len(real_set(data).rows) > ISOTREE_MOST_ROWS


class Scope(NamedTuple):
    """How much of the comparison is measured."""

    data: list[str]
    seeds: int

    def seeds_of(self, name: str, data: str, is_made: bool) -> range:
        """The seeds of a detector on a set. A detector without randomness runs once, unless the seed also makes columns."""
        draws = DETECTORS[name].is_random or is_made
        return range(self.seeds if draws and not is_long(name, data) else 1)


def accuracy_tasks(scope: Scope) -> Iterator[Task]:
    for data in scope.data:
        for name in INSTALLED:
            for seed in scope.seeds_of(name, data, is_made=False):
                yield Task("accuracy", data, name, seed)


def noise_tasks(scope: Scope) -> Iterator[Task]:
    for data in scope.data:
        if data in TABULAR:
            for name in INSTALLED:
                for seed in scope.seeds_of(name, data, is_made=True):
                    yield Task("noise", data, name, seed)
                    if data in small_tables():
                        yield from (Task(shape, data, name, seed) for shape in SHAPES)


def explanation_tasks(scope: Scope) -> Iterator[Task]:
    yield from (Task("explanations", "methods", name, 0) for name in INSTALLED)
    yield from (Task("explanations", data, OURS, 0) for data in scope.data if data in TABULAR)


def column_tasks(_scope: Scope) -> Iterator[Task]:
    yield from (Task("columns", kind, name, 0) for kind in ("texts", "categories") for name in INSTALLED)


def task_of_paper(task: Task) -> Task:
    """The task of benchmarks/paper that gives the same figures."""
    if task.experiment == "noise":
        return Task("table 3", f"{task.data}{NOISE_COLUMNS}", IN_THE_PAPER[task.algorithm], task.seed)
    apart = ISOTREE_SEEDS_APART if task.algorithm == "isotree" else 1
    return Task("table 2", task.data, IN_THE_PAPER[task.algorithm], task.seed * apart)


def run_ranking(task: Task) -> dict:
    found = run_of_paper(task_of_paper(task))
    return {figure: found[figure] for figure in ("auc", "precision")}


def run_shaped(task: Task) -> dict:
    """The ranking after columns of noise are appended to a table."""
    plain = real_set(task.data)
    draw = getattr(np.random.RandomState(task.seed), SHAPES[task.experiment])
    rows = np.hstack([plain.rows, draw(size=(len(plain.rows), NOISE_COLUMNS))])
    return {"auc": roc_auc_score(plain.labels, DETECTORS[task.algorithm].on(rows, task.seed).scores)}


def class_of(name: str) -> type:
    if name == "isotree":
        import isotree

        return isotree.IsolationForest
    return {OURS: pidforest.PIDForest, "Isolation Forest": IsolationForest}.get(name) or PYOD[name]


def run_explanations(task: Task) -> dict:
    """The methods that explain rows; or, of a data set, how many reasons state the count that a database finds."""
    if task.data == "methods":
        return {"methods": [method for method in dir(class_of(task.algorithm)) if method.startswith("explain")]}
    rows = real_set(task.data).rows
    frame = pandas.DataFrame(rows, columns=[f"x{i}" for i in range(rows.shape[1])])
    forest = forest_of("default", task.seed).fit(frame)
    rarest = frame.iloc[top(-forest.score_samples(frame), EXPLAINED_ROWS)]
    with duckdb.connect() as database:
        database.register("the_table", frame)
        counts = [
            (reason.n_inside, database.execute(f"SELECT COUNT(*) FROM the_table WHERE {reason.sql()}").fetchone()[0])
            for reason in forest.explain(rarest, against=frame)
        ]
    return {"reasons": len(counts), "confirmed": sum(stated == counted for stated, counted in counts)}


def run_columns(task: Task) -> dict:
    """Whether a detector takes columns of texts, or of pandas' categories, beside numbers; and the AUC if it does."""
    data = animals(ANIMALS[0], task.seed, n=MIXED_ROWS)
    frame = frame_of(data) if task.data == "categories" else pandas.DataFrame(data.rows, columns=data.header)
    try:
        scores = DETECTORS[task.algorithm].on(frame, task.seed).scores
    except Exception as error:  # each library has its own ways to refuse a text
        return {"takes": False, "says": str(error).splitlines()[0]}
    return {"takes": True, "auc": roc_auc_score(data.labels, scores)}


PARTS: dict[str, Callable[[Scope], Iterator[Task]]] = {
    "accuracy": accuracy_tasks,
    "noise": noise_tasks,
    "explanations": explanation_tasks,
    "columns": column_tasks,
}
RUNS: dict[str, Callable[[Task], dict]] = {
    "accuracy": run_ranking,
    "noise": run_ranking,
    **dict.fromkeys(SHAPES, run_shaped),
    "explanations": run_explanations,
    "columns": run_columns,
}


def run(task: Task) -> dict:
    return RUNS[task.experiment](task)


@cache
def fingerprint_of_detector(name: str) -> str:
    return f"{EDITION}-{fingerprint(TIMED[name])}"


def fingerprint_of(task: Task) -> str:
    """It changes with anything that a result depends on."""
    if task.experiment in ("accuracy", "noise"):
        return f"{EDITION}-{fingerprint_of_paper(task_of_paper(task))}"
    if task.data in TWELVE:
        return f"{fingerprint_of_detector(task.algorithm)}-{digest_of_data('table 2', task.data, 0)}"
    return fingerprint_of_detector(task.algorithm)
