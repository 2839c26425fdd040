# SPDX-License-Identifier: Apache-2.0
"""Runs the accuracy benchmark on one small data set. PIDFOREST_BINARY is the path of the command.

The run is skipped if the data folder (PIDFOREST_DATA, by default ../shared/data) does not exist.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "benchmarks" / "accuracy" / "accuracy.py"
DOCUMENT = ROOT / "docs" / "accuracy.md"
BINARY = os.environ.get("PIDFOREST_BINARY", ROOT / "build" / "pidforest")
DATA = pathlib.Path(os.environ.get("PIDFOREST_DATA", ROOT.parent / "shared" / "data"))


def run(*flags, data=DATA):
    environment = os.environ | {"PIDFOREST_DATA": str(data)}
    command = [sys.executable, SCRIPT, "--binary", BINARY, *flags]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def cells_of(text, name):
    """Return the cells of the table row that begins with `name`."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return dict(zip(rows[0], next(row for row in rows if row[0] == name)))


@unittest.skipUnless(DATA.is_dir(), "accuracy: skipped: the data folder is absent")
class WithData(unittest.TestCase):
    def test_the_table_has_the_figures_of_the_set(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder, "accuracy.md")
            done = run("--only", "vowels", "--seeds", "1", "--presets", "default", "--output", output)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = output.read_text(encoding="utf-8")
        self.assertEqual(text, done.stdout)
        cells = cells_of(text, "vowels")
        self.assertEqual((cells["n x d"], cells["paper"], cells["authors preset"]), ("1456 x 12", "0.741", ""))
        self.assertTrue(0.75 < float(cells["default preset"]) <= 1, cells)
        self.assertIn("## Results", text)

    def test_a_part_of_the_sets_leaves_the_document_alone(self):
        before = DOCUMENT.read_bytes() if DOCUMENT.exists() else None
        self.assertEqual(run("--only", "vowels", "--seeds", "1", "--presets", "default").returncode, 0)
        self.assertEqual(DOCUMENT.read_bytes() if DOCUMENT.exists() else None, before)

    def test_a_series_is_shingled(self):
        done = run("--only", "ambient_temperature", "--seeds", "1", "--presets", "default")
        self.assertEqual(cells_of(done.stdout, "ambient_temperature")["n x d"], "7258 x 10", done.stderr)


class Messages(unittest.TestCase):
    def test_without_data_it_says_so_and_is_content(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("--check", data=pathlib.Path(folder, "absent"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped: the data folder is absent", done.stdout)
        self.assertIn("PIDFOREST_DATA", done.stdout)

    def test_an_unknown_set_is_named_with_those_there_are(self):
        done = run("--only", "moon")
        self.assertEqual(done.returncode, 2)
        self.assertIn("must be some of thyroid, ", done.stderr)
        self.assertIn("got 'moon'", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # reports skipped tests
