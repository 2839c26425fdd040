#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a table with anomalies planted in known columns, and a second file that says where they are.

    python3 benchmarks/explain/planted.py --columns 50 --correlated --seed 3 --folder build/planted
"""

import argparse
import csv
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from base_columns import NIGHT_SHIFT, SHIFT, TIME, Columns, base_columns

ROWS = 20_000
ROWS_PER_KIND = 5
TAILS = {1: (4, 6), 2: (3, 3.5), 3: (2.5, 3)}  # how many deviations out, by the number of columns
APART = (1.3, 1.7)  # deviations up in one column of a rare pair, and down in the other
BETWEEN = 0.3  # how far the others of the group are from the middle between the two
DEAD_HOURS, NOON_HOURS = (1, 5.5), (11, 14)

Plant = Callable[[random.Random, Columns, int], list[str]]  # changes one row and returns the names of the changed columns


class Recipe(NamedTuple):
    columns: int
    is_correlated: bool
    seed: int
    rows: int = ROWS

    def name(self) -> str:
        return f"{'correlated' if self.is_correlated else 'independent'}-{self.columns}x{self.rows}-{self.seed}"


class Planted(NamedTuple):
    row: int  # from 1, as the tool counts
    kind: str
    columns: list[str]


class Table(NamedTuple):
    header: list[str]
    columns: list[list[str]]
    truth: list[Planted]


def tail(count: int) -> Plant:
    """Plant values far out in `count` columns. Uses only independent numbers, because a far value next to a number
    that it should agree with is also a rare pair. Uses only distributions with tails, which a uniform one does not
    have."""

    def plant(rng: random.Random, columns: Columns, row: int) -> list[str]:
        names = rng.sample([name for name in columns.alone if columns.numbers[name].shape != "uniform"], count)
        for name in names:
            sides = (-1, 1) if columns.numbers[name].shape == "Gaussian" else (1,)
            columns.scores[name][row] = rng.choice(sides) * rng.uniform(*TAILS[count])
        return names

    return plant


def pair(rng: random.Random, columns: Columns, row: int) -> list[str]:
    """Make two numbers that usually agree disagree, though each value is common."""
    group = rng.choice(columns.groups)
    high, low = rng.sample(group, 2)
    for name in group:
        columns.scores[name][row] = rng.gauss(0, BETWEEN)
    columns.scores[high][row], columns.scores[low][row] = rng.uniform(*APART), -rng.uniform(*APART)
    return [high, low]


def context(rng: random.Random, columns: Columns, row: int) -> list[str]:
    """Combine two levels that never occur together, though each is common."""
    first, second, never = rng.choice(columns.contexts)
    columns.texts[first][row], columns.texts[second][row] = rng.choice(never)
    return [first, second]


def move_to(rng: random.Random, columns: Columns, row: int, hours: tuple[float, float]) -> None:
    minutes = int(60 * rng.uniform(*hours))
    columns.times[row] = columns.times[row].replace(hour=minutes // 60, minute=minutes % 60)


def hour(rng: random.Random, columns: Columns, row: int) -> list[str]:
    """Move the row to an hour at which nobody works."""
    move_to(rng, columns, row, DEAD_HOURS)
    return [TIME]


def hour_in_context(rng: random.Random, columns: Columns, row: int) -> list[str]:
    """Move a row of the night shift to noon."""
    columns.texts[SHIFT][row] = NIGHT_SHIFT
    move_to(rng, columns, row, NOON_HOURS)
    return [SHIFT, TIME]


PLANTS: dict[str, Plant] = {
    "tail1": tail(1),
    "tail2": tail(2),
    "tail3": tail(3),
    "pair": pair,
    "context": context,
    "hour": hour,
    "hour_in_context": hour_in_context,
}


def make_table(recipe: Recipe) -> Table:
    rng = random.Random(f"{recipe.columns} {recipe.is_correlated} {recipe.seed}")
    columns = base_columns(rng, recipe.rows, recipe.columns, recipe.is_correlated)
    kinds = [kind for kind in PLANTS for _ in range(ROWS_PER_KIND)]
    rows = rng.sample(range(recipe.rows), len(kinds))
    truth = [Planted(row + 1, kind, sorted(PLANTS[kind](rng, columns, row))) for row, kind in zip(rows, kinds)]
    written = columns.written()
    header = rng.sample(sorted(written), len(written))
    return Table(header, [written[name] for name in header], truth)


def files_of(recipe: Recipe, folder: Path) -> tuple[Path, Path]:
    """Return the table, and the truth about it, which no detector reads. Both are made unless they exist."""
    table_path, truth_path = (folder / f"{recipe.name()}{ending}" for ending in (".csv", ".truth.jsonl"))
    if not truth_path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        table = make_table(recipe)
        with table_path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(table.header)
            writer.writerows(zip(*table.columns))
        truth = "".join(json.dumps(planted._asdict()) + "\n" for planted in table.truth)
        truth_path.write_text(truth, encoding="utf-8")
    return table_path, truth_path


def read_truth(path: Path) -> list[Planted]:
    return [Planted(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--correlated", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--folder", type=Path, default=Path("build/planted"), help="default: build/planted")
    options = parser.parse_args()
    if options.columns < 10:
        parser.error(f"--columns must be at least 10; got {options.columns}.")
    for path in files_of(Recipe(options.columns, options.correlated, options.seed, options.rows), options.folder):
        print(path)


if __name__ == "__main__":
    main()
