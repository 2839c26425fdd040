# SPDX-License-Identifier: Apache-2.0
"""Who is compared: our presets through the Python package, and the real libraries of the rivals. All have one thread
unless the setting `n_jobs` gives them more.

A function fits all rows and scores them; higher scores are rarer. Times are CPU seconds.
"""

import hashlib
import json
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
import pidforest
from pyod.models.copod import COPOD
from pyod.models.ecod import ECOD
from pyod.models.hbos import HBOS
from pyod.models.knn import KNN
from pyod.models.pca import PCA
from sklearn.ensemble import IsolationForest
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import LocalOutlierFactor
from sklearn.svm import OneClassSVM

PYOD = {kind.__name__: kind for kind in (COPOD, ECOD, HBOS, KNN, PCA)}


class Scored(NamedTuple):
    scores: np.ndarray
    fit_seconds: float
    score_seconds: float | None  # None: the library scores the rows while it fits


class Algorithm(NamedTuple):
    run: Callable[..., Scored]  # takes rows, a seed and the settings
    package: str  # the package that has the algorithm, or the path of a program of ours
    settings: dict[str, Any] = {}
    is_random: bool = True

    def on(self, rows: np.ndarray, seed: int) -> Scored:
        return self.run(rows, seed, **self.settings)

    def is_installed(self) -> bool:
        if "/" in self.package:
            return Path(self.package).exists()
        return find_spec(self.package.replace("scikit-learn", "sklearn")) is not None


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    begin = time.process_time()
    result = call()
    return result, time.process_time() - begin


def forest_of(preset: str, seed: int, **options: Any) -> pidforest.PIDForest:
    """One thread and no threshold, unless the options say otherwise."""
    return pidforest.PIDForest.preset(preset, random_state=seed, **{"n_jobs": 1, "contamination": None} | options)


def run_pidforest(rows: np.ndarray, seed: int, preset: str, **options: Any) -> Scored:
    forest, fit_seconds = timed(lambda: forest_of(preset, seed, **options).fit(rows))
    scores, score_seconds = timed(lambda: -forest.score_samples(rows))
    return Scored(scores, fit_seconds, score_seconds)


def run_isolation_forest(rows: np.ndarray, seed: int, n_jobs: int = 1, **settings: Any) -> Scored:
    with joblib.parallel_config("threading", n_jobs=n_jobs):  # score_samples takes its threads from here, not from n_jobs
        forest, fit_seconds = timed(lambda: IsolationForest(random_state=seed, n_jobs=n_jobs, **settings).fit(rows))
        scores, score_seconds = timed(lambda: -forest.score_samples(rows))
    return Scored(scores, fit_seconds, score_seconds)


def run_local_outlier_factor(rows: np.ndarray, seed: int, **settings: Any) -> Scored:
    factors, fit_seconds = timed(lambda: LocalOutlierFactor(n_jobs=1, **settings).fit(rows))
    return Scored(-factors.negative_outlier_factor_, fit_seconds, None)


def run_one_class_svm(rows: np.ndarray, seed: int, most_rows: int, sample: int, **settings: Any) -> Scored:
    """A table of more than `most_rows` is fitted on a random `sample`, because the time grows with the square."""
    if len(rows) > most_rows:
        fitted = rows[np.random.RandomState(seed).choice(len(rows), sample, replace=False)]
    else:
        fitted = rows
    machine, fit_seconds = timed(lambda: OneClassSVM(cache_size=1000, **settings).fit(fitted))
    scores, score_seconds = timed(lambda: -machine.score_samples(rows))
    return Scored(scores, fit_seconds, score_seconds)


def run_mixture(rows: np.ndarray, seed: int, **settings: Any) -> Scored:
    mixture, fit_seconds = timed(lambda: GaussianMixture(random_state=seed, **settings).fit(rows))
    scores, score_seconds = timed(lambda: -mixture.score_samples(rows))
    return Scored(scores, fit_seconds, score_seconds)


def run_pyod(rows: np.ndarray, seed: int, name: str, **settings: Any) -> Scored:
    """A detector of PyOD with its defaults. The scores are those of the fit, in which no row is its own neighbour."""
    detector, fit_seconds = timed(lambda: PYOD[name](**settings).fit(rows))
    return Scored(detector.decision_scores_, fit_seconds, None)


