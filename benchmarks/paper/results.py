# SPDX-License-Identifier: Apache-2.0
"""The results of the tasks, by experiment, data set and algorithm, and tests of which differences are significant."""

from collections import defaultdict
from collections.abc import Iterable
from math import sqrt
from statistics import fmean, stdev, variance
from typing import NamedTuple

import numpy as np
from cache import Task

ROUNDING = 0.0005  # differences that tables with three digits do not show


class Results:
    def __init__(self, by_task: dict[Task, dict]) -> None:
        self.by_task = by_task
        self._runs: dict[tuple[str, str, str], list[dict]] = defaultdict(list)
        self.timeouts: list[Task] = []
        for task in sorted(by_task):
            if "timeout" in by_task[task]:
                self.timeouts.append(task)
            else:
                self._runs[task[:3]].append(by_task[task])

    def values(self, experiment: str, data: str, algorithm: str, figure: str) -> list:
        """Return one value per seed; empty if it was not run."""
        return [run[figure] for run in self._runs.get((experiment, data, algorithm), [])]

    def mean(self, experiment: str, data: str, algorithm: str, figure: str) -> float | None:
        found = self.values(experiment, data, algorithm, figure)
        return fmean(found) if found else None

    def curve(self, experiment: str, data: str, algorithm: str, figure: str) -> np.ndarray | None:
        """Return the mean of curves that are sampled at the same points."""
        found = self.values(experiment, data, algorithm, figure)
        return np.mean(found, axis=0) if found else None

    def has(self, experiment: str) -> bool:
        return any(key[0] == experiment for key in self._runs)

    def data(self, experiment: str, names: Iterable[str]) -> list[str]:
        """Return those of the data sets on which any algorithm was run."""
        run = {key[1] for key in self._runs if key[0] == experiment}
        return [name for name in names if name in run]

    def algorithms(self, experiment: str, names: Iterable[str]) -> list[str]:
        run = {key[2] for key in self._runs if key[0] == experiment}
        return [name for name in names if name in run]


def spread(values: list[float], digits: int = 3) -> str:
    """Format mean and deviation over the seeds."""
    if not values:
        return ""
    deviation = f" ± {stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{fmean(values):.{digits}f}{deviation}"


def is_tie(first: list[float], second: list[float]) -> bool:
    """Return whether two means are within two standard errors of their difference over the seeds."""
    error = sqrt(sum(variance(values) / len(values) for values in (first, second) if len(values) > 1))
    return abs(fmean(first) - fmean(second)) <= max(2 * error, ROUNDING)


class Best(NamedTuple):
    name: str
    values: list[float]


def best_of(found: dict[str, list[float]]) -> Best:
    name = max(found, key=lambda one: fmean(found[one]))
    return Best(name, found[name])


def level_with_best(found: dict[str, list[float]]) -> list[str]:
    """Return the best, and all that are not significantly below it."""
    best = best_of(found)
    return [name for name, values in found.items() if is_tie(values, best.values)]
