# SPDX-License-Identifier: Apache-2.0
"""Tables without any error: isolated parts that the model has, and rows that its automatic threshold flags."""

import json
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from methods import Task, rank, run_tool, write_csv

POISSON_RATES = (0.5, 2, 8, 30)  # of the columns in turn


def poisson(rng: random.Random, rate: float) -> int:
    """Count the arrivals of one unit of time."""
    count, clock = 0, rng.expovariate(rate)
    while clock < 1:
        count, clock = count + 1, clock + rng.expovariate(rate)
    return count


SHAPES: dict[str, Callable[[random.Random, int], float]] = {  # by the number of the column
    "Gaussian": lambda rng, _: rng.gauss(0, 1),
    "uniform": lambda rng, _: rng.random(),
    "exponential": lambda rng, _: rng.expovariate(1),
    "Poisson": lambda rng, column: poisson(rng, POISSON_RATES[column % len(POISSON_RATES)]),
    "log-normal": lambda rng, _: rng.lognormvariate(0, 1),
    "Cauchy": lambda rng, _: math.tan(math.pi * (rng.random() - 0.5)),
}
WITHOUT_PARTS = ("Gaussian", "uniform", "exponential", "Poisson")
SIZES = [(rows, columns) for rows in (1_000, 10_000) for columns in (2, 10, 50)]


class Quiet(NamedTuple):
    shape: str
    rows: int
    columns: int
    seed: int


class Found(NamedTuple):
    parts: int | None  # None: this build does not list isolated parts
    flagged: float  # share of the rows


def all_quiet(seeds: range, most_rows: int | None) -> Iterator[Quiet]:
    for shape in SHAPES:
        for rows, columns in SIZES:
            if not most_rows or rows <= most_rows:
                yield from (Quiet(shape, rows, columns, seed) for seed in seeds)


def cells_of(quiet: Quiet) -> dict[str, list]:
    rng = random.Random(f"{quiet.shape} {quiet.rows} {quiet.columns} {quiet.seed}")
    draw = SHAPES[quiet.shape]
    return {f"x{j}": [draw(rng, j) for _ in range(quiet.rows)] for j in range(quiet.columns)}


def measure_quiet(quiet: Quiet, tool: Path, folder: Path) -> Found:
    model = folder / "quiet.pidf"
    cells = cells_of(quiet)
    task = Task(cells, write_csv(cells, folder / "quiet.csv"), quiet.seed, tool)
    ranking = rank(task, "--model", model)
    parts = json.loads(run_tool(tool, "inspect", model, "--json")).get("isolated")
    return Found(None if parts is None else len(parts), sum(ranking.is_flagged) / quiet.rows)
