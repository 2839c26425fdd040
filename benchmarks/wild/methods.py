# SPDX-License-Identifier: Apache-2.0
"""The detectors that rank the rows of a table: pidforest by its command, the peers, and the largest |z| of a row.

The peers take numbers only. A category of at most 20 levels becomes one column of 0 and 1 per level, one of more levels
becomes the rank of the level by frequency, and a time becomes its day and its hour. A missing number is replaced by the
median, a missing category by its most common level.
"""

import csv
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from columns import Cell, written

MOST_ONE_HOT = 20

Cells = dict[str, list[Cell]]  # by column


@dataclass
class Task:
    """A table to rank. Its cells must not change while it is used."""

    cells: Cells
    path: Path  # the same cells as a CSV file
    seed: int
    tool: Path
    before: Path | None = None  # a model of a table of the same recipe, without errors

    @cached_property
    def matrix(self):
        """The cells as the peers take them: a numpy matrix."""
        import numpy

        return numpy.array([values for column in self.cells.values() for values in encoded(column)], dtype="float64").T


class Ranking(NamedTuple):
    scores: list[float]  # of all rows, in row order; higher is rarer
    is_flagged: list[bool]


def write_csv(cells: Cells, path: Path) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(cells)
        writer.writerows(zip(*(map(written, column) for column in cells.values())))
    return path


def run_tool(tool: Path, *words: object) -> str:
    done = subprocess.run([str(tool), *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"pidforest {' '.join(map(str, words))} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def rank(task: Task, *flags: object) -> Ranking:
    """Run `detect` with its default configuration and the given flags. The schema is inferred."""
    output = task.path.with_suffix(".scores.csv")
    words = ["--top", 1, "--output", output, "--threads", 1, "--quiet", "--seed", task.seed]
    run_tool(task.tool, "detect", task.path, *words, *flags)
    return read_ranking(output)


def rank_by_model(task: Task) -> Sequence[float]:
    """Score the table by the model of an earlier one."""
    output = task.path.with_suffix(".scores.csv")
    run_tool(task.tool, "score", task.before, task.path, "--output", output, "--threads", 1, "--quiet")
    return read_ranking(output).scores


def fit(tool: Path, seed: int, table: Path, model: Path) -> Path:
    run_tool(tool, "fit", table, "-o", model, "--seed", seed, "--threads", 1, "--no-reasons", "--quiet")
    return model


def read_ranking(output: Path) -> Ranking:
    with output.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return Ranking([float(row["score"]) for row in rows], [row["is_anomaly"] == "1" for row in rows])


def pidforest(*flags: object) -> Callable[[Task], Sequence[float]]:
    return lambda task: rank(task, *flags).scores


def is_number(column: list[Cell]) -> bool:
    return all(cell is None or isinstance(cell, int | float) for cell in column)


def filled(column: list[Cell]) -> list[float]:
    typical = median([cell for cell in column if cell is not None])
    return [typical if cell is None else cell for cell in column]


def encoded_levels(column: list[Cell]) -> list[list[float]]:
    levels = [level for level, _ in Counter(cell for cell in column if cell is not None).most_common()]
    full = [levels[0] if cell is None else cell for cell in column]
    if len(levels) > MOST_ONE_HOT:
        place = {level: float(i) for i, level in enumerate(levels)}
        return [[place[cell] for cell in full]]
    return [[float(cell == level) for cell in full] for level in levels]


def encoded(column: list[Cell]) -> list[list[float]]:
    if is_number(column):
        return [filled(column)]
    if isinstance(column[0], datetime):
        return [[float(cell.toordinal()) for cell in column], [cell.hour + cell.minute / 60 for cell in column]]
    return encoded_levels(column)


def isolation_forest(task: Task) -> Sequence[float]:
    import sklearn.ensemble

    peer = sklearn.ensemble.IsolationForest(random_state=task.seed, n_jobs=1).fit(task.matrix)
    return (-peer.score_samples(task.matrix)).tolist()


def of_pyod(module: str, name: str) -> Callable[[Task], Sequence[float]]:
    def ranked(task: Task) -> Sequence[float]:
        import importlib

        peer = getattr(importlib.import_module(f"pyod.models.{module}"), name)()
        return peer.fit(task.matrix).decision_scores_.tolist()

    return ranked


def deviations(column: list[float]) -> list[float]:
    mean = fmean(column)
    deviation = math.sqrt(fmean((value - mean) ** 2 for value in column))
    return [abs(value - mean) / deviation if deviation > 0 else 0.0 for value in column]


def largest_z(task: Task) -> Sequence[float]:
    """Use the numbers alone."""
    columns = [deviations(filled(column)) for column in task.cells.values() if is_number(column)]
    return [max(of_row) for of_row in zip(*columns)]


OURS = "pidforest"
OURS_BEFORE = "pidforest fitted before"
METHODS: dict[str, Callable[[Task], Sequence[float]]] = {
    OURS: pidforest(),
    OURS_BEFORE: rank_by_model,
    "IsolationForest": isolation_forest,
    "ECOD": of_pyod("ecod", "ECOD"),
    "COPOD": of_pyod("copod", "COPOD"),
    "HBOS": of_pyod("hbos", "HBOS"),
    "max |z|": largest_z,
}
