# SPDX-License-Identifier: Apache-2.0
"""Checks the planted worlds, and ranks small ones without the peers. PIDFOREST_BINARY is our command."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "worlds"
DOCUMENT = ROOT / "docs" / "worlds.md"
BINARY = os.environ.get("PIDFOREST_BINARY", ROOT / "build" / "pidforest")

sys.path.insert(0, str(FOLDER))
from making import APART, BETWEEN, MIXTURE_RARE, OFF, WORLDS, make_world  # noqa: E402


def run(*flags):
    command = [sys.executable, FOLDER / "worlds.py", "--tool", BINARY, *map(str, flags)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def divided(world):
    """Return the columns of the ordinary rows and those of the planted rows."""
    return tuple(
        [[cell for cell, label in zip(column, world.labels) if label == wanted] for column in world.cells.values()]
        for wanted in (0, 1)
    )


class Worlds(unittest.TestCase):
    def test_a_seed_makes_the_same_world_and_another_makes_another(self):
        for name in WORLDS:
            self.assertEqual(make_world(name, 1, 300), make_world(name, 1, 300))
            self.assertNotEqual(make_world(name, 1, 300), make_world(name, 2, 300))

    def test_one_row_in_a_hundred_is_planted_but_a_tenth_of_the_mixture(self):
        for name in WORLDS:
            n_planted = sum(make_world(name, 0, 1000).labels)
            self.assertEqual(n_planted, MIXTURE_RARE if name.startswith("mixture") else 10, name)

    def test_the_values_of_a_rare_pair_are_common(self):
        ordinary, planted = divided(make_world("rare pair of 10", 0))
        pair = [i for i, values in enumerate(planted) if all(APART[0] <= abs(cell) <= APART[1] for cell in values)]
        self.assertEqual(len(pair), 2)
        for i in pair:
            self.assertGreater(sum(abs(cell) > APART[1] for cell in ordinary[i]), 0.05 * len(ordinary[i]))
        first, second = (planted[i] for i in pair)
        self.assertTrue(all(a * b < 0 for a, b in zip(first, second)))

    def test_planted_points_are_off_the_line_and_all_others_on_it(self):
        ordinary, planted = divided(make_world("off y = x + 20 Gaussian", 0))
        places = range(len(ordinary))

        def farthest(i, j):
            return max(abs(a - b) for a, b in zip(ordinary[i], ordinary[j]))

        i, j = min(((i, j) for i in places for j in places if i < j), key=lambda pair: farthest(*pair))
        self.assertLess(farthest(i, j), 0.2)
        self.assertGreaterEqual(min(abs(a - b) for a, b in zip(planted[i], planted[j])), OFF)

    def test_only_planted_values_lie_between_the_two_groups(self):
        ordinary, planted = divided(make_world("between two groups of 10", 0))
        between = [sum(abs(cell) <= BETWEEN for cell in values) for values in planted]
        column = max(range(10), key=between.__getitem__)
        self.assertEqual(between[column], len(planted[column]))
        self.assertGreater(min(map(abs, ordinary[column])), BETWEEN)

    def test_only_planted_rows_have_levels_that_never_meet(self):
        ordinary, planted = divided(make_world("never meet among 20 even", 0))
        places = [(i, j) for i in range(20) for j in range(i) if not any(a == b for a, b in zip(ordinary[i], ordinary[j]))]
        self.assertEqual(len(places), 1)
        i, j = places[0]
        self.assertEqual(planted[i], planted[j])


class Tool(unittest.TestCase):
    def test_a_part_is_printed_with_its_verdict_and_leaves_the_document_alone(self):
        before = DOCUMENT.read_bytes() if DOCUMENT.exists() else None
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder, "worlds.md")
            chosen = ["--quick", "--rows", 1000, "--methods", "mean,top", "--worlds", "one tail of 50,mixture + 19 noise"]
            done = run(*chosen, "--output", output)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(output.read_text(encoding="utf-8"), done.stdout)
        self.assertIn("- one tail of 50: AUC 0.", done.stdout)
        rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines() if line.startswith("| mixture + 19 noise")]
        self.assertGreater(float(rows[0][1]), 0.9)
        self.assertEqual(DOCUMENT.read_bytes() if DOCUMENT.exists() else None, before)

    def test_an_unknown_world_is_named_with_those_there_are(self):
        done = run("--worlds", "guess")
        self.assertEqual(done.returncode, 2)
        self.assertIn("must be some of rare pair of 10, ", done.stderr)
        self.assertIn("got 'guess'", done.stderr)


if __name__ == "__main__":
    unittest.main()
