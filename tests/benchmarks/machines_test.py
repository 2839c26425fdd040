# SPDX-License-Identifier: Apache-2.0
"""Checks how the machines benchmark reads folders and judges causes. Measures a small made folder if the Python package and
the peers are installed. PIDFOREST_PYTHON is the Python to run it with."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "machines"
PYTHON = os.environ.get("PIDFOREST_PYTHON", str(ROOT / ".venv" / "bin" / "python"))


def has_packages():
    return pathlib.Path(PYTHON).exists() and subprocess.run([PYTHON, "-c", "import pidforest, pyod"], capture_output=True, check=False).returncode == 0


def write_machine(folder, name):
    """A machine of three metrics that drifts around 0; metric 2 is off in the test samples 40 to 59."""
    parts = {"train": 300, "test": 120}
    for part, n in parts.items():
        rows = [[(7 * i + 3 * m) % 11 + (40 if part == "test" and m == 1 and 40 <= i < 60 else 0) for m in range(3)] for i in range(n)]
        (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / part / f"{name}.txt").write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    for part, text in {
        "test_label": "".join(f"{int(40 <= i < 60)}\n" for i in range(parts["test"])),
        "interpretation_label": "40-59:2\n",
    }.items():
        (folder / part).mkdir(exist_ok=True)
        (folder / part / f"{name}.txt").write_text(text)


@unittest.skipUnless(has_packages(), "machines: skipped: the Python package or pyod is not installed for PIDFOREST_PYTHON")
class Machines(unittest.TestCase):
    def run_on(self, folder):
        command = [PYTHON, FOLDER / "machines.py", "--without-skab", "--quick", "--folder", f"made={folder}"]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    def test_a_made_machine_is_measured_and_its_cause_is_found(self):
        with tempfile.TemporaryDirectory() as name:
            write_machine(pathlib.Path(name), "one")
            result = self.run_on(name)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in result.stdout.splitlines() if line.startswith("| made")]
        self.assertEqual(lines[0][:2], ["made", "1"])
        self.assertGreater(float(lines[0][2].split(" / ")[0]), 0.9)
        self.assertEqual(lines[1][1:], ["1", "pidforest", "1.000", "1.000"])
        self.assertEqual(lines[2][1:3], ["1", "z-score"])

    def test_a_folder_of_another_form_is_refused(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.assertIn("NAME.txt", self.run_on(folder).stderr)
            write_machine(folder, "one")
            (folder / "interpretation_label" / "one.txt").write_text("40-59\n")
            self.assertIn("line 1: must be FIRST-LAST:METRIC", self.run_on(folder).stderr)
            (folder / "test_label" / "one.txt").write_text("1\n")
            self.assertIn("a label per sample", self.run_on(folder).stderr)


if __name__ == "__main__":
    unittest.main()