def warm_up() -> None:
    """Compile the parts of PyOD that are compiled on first use, so that this is not counted as its time."""
    probe = np.random.RandomState(0).normal(size=(300, 3))
    for kind in PYOD.values():
        kind().fit(probe)


def run_rrcf(rows: np.ndarray, seed: int, n_trees: int, tree_size: int) -> Scored:
    """Build rounds of trees that partition the rows, as in rrcf's own guide, until there are enough trees and every
    row has been in one. A row's score is its mean collusive displacement in the trees that contain it."""
    import rrcf

    random = np.random.RandomState(seed)
    sums, counts = np.zeros(len(rows)), np.zeros(len(rows))
    seconds, grown = [0.0, 0.0], 0
    while grown < n_trees or not counts.all():
        for chosen in random.choice(len(rows), (len(rows) // tree_size, tree_size), replace=False):
            tree, took = timed(lambda: rrcf.RCTree(rows[chosen], index_labels=chosen, random_state=random))
            seconds[0] += took
            found, took = timed(lambda: [tree.codisp(leaf) for leaf in chosen])
            seconds[1] += took
            sums[chosen] += found
            counts[chosen] += 1
            grown += 1
    return Scored(sums / counts, *seconds)


def run_isotree(rows: np.ndarray, seed: int, n_jobs: int = 1, **settings: Any) -> Scored:
    import isotree

    forest, fit_seconds = timed(lambda: isotree.IsolationForest(random_seed=seed, nthreads=n_jobs, **settings).fit(rows))
    scores, score_seconds = timed(lambda: forest.predict(rows))
    return Scored(scores, fit_seconds, score_seconds)


def preset(name: str, **options: Any) -> Algorithm:
    return Algorithm(run_pidforest, "pidforest", {"preset": name} | options)


def isolation_forest(**settings: Any) -> Algorithm:
    return Algorithm(run_isolation_forest, "scikit-learn", settings)


def local_outlier_factor(**settings: Any) -> Algorithm:
    return Algorithm(run_local_outlier_factor, "scikit-learn", settings, is_random=False)


def one_class_svm(gamma: str) -> Algorithm:
    settings = {"gamma": gamma, "most_rows": 100_000, "sample": 20_000}
    return Algorithm(run_one_class_svm, "scikit-learn", settings, is_random=False)


def pyod(name: str) -> Algorithm:
    return Algorithm(run_pyod, "pyod", {"name": name}, is_random=False)


PRESETS = {name: preset(name) for name in ("default", "authors", "paper")}
RRCF = Algorithm(run_rrcf, "rrcf", {"n_trees": 500, "tree_size": 256})
EM = Algorithm(run_mixture, "scikit-learn", {"n_components": 2, "covariance_type": "full"})
# With the paper's settings: the defaults of 2019, of which only the SVM's gamma has changed since.
RIVALS = {
    "iForest": isolation_forest(),
    "RRCF": RRCF,
    "LOF": local_outlier_factor(),
    "SVM": one_class_svm("auto"),
    "kNN": pyod("KNN"),
    "PCA": pyod("PCA"),
}
TODAY = {
    "SVM scale": one_class_svm("scale"),
    "isotree": Algorithm(run_isotree, "isotree"),
    "ECOD": pyod("ECOD"),
    "COPOD": pyod("COPOD"),
    "HBOS": pyod("HBOS"),
}


def release(package: str) -> str:
    if "/" in package:
        return hashlib.sha256(Path(package).read_bytes()).hexdigest()
    try:
        return version(package)
    except PackageNotFoundError:  # ours is imported from the build folder
        return pidforest.__version__ if package == "pidforest" else "not installed"


def fingerprint(algorithm: Algorithm) -> str:
    """Changes with the settings, with the release of the package, and, because ours is still in development, with
    the scores that our settings give to a small table."""
    known = [algorithm.run.__name__, algorithm.settings, release(algorithm.package)]
    if algorithm.package == "pidforest":
        probe = np.random.RandomState(0).standard_cauchy((300, 3))
        known.append(hashlib.sha256(algorithm.on(probe, 0).scores.tobytes()).hexdigest())
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16]
