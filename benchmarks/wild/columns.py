# SPDX-License-Identifier: Apache-2.0
"""The columns that the tables of this benchmark are made of: numbers, whole numbers, categories and times.

A number is drawn as a normal score (deviations of a Gaussian) and then given its shape. Columns with the same factor
depend on each other; `load` is the correlation of a column's score with its factor. Only the standard library is needed,
so that the tests can make tables too.
"""

import math
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

Cell = float | int | str | datetime | None  # None is a missing cell
Shape = Callable[[float], float]  # from a normal score to a value
Factors = list[dict[str, float]]  # one dictionary per row: the scores of the factors, by name

FIRST_MOMENT = datetime(2024, 1, 1)


def upper_tail(score: float) -> float:
    return math.erfc(score / math.sqrt(2)) / 2


def normal(mean: float, deviation: float) -> Shape:
    return lambda score: mean + deviation * score


def lognormal(median: float, sigma: float) -> Shape:
    return lambda score: median * math.exp(sigma * score)


def pareto(least: float, alpha: float) -> Shape:
    return lambda score: least * upper_tail(score) ** (-1 / alpha)


def exponential(least: float, scale: float) -> Shape:
    return lambda score: least - scale * math.log(upper_tail(score))


def uniform(low: float, high: float) -> Shape:
    return lambda score: low + (high - low) * (1 - upper_tail(score))


def skewed(low: float, high: float, power: float) -> Shape:
    """Between two bounds; a power above 1 crowds the values at the lower one."""
    return lambda score: low + (high - low) * (1 - upper_tail(score)) ** power


def bimodal(first: float, second: float, deviation: float) -> Shape:
    """Two heaps of equal size, with the gap between them at the score 0."""
    return lambda score: (first if score < 0 else second) + deviation * (score - math.copysign(0.8, score))


class Number(NamedTuple):
    name: str
    shape: Shape
    digits: int = 2  # after the decimal point; 0 makes whole numbers
    factor: str = ""
    load: float = 0.0
    zeros: float = 0.0  # the share of the cells that are 0 instead
    missing: float = 0.0

    def rounded(self, value: float) -> float:
        return round(value) if self.digits == 0 else round(value, self.digits)

    def cells(self, rng: random.Random, factors: Factors) -> list[Cell]:
        return [self.cell(rng, self.score(rng, of_row)) for of_row in factors]

    def score(self, rng: random.Random, of_row: dict[str, float]) -> float:
        own = rng.gauss(0, 1)
        return self.load * of_row[self.factor] + math.sqrt(1 - self.load**2) * own if self.factor else own

    def cell(self, rng: random.Random, score: float) -> Cell:
        chance = rng.random()
        if chance < self.missing:
            return None
        return self.rounded(0.0) if chance < self.missing + self.zeros else self.rounded(self.shape(score))


class Category(NamedTuple):
    name: str
    levels: int
    factor: str = ""
    load: float = 0.0
    missing: float = 0.0

    def cells(self, rng: random.Random, factors: Factors) -> list[Cell]:
        """Level i has a weight of 1/(i + 1). With a factor, its rank decides the level."""
        rank = Number(self.name, uniform(0, 1), 6, self.factor, self.load, 0.0, self.missing)
        ends = self.ends()
        return [None if cell is None else self.level(cell, ends) for cell in rank.cells(rng, factors)]

    def ends(self) -> list[float]:
        weights = [1 / (i + 1) for i in range(self.levels)]
        return [sum(weights[: i + 1]) / sum(weights) for i in range(self.levels)]

    def level(self, rank: float, ends: list[float]) -> str:
        return f"{self.name}_{sum(rank >= end for end in ends[:-1])}"


class Time(NamedTuple):
    name: str
    every: timedelta | None = None  # between two rows; None draws times of 90 days, few of them at night

    def cells(self, rng: random.Random, factors: Factors) -> list[Cell]:
        if self.every:
            return [FIRST_MOMENT + i * self.every for i in range(len(factors))]
        days = (rng.randrange(90) for _ in factors)
        return [FIRST_MOMENT + timedelta(days=day, minutes=int(60 * rng.triangular(0, 24, 15))) for day in days]


Column = Number | Category | Time


def written(cell: Cell) -> str:
    if cell is None:
        return ""
    return cell.isoformat(sep=" ", timespec="minutes") if isinstance(cell, datetime) else str(cell)
