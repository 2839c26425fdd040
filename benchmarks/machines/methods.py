# SPDX-License-Identifier: Apache-2.0
"""The detectors: each learns the train part of a machine and scores its test part. Larger scores are rarer."""

import re
from collections.abc import Callable

import numpy as np
import pandas
from machine_sets import Event, Machine
from pidforest import PIDForest, Shingles
from pyod.models.hbos import HBOS
from pyod.models.pca import PCA
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import NearestNeighbors

WINDOW = 9  # rises reach over 8 samples
VIEWS = ("changes", "scales")
HISTORY = 64  # samples of the train part before the test part, so that its first windows have all they are made of
NEIGHBOURS = 5
WORST_ROWS = 8  # of an event, by which its metrics are blamed


def frame_of(values: np.ndarray) -> pandas.DataFrame:
    return pandas.DataFrame(values, columns=[f"m{metric}" for metric in range(values.shape[1])])


def standardized(machine: Machine) -> tuple[np.ndarray, np.ndarray]:
    """Both parts in standard deviations of the train part. A constant metric counts its distance in units of 1."""
    mean, deviation = machine.train.mean(axis=0), machine.train.std(axis=0)
    deviation[deviation == 0] = 1
    return (machine.train - mean) / deviation, (machine.test - mean) / deviation


class Ours:
    """A forest on the last values, their rises, means and deviations. Also blames metrics."""

    def __init__(self, machine: Machine, seed: int) -> None:
        self.metrics = machine.train.shape[1]
        self.forest = PIDForest(random_state=seed, contamination="none", n_jobs=1).fit(Shingles(frame_of(machine.train), window=WINDOW, views=VIEWS))
        both = np.vstack([machine.train[-HISTORY:], machine.test])
        self.windows = Shingles(frame_of(both), like=self.forest)
        bits = self.windows.per_sample(self.forest.score_samples(self.windows))
        self.scores = -bits[-len(machine.test) :]

    def metric_bits(self) -> np.ndarray:
        """The bits of each metric in each sample of the test part: the sum over the columns that are derived from it."""
        explained = self.forest.explain(self.windows)
        bits = np.zeros((len(self.scores), self.metrics))
        for column, name in enumerate(explained.columns):
            bits[:, int(re.search(r"\bm(\d+)\b", name)[1])] += explained.column_bits[-len(self.scores) :, column]
        return bits


def ours(machine: Machine, seed: int) -> np.ndarray:
    return Ours(machine, seed).scores


def isolation_forest(machine: Machine, seed: int) -> np.ndarray:
    return -IsolationForest(random_state=seed).fit(machine.train).score_samples(machine.test)


def nearest_neighbours(machine: Machine, seed: int) -> np.ndarray:
    train, test = standardized(machine)
    return NearestNeighbors(n_neighbors=NEIGHBOURS).fit(train).kneighbors(test)[0][:, -1]


def principal_components(machine: Machine, seed: int) -> np.ndarray:
    train, test = standardized(machine)
    varying = train.std(axis=0) > 0
    return PCA(random_state=seed).fit(train[:, varying]).decision_function(test[:, varying])


def histograms(machine: Machine, seed: int) -> np.ndarray:
    return HBOS().fit(machine.train).decision_function(machine.test)


def z_score(machine: Machine, seed: int) -> np.ndarray:
    return np.abs(standardized(machine)[1]).max(axis=1)


METHODS: dict[str, Callable[[Machine, int], np.ndarray]] = {
    "pidforest": ours,
    "Isolation Forest": isolation_forest,
    "kNN": nearest_neighbours,
    "PCA": principal_components,
    "HBOS": histograms,
    "z-score": z_score,
}


def blame_by_bits(bits: np.ndarray, event: Event) -> np.ndarray:
    """The largest bits of each metric over the rows of the event with most bits."""
    rows = bits[event.first : event.end]
    worst = np.argsort(-rows.sum(axis=1), kind="stable")[:WORST_ROWS]
    return rows[worst].max(axis=0)


def blame_by_z_score(machine: Machine, event: Event) -> np.ndarray:
    """The mean distance of each metric from its mean, in standard deviations."""
    return np.abs(standardized(machine)[1][event.first : event.end]).mean(axis=0)


def hit_rate(blame: np.ndarray, event: Event, share: float) -> float:
    """The share of the blamed metrics among as many metrics of most blame as there are, times `share`."""
    wanted = set(event.blamed)
    first = np.argsort(-blame, kind="stable")[: int(share * len(wanted))]
    return len(wanted & set(first.tolist())) / len(wanted)
