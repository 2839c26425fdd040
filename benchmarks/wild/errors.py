# SPDX-License-Identifier: Apache-2.0
"""The errors that are planted in a table: what each does to a cell, and the columns in which it can be made.

Only numbers get errors. A planted number is rounded as its column is. Each error is in another row.
"""

import random
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

from columns import Cell, Number
from tables import Table

PLANTED = 20  # cells per table and kind of error


class Span(NamedTuple):
    """The clean values of a column, without missing ones."""

    low: float
    high: float
    typical: float  # the median size of the values other than 0


class Kind(NamedTuple):
    words: str
    where: str  # the eligible columns and cells, in words
    change: Callable[[float, Span], float]
    is_column: Callable[[Span], bool]
    is_cell: Callable[[float, float], bool] = lambda before, after: before != after


class Planted(NamedTuple):
    row: int  # from 0
    columns: tuple[str, ...]
    is_beyond: bool  # a planted value is outside the range of its clean column


def is_positive(span: Span) -> bool:
    return span.low > 0


def times_maximum(factor: int) -> Kind:
    words = f"{factor} times the column's maximum"
    return Kind(words, "the maximum is positive", lambda _, span: factor * span.high, lambda span: span.high > 0)


KINDS = {
    "x3 max": times_maximum(3),
    "x10 max": times_maximum(10),
    "x100": Kind(
        "the value times 100",
        "100 times the median size of the values other than 0 exceeds the column's largest size; the cell is not 0",
        lambda value, _: 100 * value,
        lambda span: 100 * span.typical > max(span.high, -span.low),
    ),
    "sign": Kind(
        "the sign flipped",
        "no value is negative; the cell is not 0",
        lambda value, _: -value,
        lambda span: span.low >= 0,
    ),
    "zero": Kind("0 instead of the value", "all values are positive", lambda *_: 0.0, is_positive),
    "swap": Kind(
        "two columns of the row swapped",
        "any two columns of numbers; the cells differ",
        lambda value, _: value,
        lambda _: True,
    ),
    "/100": Kind(
        "the value divided by 100",
        "all values are positive; the result is not rounded to 0",
        lambda value, _: value / 100,
        is_positive,
        lambda before, after: before != after and after != 0,
    ),
}


def span_of(cells: list[Cell]) -> Span:
    values = [cell for cell in cells if cell is not None]
    sizes = [abs(value) for value in values if value != 0]
    return Span(min(values), max(values), median(sizes) if sizes else 0.0)


def spans_of(table: Table) -> dict[str, Span]:
    return {column.name: span_of(table.cells[column.name]) for column in table.columns if isinstance(column, Number)}


def is_beyond(value: float, span: Span) -> bool:
    return not span.low <= value <= span.high


class Planter:
    """Plants errors in a table. `undo` restores the clean cells, so that one table serves for all kinds."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.spans = spans_of(table)
        self.numbers = {column.name: column for column in table.columns if isinstance(column, Number)}
        self.clean: list[tuple[str, int, Cell]] = []

    def eligible(self, kind: str) -> list[str]:
        return [name for name, span in self.spans.items() if KINDS[kind].is_column(span)]

    def plant(self, kind: str, seed: int, count: int = PLANTED) -> list[Planted]:
        """The column is drawn first, then a row; a cell that the kind does not allow is drawn again."""
        rng = random.Random(f"{kind} {seed}")
        names = self.eligible(kind)
        planted: dict[int, Planted] = {}
        while len(planted) < count:
            columns = rng.sample(names, 2) if kind == "swap" else [rng.choice(names)]
            row = rng.randrange(self.table.n_rows())
            after = self.changed(KINDS[kind], row, columns)
            if row not in planted and after:
                planted[row] = Planted(row, tuple(columns), self.write(row, after))
        return list(planted.values())

    def changed(self, kind: Kind, row: int, columns: list[str]) -> dict[str, float]:
        """Return the new values by column, or nothing if this cell is not eligible."""
        before = [self.table.cells[name][row] for name in columns]
        if None in before:
            return {}
        after = {
            name: self.numbers[name].rounded(kind.change(value, self.spans[name]))
            for name, value in zip(columns, reversed(before))
        }
        return after if all(map(kind.is_cell, before, after.values())) else {}

    def write(self, row: int, after: dict[str, float]) -> bool:
        for name, value in after.items():
            self.clean.append((name, row, self.table.cells[name][row]))
            self.table.cells[name][row] = value
        return any(is_beyond(value, self.spans[name]) for name, value in after.items())

    def undo(self) -> None:
        for name, row, cell in reversed(self.clean):
            self.table.cells[name][row] = cell
        self.clean.clear()
