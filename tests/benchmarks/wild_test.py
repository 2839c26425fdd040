# SPDX-License-Identifier: Apache-2.0
"""Checks the tables and errors of the wild benchmark, and runs it without the peers. PIDFOREST_BINARY is our command."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from copy import deepcopy

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "wild"
DOCUMENT = ROOT / "docs" / "wild.md"
BINARY = os.environ.get("PIDFOREST_BINARY", ROOT / "build" / "pidforest")
ROWS = 400

sys.path.insert(0, str(FOLDER))
from columns import Number  # noqa: E402
from errors import KINDS, PLANTED, Planter, spans_of  # noqa: E402
from judge import figures  # noqa: E402
from methods import encoded, largest_z  # noqa: E402
from quiet import Quiet, cells_of  # noqa: E402
from tables import RECIPES, make_table  # noqa: E402


def run(*flags):
    command = [sys.executable, FOLDER / "wild.py", "--tool", BINARY, *map(str, flags)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


class Tables(unittest.TestCase):
    def test_there_are_fourteen_of_the_promised_sizes(self):
        self.assertEqual(len(RECIPES), 14)
        for recipe in RECIPES.values():
            self.assertTrue(2_000 <= recipe.rows <= 50_000)
            self.assertTrue(4 <= len(recipe.columns) <= 40)
            self.assertEqual(len({column.name for column in recipe.columns}), len(recipe.columns))

    def test_a_seed_makes_the_same_table_and_another_makes_another(self):
        self.assertEqual(make_table("claims", 1, ROWS).cells, make_table("claims", 1, ROWS).cells)
        self.assertNotEqual(make_table("claims", 1, ROWS).cells, make_table("claims", 2, ROWS).cells)

    def test_columns_of_a_factor_depend_on_each_other(self):
        cells = make_table("diamonds", 0, ROWS).cells
        middle = {name: sorted(cells[name])[ROWS // 2] for name in ("x", "y", "depth")}
        agree = {name: sum((a > middle["x"]) == (b > middle[name]) for a, b in zip(cells["x"], cells[name])) for name in middle}
        self.assertGreater(agree["y"], 0.9 * ROWS)
        self.assertLess(agree["depth"], 0.65 * ROWS)


class Errors(unittest.TestCase):
    def test_every_kind_changes_twenty_rows_and_can_be_undone(self):
        for name in RECIPES:
            table = make_table(name, 0, ROWS)
            clean = deepcopy(table.cells)
            planter = Planter(table)
            for kind in KINDS:
                planted = planter.plant(kind, 0)
                self.assertEqual(len({one.row for one in planted}), PLANTED)
                for one in planted:
                    for column in one.columns:
                        self.assertNotEqual(table.cells[column][one.row], clean[column][one.row], (name, kind, one))
                n_changed = sum(a != b for column in clean for a, b in zip(clean[column], table.cells[column]))
                self.assertEqual(n_changed, sum(len(one.columns) for one in planted))
                planter.undo()
                self.assertEqual(table.cells, clean)

    def test_a_kind_makes_the_value_that_it_names(self):
        table = make_table("houses", 0, ROWS)
        spans, clean, planter = spans_of(table), deepcopy(table.cells), Planter(table)
        digits = {column.name: column.digits for column in table.columns if isinstance(column, Number)}
        expected = {
            "x3 max": lambda value, name: 3 * spans[name].high,
            "x100": lambda value, _: 100 * value,
            "sign": lambda value, _: -value,
            "zero": lambda value, _: 0,
            "/100": lambda value, _: value / 100,
        }
        for kind, value_of in expected.items():
            for one in planter.plant(kind, 0):
                name = one.columns[0]
                after = table.cells[name][one.row]
                self.assertAlmostEqual(after, value_of(clean[name][one.row], name), delta=0.5001 * 10 ** -digits[name])
            planter.undo()
        for one in planter.plant("swap", 0):
            first, second = one.columns
            self.assertAlmostEqual(table.cells[first][one.row], clean[second][one.row], delta=0.5)

    def test_zeros_and_signs_are_planted_where_they_are_impossible(self):
        planter = Planter(make_table("flows", 0, ROWS))
        self.assertTrue(all(planter.spans[name].low > 0 for name in planter.eligible("zero")))
        self.assertTrue(all(planter.spans[name].low >= 0 for name in planter.eligible("sign")))


class Judge(unittest.TestCase):
    def test_a_perfect_ranking_and_a_reversed_one(self):
        scores, planted = list(range(20)), {18, 19}
        self.assertEqual(figures(scores, planted), (1, 1, 0))
        self.assertEqual(figures(scores[::-1], planted), (0, 0, 18))

    def test_equal_scores_share_their_places(self):
        self.assertEqual(figures([0.0] * 20, {3, 7}), (0.1, 0.5, 9))


class Peers(unittest.TestCase):
    def test_levels_become_columns_and_missing_cells_the_usual_value(self):
        self.assertEqual(encoded([1, None, 3, 9]), [[1, 3, 3, 9]])
        self.assertEqual(encoded(["a", None, "b", "a"]), [[1, 1, 0, 1], [0, 0, 1, 0]])
        self.assertEqual(encoded([f"v{i // 2}" for i in range(60)]), [[i // 2 for i in range(60)]])

    def test_the_largest_z_is_that_of_the_wild_cell(self):
        class Task:
            cells = {"x": [1.0, 2, 3, 400], "c": ["a", "b", "c", "d"], "y": [5.0, 5, 5, 5]}

        scores = largest_z(Task)
        self.assertEqual(max(range(4), key=scores.__getitem__), 3)


class QuietTables(unittest.TestCase):
    def test_poisson_columns_have_their_rates(self):
        cells = cells_of(Quiet("Poisson", 2_000, 4, 0))
        means = [sum(column) / len(column) for column in cells.values()]
        for mean, rate in zip(means, (0.5, 2, 8, 30)):
            self.assertAlmostEqual(mean, rate, delta=0.1 * rate + 0.05)


class Tool(unittest.TestCase):
    def test_a_part_is_printed_with_its_verdicts_and_leaves_the_document_alone(self):
        before = DOCUMENT.read_bytes() if DOCUMENT.exists() else None
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder, "wild.md")
            chosen = ["--quick", "--rows", 1000, "--methods", "pidforest,max |z|", "--kinds", "x10 max", "--tables", "gauge,sensors"]
            done = run(*chosen, "--output", output)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(output.read_text(encoding="utf-8"), done.stdout)
        self.assertIn("- `x10 max`: ", done.stdout)
        self.assertIn("| `x10 max` | max |z| | ", done.stdout.replace("\\|", "|"))
        self.assertIn("No isolated part in Gaussian, uniform, exponential, Poisson tables: ", done.stdout)
        self.assertEqual(DOCUMENT.read_bytes() if DOCUMENT.exists() else None, before)

    def test_an_unknown_kind_is_named_with_those_there_are(self):
        done = run("--kinds", "guess")
        self.assertEqual(done.returncode, 2)
        self.assertIn("must be some of x3 max, ", done.stderr)
        self.assertIn("got 'guess'", done.stderr)


if __name__ == "__main__":
    unittest.main()
