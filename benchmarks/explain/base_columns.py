# SPDX-License-Identifier: Apache-2.0
"""The ordinary columns of a table, before anything is planted: numbers, categories, and a time with its shift.

Numbers are kept as normal scores (deviations of a Gaussian) until they are written, so that "five deviations out" means
the same for every distribution. Only the standard library is needed, so that the tests can make tables too.
"""

import math
import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

TIME, SHIFT = "time", "shift"
FIRST_DAY = datetime(2024, 1, 1)  # a Monday
DAYS = 84
DAY_SHIFTS, NIGHT_SHIFT = ("early", "late", "office", "field"), "night"
SHIFT_WEIGHTS = (3, 3, 2, 1, 1)
DAY_HOURS, BUSIEST_HOUR, NIGHT_HOURS = (8, 18), 13, (20, 24)
WEEKEND_SHARE = 0.05  # of the rows of the day shifts
CATEGORY_SHARE = 0.2  # of the columns
MOST_COMMON = 4  # number of common levels of a category


def upper_tail(score: float) -> float:
    return math.erfc(score / math.sqrt(2)) / 2


SHAPES = {
    "Gaussian": lambda score: score,
    "log-normal": lambda score: math.exp(score / 2),
    "exponential": lambda score: -math.log(upper_tail(score)),
    "uniform": lambda score: 1 - upper_tail(score),
}


class Number(NamedTuple):
    """How the normal scores of a column are written."""

    shape: str
    offset: float
    scale: float

    def text(self, score: float) -> str:
        return f"{self.offset + self.scale * SHAPES[self.shape](score):.7g}"


class Context(NamedTuple):
    """Two categories, and pairs of common levels that never occur together."""

    first: str
    second: str
    never: list[tuple[str, str]]


@dataclass
class Columns:
    numbers: dict[str, Number] = field(default_factory=dict)
    scores: dict[str, list[float]] = field(default_factory=dict)  # normal scores, by number
    alone: list[str] = field(default_factory=list)  # the numbers that are independent of all others
    groups: list[list[str]] = field(default_factory=list)  # the numbers that depend on each other
    texts: dict[str, list[str]] = field(default_factory=dict)  # by category
    contexts: list[Context] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)

    def written(self) -> dict[str, list[str]]:
        """Return the columns as written to a file, by name."""
        numbers = {name: [self.numbers[name].text(score) for score in self.scores[name]] for name in self.numbers}
        return numbers | self.texts | {TIME: [time.isoformat() for time in self.times]}


def weights(count: int) -> list[float]:
    return [1 / (i + 1) for i in range(count)]


def levels(rng: random.Random) -> list[str]:
    """The levels, ordered so that drawing by `weights` makes the first ones most common."""
    return [chr(ord("a") + i) for i in range(rng.randint(5, 20))]


def grouped_scores(rng: random.Random, factors: list[float], correlation: float) -> list[float]:
    """Return scores that have the given correlation with any others made of the same factors."""
    shared, own = math.sqrt(correlation), math.sqrt(1 - correlation)
    return [shared * factor + own * rng.gauss(0, 1) for factor in factors]


def add_numbers(rng: random.Random, columns: Columns, count: int, n: int, is_correlated: bool) -> None:
    """Add numbers. If correlated, half of them are in groups of four that share a factor. Otherwise a quarter are in
    pairs that agree, in which rare pairs are planted. All others are independent."""
    size, n_grouped, correlation = (4, count // 2, 0.8) if is_correlated else (2, max(2, count // 8 * 2), 0.98)
    names = [f"x{i + 1}" for i in range(count)]
    for i, name in enumerate(names):
        shape = list(SHAPES)[i % len(SHAPES)]
        columns.numbers[name] = Number(shape, rng.uniform(-100, 100), 10 ** rng.uniform(-1, 2))
    columns.alone, grouped = names[: count - n_grouped], names[count - n_grouped :]
    columns.groups = [grouped[i : i + size] for i in range(0, len(grouped), size)]
    for name in columns.alone:
        columns.scores[name] = [rng.gauss(0, 1) for _ in range(n)]
    for group in columns.groups:
        factors = [rng.gauss(0, 1) for _ in range(n)]
        for name in group:
            columns.scores[name] = grouped_scores(rng, factors, correlation)


def add_context(rng: random.Random, columns: Columns, first: str, second: str, n: int) -> None:
    """Add two categories in which every common level of the first excludes a common level of the second, and some
    rare ones."""
    firsts, seconds = levels(rng), levels(rng)
    turn = rng.randrange(MOST_COMMON)
    shut_out = {}
    for i, level in enumerate(firsts):
        shut_out[level] = {seconds[(i + turn) % MOST_COMMON]}
        shut_out[level] |= {rare for rare in seconds[MOST_COMMON:] if rng.random() < 0.25}
    common = dict(zip(seconds, weights(len(seconds))))
    left = {level: [common[other] * (other not in shut) for other in seconds] for level, shut in shut_out.items()}
    columns.texts[first] = rng.choices(firsts, weights(len(firsts)), k=n)
    columns.texts[second] = [rng.choices(seconds, left[level])[0] for level in columns.texts[first]]
    never = [(level, seconds[(i + turn) % MOST_COMMON]) for i, level in enumerate(firsts[:MOST_COMMON])]
    columns.contexts.append(Context(first, second, never))


def add_categories(rng: random.Random, columns: Columns, count: int, n: int, is_correlated: bool) -> None:
    """Add categories. If correlated, all depend on each other in pairs. Otherwise only one pair in four categories
    does."""
    names = [f"c{i + 1}" for i in range(count)]
    n_paired = count // 2 * 2 if is_correlated else max(2, count // 4 * 2)
    for i in range(0, n_paired, 2):
        add_context(rng, columns, names[i], names[i + 1], n)
    for name in names[n_paired:]:
        of_column = levels(rng)
        columns.texts[name] = rng.choices(of_column, weights(len(of_column)), k=n)


def a_day(rng: random.Random, shift: str) -> int:
    """Return a day counted from the first. The day shifts hardly work on weekends."""
    day = rng.randrange(DAYS)
    is_at_work = shift == NIGHT_SHIFT or rng.random() < WEEKEND_SHARE
    return day if is_at_work or day % 7 < 5 else day - rng.randint(2, 6)


def an_hour(rng: random.Random, shift: str) -> float:
    return rng.uniform(*NIGHT_HOURS) if shift == NIGHT_SHIFT else rng.triangular(*DAY_HOURS, BUSIEST_HOUR)


def moment(day: int, hour: float) -> datetime:
    return FIRST_DAY + timedelta(days=day, minutes=int(60 * hour))


def add_times(rng: random.Random, columns: Columns, n: int) -> None:
    shifts = rng.choices([*DAY_SHIFTS, NIGHT_SHIFT], SHIFT_WEIGHTS, k=n)
    columns.texts[SHIFT] = shifts
    columns.times = [moment(a_day(rng, shift), an_hour(rng, shift)) for shift in shifts]


def base_columns(rng: random.Random, n: int, d: int, is_correlated: bool) -> Columns:
    columns = Columns()
    n_categories = max(3, round(CATEGORY_SHARE * d))
    add_times(rng, columns, n)
    add_categories(rng, columns, n_categories - 1, n, is_correlated)
    add_numbers(rng, columns, d - n_categories - 1, n, is_correlated)
    return columns
