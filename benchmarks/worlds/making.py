# SPDX-License-Identifier: Apache-2.0
"""The planted worlds: tables in which the anomalies are known, and each breaks one rule that all other rows keep.

Only the standard library is needed, so that the tests can make them too. A seed gives the same cells on every machine.
"""

import math
import random
from collections.abc import Callable
from typing import NamedTuple

ROWS = 5_000
PLANTED = 0.01  # share of the rows
CORRELATION = 0.95  # of the pair
APART = (1.3, 1.7)  # deviations up in one column of a rare pair, and down in the other
LINE = 0.02  # deviation of the points from the line y = x, as a share of the deviation of x
OFF = 1.0  # least distance of a planted point from the line, in deviations of x
TAIL = (4, 6)  # deviations
GROUPS = 6  # deviations from 0 to the centre of each of two groups
BETWEEN = 1  # a planted row lies at most this far from 0
LEVELS = 6
MIXTURE_ROWS, MIXTURE_RARE, MIXTURE_NOISE = 1_000, 100, 2


class World(NamedTuple):
    cells: dict[str, list]  # by column
    labels: list[int]  # 1 is a planted row


Draw = Callable[[random.Random], float]
Row = list[float | str]


def gaussian(rng: random.Random) -> float:
    return rng.gauss(0, 1)


def uniform(rng: random.Random) -> float:
    """Uniform with the deviation 1."""
    return math.sqrt(12) * (rng.random() - 0.5)


def world_of(rng: random.Random, rows: list[Row], labels: list[int]) -> World:
    """Shuffle the columns, so that their order says nothing."""
    columns = [list(column) for column in zip(*rows)]
    rng.shuffle(columns)
    return World({f"x{i}": column for i, column in enumerate(columns)}, labels)


def labels_of(rng: random.Random, n: int) -> list[int]:
    labels = [1] * round(PLANTED * n) + [0] * (n - round(PLANTED * n))
    rng.shuffle(labels)
    return labels


def rare_pair(n_columns: int) -> Callable[[random.Random, int], World]:
    """Two columns agree; a planted row is up in one and down in the other. Each value is common."""

    def row(rng: random.Random, is_planted: int) -> Row:
        first = gaussian(rng)
        second = CORRELATION * first + math.sqrt(1 - CORRELATION**2) * gaussian(rng)
        if is_planted:
            side = rng.choice((-1, 1))
            first, second = side * rng.uniform(*APART), -side * rng.uniform(*APART)
        return [first, second, *(gaussian(rng) for _ in range(n_columns - 2))]

    return by_rows(row)


def off_line(n_others: int, draw: Draw) -> Callable[[random.Random, int], World]:
    """Two columns are equal but for a little noise; a planted row has two independent values."""

    def apart(rng: random.Random) -> tuple[float, float]:
        while True:
            x, y = draw(rng), draw(rng)
            if abs(x - y) >= OFF:
                return x, y

    def row(rng: random.Random, is_planted: int) -> Row:
        x = draw(rng)
        x, y = apart(rng) if is_planted else (x, x + LINE * gaussian(rng))
        return [x, y, *(draw(rng) for _ in range(n_others))]

    return by_rows(row)


def one_tail(n_columns: int) -> Callable[[random.Random, int], World]:
    """A planted row has one value far out, in any of the columns."""

    def row(rng: random.Random, is_planted: int) -> Row:
        cells: Row = [gaussian(rng) for _ in range(n_columns)]
        if is_planted:
            cells[rng.randrange(n_columns)] = rng.choice((-1, 1)) * rng.uniform(*TAIL)
        return cells

    return by_rows(row)


def between_groups(n_columns: int) -> Callable[[random.Random, int], World]:
    """The values of one column lie in two groups; that of a planted row lies between them."""

    def row(rng: random.Random, is_planted: int) -> Row:
        first = rng.uniform(-BETWEEN, BETWEEN) if is_planted else rng.choice((-GROUPS, GROUPS)) + gaussian(rng)
        return [first, *(gaussian(rng) for _ in range(n_columns - 1))]

    return by_rows(row)


def never_meet(n_columns: int, weights: list[float]) -> Callable[[random.Random, int], World]:
    """Level i of the first column never meets level i of the second; in a planted row the levels are equal."""
    levels = range(len(weights))

    def row(rng: random.Random, is_planted: int) -> Row:
        first, *others = rng.choices(levels, weights, k=n_columns - 1)
        allowed = [weight * (level != first) for level, weight in enumerate(weights)]
        second = first if is_planted else rng.choices(levels, allowed)[0]
        return [f"v{level}" for level in (first, second, *others)]

    return by_rows(row)


def by_rows(row: Callable[[random.Random, int], Row]) -> Callable[[random.Random, int], World]:
    def make(rng: random.Random, n: int) -> World:
        labels = labels_of(rng, n)
        return world_of(rng, [row(rng, label) for label in labels], labels)

    return make


class Heap(NamedTuple):
    """A Gaussian in the plane with variances 1 and 2 along turned axes."""

    mean: float
    angle: float

    def draw(self, rng: random.Random) -> tuple[float, float]:
        a, b = gaussian(rng), math.sqrt(2) * gaussian(rng)
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return self.mean + cos * a - sin * b, self.mean + sin * a + cos * b

    def likelihood(self, x: float, y: float) -> float:
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        a, b = cos * (x - self.mean) + sin * (y - self.mean), cos * (y - self.mean) - sin * (x - self.mean)
        return math.exp(-0.5 * (a * a + b * b / 2))


def mixture(n_others: int) -> Callable[[random.Random, int], World]:
    """The paper's mixture: two heaps in the plane beside columns of noise. The anomalies are the points of lowest
    likelihood. It has the paper's number of rows at most."""

    def make(rng: random.Random, n: int) -> World:
        heaps = [Heap(mean, rng.uniform(0, math.pi)) for mean in (0.0, 4.0)]
        points = [heaps[i % 2].draw(rng) for i in range(min(n, MIXTURE_ROWS))]
        likelihood = [sum(heap.likelihood(*point) for heap in heaps) for point in points]
        bound = sorted(likelihood)[len(points) * MIXTURE_RARE // MIXTURE_ROWS]
        noise = [[rng.uniform(-MIXTURE_NOISE, MIXTURE_NOISE) for _ in range(n_others)] for _ in points]
        rows = [[*point, *others] for point, others in zip(points, noise)]
        return world_of(rng, rows, [int(one < bound) for one in likelihood])

    return make


WORLDS: dict[str, Callable[[random.Random, int], World]] = {
    "rare pair of 10": rare_pair(10),
    "rare pair of 50": rare_pair(50),
    "off y = x + 20 uniform": off_line(20, uniform),
    "off y = x + 20 Gaussian": off_line(20, gaussian),
    "one tail of 50": one_tail(50),
    "between two groups of 2": between_groups(2),
    "between two groups of 10": between_groups(10),
    "never meet among 20 even": never_meet(20, [1.0] * LEVELS),
    "never meet among 20 uneven": never_meet(20, [1 / (i + 1) for i in range(LEVELS)]),
    "mixture + 19 noise": mixture(19),
}


def make_world(name: str, seed: int, rows: int = ROWS) -> World:
    return WORLDS[name](random.Random(f"{name} {seed}"), rows)
