#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Would isolated values in the interior of a column find planted errors? Prints what a rule for them would find.

A part is at most n/256 values with a gap on both sides, each at least a share of the range, and log2(2d) + 8 bits. Only
errors within the range of their clean column count: the ends of the range have a rule already.

    .venv/bin/python benchmarks/wild/interior.py
"""

import math
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1]))
from columns import Number
from errors import KINDS, Planter
from quiet import all_quiet, cells_of
from tables import RECIPES, make_table

SHARES = (1 / 4, 1 / 8, 1 / 16)
SEEDS = range(3)


def rows_in_parts(column: Sequence[float | None], n_axes: int, share: float) -> set[int]:
    """The rows whose values are isolated in the interior of a column."""
    x = np.array([np.nan if value is None else value for value in column], float)
    values = np.sort(x[~np.isnan(x)])
    most = max(1, len(values) // 256)
    length = values[-1 - most] - values[most] if len(values) > 2 * most else 0
    if length <= 0:
        return set()
    wide = np.flatnonzero(np.diff(values) >= share * length)
    found: set[int] = set()
    for before, last in zip(wide[:-1], wide[1:]):
        count = last - before
        is_interior = before + 1 > most and len(values) - 1 - last > most
        if count > most or not is_interior:
            continue
        bits = math.log2((values[last + 1] - values[before]) / length * len(values) / count)
        if bits >= math.log2(2 * n_axes) + 8:
            found |= set(np.flatnonzero((x >= values[before + 1]) & (x <= values[last])).tolist())
    return found


def measure(share: float) -> str:
    n_found, n_planted, n_clean = 0, 0, 0
    for name in RECIPES:
        for seed in SEEDS:
            table = make_table(name, seed)
            numbers = [column.name for column in table.columns if isinstance(column, Number)]
            n_clean += sum(len(rows_in_parts(table.cells[one], len(table.columns), share)) for one in numbers)
            planter = Planter(table)
            for kind in KINDS:
                inner = [one for one in planter.plant(kind, seed) if not one.is_beyond]
                rows = {one: rows_in_parts(table.cells[one], len(table.columns), share) for one in numbers}
                n_planted += len(inner)
                n_found += sum(any(one.row in rows[column] for column in one.columns) for one in inner)
                planter.undo()
    quiet: Counter[str] = Counter()
    for one in all_quiet(SEEDS, 1_000):
        quiet[one.shape] += sum(len(rows_in_parts(cells, one.columns, share)) for cells in cells_of(one).values())
    return (
        f"gaps of {share:.4f} of the range: {n_found} of {n_planted} errors within the range are found; in parts are {n_clean} rows of the "
        f"clean tables, and {sum(quiet.values())} of regular ones"
    )


if __name__ == "__main__":
    for one in SHARES:
        print(measure(one), flush=True)
