# SPDX-License-Identifier: Apache-2.0
"""Checks the tables and judgements of the explanation benchmark, and runs it with our tool and with a stand-in.

PIDFOREST_BINARY is the path of the tool.
"""

import os
import pathlib
import subprocess
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
from judge import Answer, Top, exactly_of, judge, summary, top_rows  # noqa: E402
from peers import z_answers  # noqa: E402
from planted import PLANTS, ROWS_PER_KIND, Planted, Recipe, files_of, make_table, read_truth  # noqa: E402
from tool import answer_of  # noqa: E402

ROWS = 4000
DOCUMENT = ROOT / "docs" / "planted.md"
BINARY = os.environ.get("PIDFOREST_BINARY", ROOT / "build" / "pidforest")

# Knows the truth: everything but the tails is detected, and a rare pair gets one condition too many.
STAND_IN = """\
#!{python}
import json, pathlib, sys
table = next(word for word in sys.argv if word.endswith(".csv"))
truth = [json.loads(line) for line in pathlib.Path(table).with_suffix(".truth.jsonl").read_text().splitlines()]
if sys.argv[1] == "detect":
    print(json.dumps(dict(top=[dict(row=one["row"]) for one in truth if not one["kind"].startswith("tail")])))
else:
    for one in truth:
        columns = one["columns"] + ["x1"] * (one["kind"] == "pair")
        bits = [dict(column="x1", bits=1), dict(column=one["columns"][0], bits=2)]
        witness = dict(conditions=[dict(column=column, share=0.25) for column in columns])
        print(json.dumps(dict(row=one["row"], witness=witness, column_bits=bits)))
"""


