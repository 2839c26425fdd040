# SPDX-License-Identifier: Apache-2.0
"""Checks the planted tables of the explanation benchmark."""

import pathlib
import sys
import tempfile
import unittest
from bisect import bisect
from collections import Counter
from datetime import datetime
from statistics import correlation, fmean

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "explain"

sys.path.insert(0, str(FOLDER))
from planted import PLANTS, ROWS_PER_KIND, Recipe, files_of, make_table, read_truth  # noqa: E402

ROWS = 4000


def columns_of(table):
    return dict(zip(table.header, table.columns, strict=True))


def planted_as(table, kind):
    """The values of the planted columns, one list per row of that kind, and the columns."""
    columns = columns_of(table)
    found = [planted for planted in table.truth if planted.kind == kind]
    return [([columns[name][planted.row - 1] for name in planted.columns], planted.columns) for planted in found]


def others(table):
    """The columns by name, without the planted rows."""
    planted = {one.row - 1 for one in table.truth}
    return {name: [v for i, v in enumerate(vs) if i not in planted] for name, vs in columns_of(table).items()}


def hour_of(text):
    time = datetime.fromisoformat(text)
    return time.hour + time.minute / 60


class Tables(unittest.TestCase):
    def test_every_kind_is_planted_in_as_many_rows_and_columns_as_it_says(self):
        n_columns = {"tail1": 1, "tail2": 2, "tail3": 3, "pair": 2, "context": 2, "hour": 1, "hour_in_context": 2}
        for recipe in (Recipe(10, False, 0, ROWS), Recipe(50, True, 0, ROWS)):
            table = make_table(recipe)
            self.assertEqual(len(table.header), recipe.columns)
            self.assertEqual({len(column) for column in table.columns}, {ROWS})
            self.assertEqual(Counter(one.kind for one in table.truth), dict.fromkeys(PLANTS, ROWS_PER_KIND))
            self.assertEqual(len({one.row for one in table.truth}), len(table.truth))
            for one in table.truth:
                self.assertEqual(len(set(one.columns)), n_columns[one.kind], one)

    def test_a_seed_makes_the_same_table_and_another_makes_another(self):
        self.assertEqual(make_table(Recipe(10, True, 1, 500)), make_table(Recipe(10, True, 1, 500)))
        self.assertNotEqual(make_table(Recipe(10, True, 1, 500)), make_table(Recipe(10, True, 2, 500)))

    def test_the_truth_is_beside_the_table_and_not_in_it(self):
        with tempfile.TemporaryDirectory() as folder:
            recipe = Recipe(10, False, 0, 500)
            table_path, truth_path = files_of(recipe, pathlib.Path(folder))
            table = make_table(recipe)
            self.assertEqual(read_truth(truth_path), table.truth)
            header, *rows = table_path.read_text(encoding="utf-8").splitlines()
            self.assertEqual(header.split(","), table.header)
            self.assertEqual([row.split(",") for row in rows], [list(row) for row in zip(*table.columns)])

    def test_numbers_of_a_correlated_table_go_together_by_groups(self):
        columns = others(make_table(Recipe(50, True, 0, ROWS)))

        def together(*names):
            return correlation(*([float(value) for value in columns[name]] for name in names))

        self.assertLess(abs(together("x1", "x5")), 0.06)  # both alone
        self.assertGreater(together("x21", "x22"), 0.7)  # of one group
        self.assertLess(abs(together("x21", "x25")), 0.06)  # of two groups


class Plants(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tables = [make_table(Recipe(50, is_correlated, 0, ROWS)) for is_correlated in (False, True)]

    def test_a_tail_in_one_column_is_beyond_all_but_a_few_rows_and_one_of_three_is_not(self):
        for table in self.tables:
            columns = others(table)

            def share_beyond(value, name):
                values = [float(v) for v in columns[name]]
                middle = fmean(values)
                return sum(abs(v - middle) >= abs(float(value) - middle) for v in values) / len(values)

            for (value,), (name,) in planted_as(table, "tail1"):
                self.assertLess(share_beyond(value, name), 0.001)
            for values, names in planted_as(table, "tail3"):
                for value, name in zip(values, names):
                    self.assertLess(share_beyond(value, name), 0.03)

    def test_either_value_of_a_rare_pair_is_common_and_no_other_row_has_both(self):
        for table in self.tables:
            columns = others(table)
            for values, names in planted_as(table, "pair"):
                ordered = [sorted(float(v) for v in columns[name]) for name in names]
                below = [bisect(one, float(value)) / len(one) for one, value in zip(ordered, values)]
                low, high = (below.index(pick(below)) for pick in (min, max))
                self.assertTrue(0.02 < below[low] < 0.12 and 0.88 < below[high] < 0.98, below)
                bounds = ordered[low][len(ordered[low]) // 10], ordered[high][len(ordered[high]) * 9 // 10]
                both = zip(columns[names[low]], columns[names[high]])
                self.assertEqual(sum(float(a) <= bounds[0] and float(b) >= bounds[1] for a, b in both), 0)

    def test_either_level_of_a_context_is_common_and_no_other_row_has_both(self):
        for table in self.tables:
            columns = others(table)
            for values, names in planted_as(table, "context"):
                for value, name in zip(values, names):
                    self.assertGreater(columns[name].count(value), 0.04 * ROWS)
                met = zip(*(columns[name] for name in names))
                self.assertNotIn(tuple(values), set(met))

    def test_nobody_works_at_the_planted_hours_and_only_the_day_shifts_at_noon(self):
        for table in self.tables:
            columns = others(table)
            hours = [hour_of(text) for text in columns["time"]]
            for (value,), _ in planted_as(table, "hour"):
                self.assertFalse(any(abs(hour - hour_of(value)) < 1 for hour in hours))
            at_noon = {s for s, hour in zip(columns["shift"], hours) if 11 <= hour < 14}
            self.assertNotIn("night", at_noon)
            for values, names in planted_as(table, "hour_in_context"):
                self.assertEqual(names, ["shift", "time"])
                self.assertEqual(values[0], "night")
                self.assertTrue(11 <= hour_of(values[1]) < 14)


if __name__ == "__main__":
    unittest.main()
