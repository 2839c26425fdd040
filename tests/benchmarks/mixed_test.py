# SPDX-License-Identifier: Apache-2.0
"""Checks the generated sets of the mixed benchmark, and runs it without the peers. PIDFOREST_BINARY is our command."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from itertools import combinations

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "mixed"
DOCUMENT = ROOT / "docs" / "mixed.md"
BINARY = os.environ.get("PIDFOREST_BINARY", ROOT / "build" / "pidforest")

sys.path.insert(0, str(FOLDER))
from figures import figures  # noqa: E402
from mixed_sets import ANIMALS, MUSHROOM_LEVELS, WHITE_ELEPHANTS, animals, mushrooms  # noqa: E402


def run(*flags):
    command = [sys.executable, FOLDER / "mixed.py", "--binary", BINARY, *map(str, flags)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def cells_of(text, *first):
    """Return the cells of the table row that begins with `first`, by column name."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return dict(zip(rows[0], next(row for row in rows if row[: len(first)] == list(first))))


def divided(data):
    """Return the normal rows and the anomalies."""
    return tuple([row for row, label in zip(data.rows, data.labels) if label == wanted] for wanted in (0, 1))


class Mushrooms(unittest.TestCase):
    def test_every_level_is_common_among_the_normal_rows(self):
        for seed in range(2):
            normal, _ = divided(mushrooms(6, seed))
            for values, count in zip(zip(*normal), MUSHROOM_LEVELS, strict=True):
                found = Counter(values)
                self.assertEqual(len(found), count)
                self.assertGreater(min(found.values()), 0.02 * len(normal))

    def test_no_anomaly_has_a_value_of_its_own_and_most_of_its_pairs_are_common(self):
        normal, anomalies = divided(mushrooms(11, 0, n=4000))
        common = total = 0
        for i, j in combinations(range(len(MUSHROOM_LEVELS)), 2):
            pairs = Counter((row[i], row[j]) for row in normal)
            common += sum(pairs[row[i], row[j]] > 0.005 * len(normal) for row in anomalies)
            total += len(anomalies)
        self.assertGreater(common / total, 0.9)
        self.assertLess(common, total)

    def test_some_pair_of_every_anomaly_is_never_seen_elsewhere(self):
        normal, anomalies = divided(mushrooms(6, 0, n=4000))
        places = list(combinations(range(len(MUSHROOM_LEVELS)), 2))
        seen = {place: {(row[place[0]], row[place[1]]) for row in normal} for place in places}
        for row in anomalies:
            self.assertTrue(any((row[i], row[j]) not in seen[i, j] for i, j in places))

    def test_one_row_in_a_hundred_is_an_anomaly(self):
        self.assertEqual(sum(mushrooms(2, 0).labels), 80)


class WhiteElephants(unittest.TestCase):
    def test_both_values_are_common_and_the_pair_is_ten(self):
        for spread in ANIMALS:
            normal, anomalies = divided(animals(spread, 0, n=5000))
            self.assertEqual(len(anomalies), WHITE_ELEPHANTS)
            species, colour = anomalies[0][:2]
            self.assertTrue(all(row[:2] == [species, colour] for row in anomalies))
            self.assertFalse(any(row[:2] == [species, colour] for row in normal))
            for i, value in enumerate((species, colour)):
                self.assertGreater(sum(row[i] == value for row in normal), 0.05 * len(normal))


class Seeds(unittest.TestCase):
    def test_a_seed_makes_the_same_rows_and_another_makes_others(self):
        for make, spread in ((mushrooms, 4), (animals, ANIMALS[0])):
            self.assertEqual(make(spread, 1, n=500), make(spread, 1, n=500))
            self.assertNotEqual(make(spread, 1, n=500), make(spread, 2, n=500))


class Measures(unittest.TestCase):
    def test_a_perfect_ranking_a_reversed_one_and_none(self):
        labels = [0] * 8 + [1] * 2
        self.assertEqual(figures(range(10), labels), (1, 1, 1, 1))
        self.assertEqual(figures(range(10, 0, -1), labels)[0], 0)
        self.assertEqual(figures([0] * 10, labels), (0.5, 0.2, 0, 0))

    def test_a_ranking_with_one_mistake(self):
        auc, precision, typical, lowest = figures([1, 2, 3, 5, 4, 6], [0, 0, 0, 0, 1, 1])
        self.assertEqual((auc, precision), (7 / 8, (1 + 2 / 3) / 2))
        self.assertEqual((typical, lowest), (0.75, 0.75))


class Tool(unittest.TestCase):
    def test_it_finds_the_mixtures_of_a_small_set(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder, "mixed.md")
            done = run("--methods", "default", "--seeds", 1, "--sets", "mushrooms", "--rows", 4000, "--output", output)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(output.read_text(encoding="utf-8"), done.stdout)
        cells = cells_of(done.stdout, "6", "default")
        self.assertGreater(float(cells["AUC"]), 0.95)
        self.assertGreater(float(cells["average precision"]), 0.3)

    def test_it_finds_the_white_elephants_of_a_small_set(self):
        done = run("--methods", "default", "--seeds", 1, "--sets", "animals", "--rows", 4000)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(float(cells_of(done.stdout, "6 uneven levels", "default")["AUC, 1024"]), 0.9)

    def test_a_part_leaves_the_document_alone(self):
        before = DOCUMENT.read_bytes() if DOCUMENT.exists() else None
        self.assertEqual(run("--methods", "paper", "--seeds", 1, "--sets", "mushrooms", "--rows", 500).returncode, 0)
        self.assertEqual(DOCUMENT.read_bytes() if DOCUMENT.exists() else None, before)

    def test_an_unknown_method_is_named_with_those_there_are(self):
        done = run("--methods", "guess")
        self.assertEqual(done.returncode, 2)
        self.assertIn("must be some of default, ", done.stderr)
        self.assertIn("got 'guess'", done.stderr)


if __name__ == "__main__":
    unittest.main()