def run(*flags):
    command = [sys.executable, FOLDER / "explain.py", *map(str, flags)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def rows_of(text, *first):
    """Return the cells of the table rows that begin with `first`, without these first cells."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return [row[len(first) :] for row in rows if row[: len(first)] == list(first)]


def columns_of(table):
    return dict(zip(table.header, table.columns, strict=True))


def planted_as(table, kind):
    """Return the values of the planted columns, one list per row of that kind, and the columns."""
    columns = columns_of(table)
    found = [planted for planted in table.truth if planted.kind == kind]
    return [([columns[name][planted.row - 1] for name in planted.columns], planted.columns) for planted in found]


def others(table):
    """Return the columns by name, without the planted rows."""
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

        self.assertLess(abs(together("x1", "x5")), 0.06)  # both independent
        self.assertGreater(together("x21", "x22"), 0.7)  # of the same group
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


class Judgements(unittest.TestCase):
    planted = Planted(7, "pair", ["x1", "x2"])

    def judge(self, *conditions, first="x1"):
        return judge(self.planted, Answer(True, True, list(conditions), {column: 0.5 for column in conditions}, first))

    def test_names_exactly_or_more_or_less(self):
        self.assertTrue(self.judge("x2", "x1").names_exactly)
        more, less = self.judge("x1", "x2", "c1"), self.judge("x1", "c1")
        self.assertEqual((more.names_exactly, more.names_at_least, more.n_extra), (False, True, 1))
        self.assertEqual((less.names_exactly, less.names_at_least, less.n_extra), (False, False, 1))

    def test_a_second_condition_on_a_planted_column_is_an_extra_one(self):
        twice = self.judge("x1", "x2", "x2")
        self.assertTrue(twice.names_exactly)
        self.assertEqual((twice.n_conditions, twice.n_extra), (3, 1))

    def test_only_planted_columns_have_a_width_and_may_come_first(self):
        self.assertEqual(self.judge("x1", "c1").widths, [0.5])
        self.assertTrue(self.judge("x1").is_first_planted)
        self.assertFalse(self.judge("x1", first="c1").is_first_planted)

    def test_figures_are_of_the_detected_rows(self):
        missed = judge(self.planted, Answer(False, False, ["x1", "x2"], {}, "x1"))
        near = judge(self.planted, Answer(False, True, ["x1", "x2"], {}, "x1"))
        found = summary([near, self.judge("x1"), self.judge("x1", "x2", "c1", "c2"), missed])
        self.assertEqual(found, (0.5, 0.75, 0.5, 0, 0.5, 0.5, 1, 0.5, 2.5))
        self.assertEqual(summary([missed]), (0, 0, 1, *[None] * 6))

    def test_of_the_rows_that_others_detect_the_undetected_count_too(self):
        missed = judge(self.planted, Answer(False, False, ["x1", "x2"], {}, "x1"))
        self.assertEqual(exactly_of([missed, self.judge("x1"), self.judge("x1")], [True, True, False]), 0.5)

    def test_one_row_in_a_hundred_is_detected_and_of_equal_scores_the_earlier(self):
        top = top_rows([0] * 150 + [1] + [0] * 149)
        self.assertEqual(top.detected, {151, 1, 2})
        self.assertEqual(top.near, {151, *range(1, 15)})
        self.assertEqual([top.places(row) for row in (151, 14, 15)], [(True, True), (False, True), (False, False)])


class Peers(unittest.TestCase):
    def test_the_z_score_finds_most_lone_tails_and_names_their_column(self):
        with tempfile.TemporaryDirectory() as folder:
            path, truth_path = files_of(Recipe(10, True, 0, ROWS), pathlib.Path(folder))
            truth = read_truth(truth_path)
            answers = z_answers(path, truth)
        found = summary([judge(one, answer) for one, answer in zip(truth, answers) if one.kind == "tail1"])
        self.assertGreater(found.detected, 0.5)
        self.assertEqual((found.exactly, found.first), (1, 1))


class Answers(unittest.TestCase):
    def test_two_conditions_on_a_time_are_one_width_and_no_share_is_the_whole(self):
        conditions = [{"column": "time", "share": 0.25}, {"column": "time", "share": 0.5}, {"column": "x1"}]
        bits = [{"column": "x1", "bits": -1.5}, {"column": "time", "bits": 2}]
        answer = answer_of({"row": 3, "witness": {"conditions": conditions}, "column_bits": bits}, Top([3, *range(10, 30)], 100))
        self.assertEqual(answer, (True, True, ["time", "time", "x1"], {"time": 0.125, "x1": 1}, "time"))

    def test_a_row_that_nothing_is_said_of_has_no_first_column(self):
        answer = answer_of({"row": 3, "witness": {"conditions": []}, "column_bits": []}, Top(range(10, 30), 100))
        self.assertEqual(answer, (False, False, [], {}, None))


class Benchmark(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tool = self.folder / "tool"
        self.tool.write_text(STAND_IN.format(python=sys.executable), encoding="utf-8")
        self.tool.chmod(0o755)

    def test_what_a_tool_says_is_set_beside_the_truth(self):
        before = DOCUMENT.read_bytes() if DOCUMENT.exists() else None
        flags = ["--quick", "--rows", 2000, "--methods", "top,z", "--folder", self.folder]
        done = run("--tool", self.tool, *flags)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("seeds 0 to 0, ", done.stdout)
        for numbers in ("independent", "correlated"):
            (hour,) = rows_of(done.stdout, "50", numbers, "hour", "top")
            self.assertEqual(hour, ["100 %", "100 %", "100 %", "100 %", "100 %", "100 %", "0.250", "1.0", "100 %"])
            (pair,) = rows_of(done.stdout, "50", numbers, "pair", "top")
            self.assertEqual(pair[:5], ["100 %", "100 %", "0 %", "100 %", "100 %"])
            (tail,) = rows_of(done.stdout, "50", numbers, "tail1", "top")
            self.assertEqual(tail, ["0 %", "0 %", *["–"] * 6, "100 %"])
        (asked,) = rows_of(done.stdout, "pidforest, `aggregate` top")
        self.assertEqual(asked[:3], ["67 % (40 of 60)", "67 %", "75 %"])  # of tail1, tail2 and four others; without the pairs
        self.assertIn("names exactly 100 % of the 10 detected rows planted in one column, 67 % of the 30", done.stdout)
        reached = ", ".join(f"100 % of `{kind}` (reached)" for kind in ("pair", "context", "hour_in_context"))
        self.assertIn(f"top: has in the top 5 %: {reached}; asked are 50 % of each.", done.stdout)
        self.assertIn("top: fewer than 10 % are detected of `tail1`, `tail2`.", done.stdout)
        self.assertIn("names exactly the planted columns: 75 %, asked are 84 %, NOT reached", done.stdout)
        self.assertEqual(DOCUMENT.read_bytes() if DOCUMENT.exists() else None, before)

    def test_our_tool_names_the_planted_hours_and_lone_tails(self):
        flags = ["--quick", "--columns", 10, "--rows", ROWS, "--methods", "top"]
        done = run("--tool", BINARY, *flags)
        self.assertEqual(done.returncode, 0, done.stderr)
        for kind in ("hour", "tail1"):
            for numbers in ("independent", "correlated"):
                ((*_, of_all),) = rows_of(done.stdout, "10", numbers, kind, "top")
                self.assertGreaterEqual(int(of_all.removesuffix(" %")), 80, (kind, numbers))

    def test_a_tool_that_fails_is_quoted(self):
        self.tool.write_text("#!/bin/sh\necho no such flag >&2\nexit 2\n", encoding="utf-8")
        done = run("--tool", self.tool, "--quick", "--rows", 1000, "--methods", "mean", "--columns", 10)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("pidforest detect ended with 2: no such flag", done.stderr)

    def test_an_unknown_method_is_named_with_those_there_are(self):
        done = run("--methods", "guess")
        self.assertEqual(done.returncode, 2)
        self.assertIn("must be some of mean, top, odds, shap, z; got 'guess'", done.stderr)


if __name__ == "__main__":
    unittest.main()
