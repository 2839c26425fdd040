# SPDX-License-Identifier: Apache-2.0
"""Runs the comparison with other detectors on one small data set, and checks the page that it writes.

The comparison needs the Python package: PIDFOREST_PYTHON says which Python imports it (.venv/bin/python unless said otherwise),
and PIDFOREST_BINARY where the build is. Without the package, or without the data folder (PIDFOREST_DATA), runs are skipped.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from array import array

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "comparison"
DOCUMENT = ROOT / "docs" / "comparison.md"
BUILD = pathlib.Path(os.environ.get("PIDFOREST_BINARY", ROOT / "build" / "pidforest")).parent
PYTHON = os.environ.get("PIDFOREST_PYTHON", ROOT / ".venv" / "bin" / "python")
DATA = pathlib.Path(os.environ.get("PIDFOREST_DATA", ROOT.parent / "shared" / "data"))

# Writes the page of made results of the speed part, without a measurement.
PAGE = """\
import argparse, pathlib, sys
sys.path.insert(0, sys.argv[1])
import shared
from cache import Task
from comparison_page import document
from detectors import TIMED
from timing import THREADS, data_name
found = {}
for threads in THREADS:
    for place, name in enumerate(TIMED, 1):
        runs = dict(seconds=[8.0, 0.3 * place, 0.2], cpu=[9.0, 0.5 * place, 0.1], load=[0.5] * 3)
        memory = dict(peak=[200.0] * 3, beyond=[12.0 * place] * 3)
        found[Task("speed", data_name(5000, threads), name, 0)] = runs | memory
found[Task("speed", data_name(5000, 1), "COPOD", 0)] = dict(failed="not done in 5 s")
options = argparse.Namespace(rows=5000, rounds=3, seeds=5, build=pathlib.Path(sys.argv[2]))
print(document(found, options))
"""


def run(*words, data=DATA):
    environment = os.environ | {"PIDFOREST_DATA": str(data)}
    command = [str(word) for word in (PYTHON, *words)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)


def compare(folder, *flags, data=DATA):
    """Compares on one seed of vowels. Results and page are in `folder`."""
    files = ["--build", BUILD, "--cache", folder / "results.jsonl", "--output", folder / "comparison.md"]
    return run(FOLDER / "comparison.py", "--seeds", 1, "--data", "vowels", *files, *flags, data=data)


def has_package():
    try:
        return run("-c", "import duckdb, pandas, pidforest, pyod, sklearn").returncode == 0
    except OSError:
        return False


def cells_of(text, heading, first):
    """The cells of the row that begins with `first` in the first table below a heading, by column."""
    lines = text[text.index(heading) :].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return dict(zip(rows[0], next(row for row in rows if row[0] == first)))


HAS_PACKAGE = has_package()
needs_package = unittest.skipUnless(HAS_PACKAGE, "comparison: skipped: the Python package is absent")
needs_data = unittest.skipUnless((DATA / "vowels.csv").exists(), "comparison: skipped: the data folder is absent")


@needs_package
class Comparison(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    @needs_data
    def test_a_part_is_measured_once_and_the_page_is_written_again_from_it(self):
        before = DOCUMENT.read_bytes() if DOCUMENT.exists() else None
        flags = ["--parts", "accuracy,noise,explanations,columns"]
        done = compare(self.folder, *flags)
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.folder / "comparison.md"
        text = page.read_text(encoding="utf-8")
        for heading, least in (("### AUC", 0.75), ("## Noise columns", 0.7), ("of log-normal noise:", 0.4)):
            cells = cells_of(text, heading, "vowels")
            self.assertTrue(least < float(cells["pidforest"].strip("*")) <= 1, cells)
            self.assertTrue(0 <= float(cells["ECOD"].strip("*")) <= 1, cells)
        self.assertIn("20 of 20 counts are equal", " ".join(text.split()))
        self.assertRegex(cells_of(text, "## Mixed columns", "pidforest")["texts"], r"^AUC (0\.\d{3}|1\.000)$")
        self.assertEqual(cells_of(text, "## Mixed columns", "Isolation Forest")["texts"], "refused")
        self.assertNotIn("## Speed and memory", text)

        page.unlink()
        again = compare(self.folder, *flags)
        n_tasks = len((self.folder / "results.jsonl").read_text(encoding="utf-8").splitlines())
        self.assertIn(f"{n_tasks} tasks, {n_tasks} of them done before", again.stderr)
        self.assertEqual(page.read_text(encoding="utf-8"), text)

        page.unlink()
        self.assertEqual(compare(self.folder, "--write").returncode, 0)
        self.assertEqual(page.read_text(encoding="utf-8"), text)
        self.assertEqual(DOCUMENT.read_bytes() if DOCUMENT.exists() else None, before)

    def test_one_run_of_a_detector_has_seconds_and_memory(self):
        path = self.folder / "table"
        rng = random.Random(0)
        path.write_bytes(array("d", (rng.random() for _ in range(20_000))).tobytes())
        done = run(FOLDER / "time_one.py", "pidforest", 1, 10, path)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertGreater(found["seconds"], 0)
        self.assertGreater(found["peak"], found["beyond"])
        self.assertGreaterEqual(found["beyond"], 0)

    @needs_data  # the page counts the rows of the data sets
    def test_speed_is_the_median_and_pidforest_is_one(self):
        done = run("-c", PAGE, FOLDER, BUILD)
        self.assertEqual(done.returncode, 0, done.stderr)
        cells = cells_of(done.stdout, "## Speed and memory", "isotree")
        self.assertEqual((cells["CPU seconds, one thread"], cells["beyond the table, MB"]), ("1.50", "36"))
        self.assertEqual(cells["pidforest = 1"], "3.00")
        self.assertEqual(cells_of(done.stdout, "## Speed and memory", "COPOD")["CPU seconds, one thread"], "")
        self.assertIn("Not measured: COPOD on 5000 x 10, threads: 1: not done in 5 s.", " ".join(done.stdout.split()))

    def test_without_data_it_says_which_file_is_missing(self):
        done = compare(self.folder, data=self.folder / "absent")
        self.assertEqual(done.returncode, 3)
        self.assertIn("has no vowels.csv", done.stderr)
        self.assertIn("PIDFOREST_DATA", done.stderr)

    def test_an_unknown_part_is_named_with_those_there_are(self):
        done = compare(self.folder, "--parts", "taste")
        self.assertEqual(done.returncode, 2)
        self.assertIn("must be some of accuracy, noise, explanations, columns, speed; got 'taste'", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # says what is skipped
