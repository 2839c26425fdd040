# SPDX-License-Identifier: Apache-2.0
"""Laws of the command on random tables with random flags: what one verb writes, another one reads.

PIDFOREST_BINARY is the path of the command, and PIDFOREST_ROUND_TRIPS the number of tables, 60 by default; 10 if the command is
sanitized.
"""

import csv
import io
import math
import os
import random
import tempfile
import unittest
from pathlib import Path

from command import BAD_DATA, IS_SANITIZED, USAGE_ERROR, main, run
from random_tables import RandomTable

N_TABLES = int(os.environ.get("PIDFOREST_ROUND_TRIPS", "10" if IS_SANITIZED else "60"))
SHORT = ["--quiet"]


def any_options(source):
    flags = ["--n-estimators", str(source.choice([1, 3, 10])), "--seed", str(source.randrange(1000))]
    for flag, values in {
        "--preset": ["paper", "authors"],
        "--max-samples": ["8", "64"],
        "--cuts": ["sampled", "optimal"],
        "--aggregate": ["mean", "quantile", "max", "top", "vote"],
        "--contamination": ["0.1", "none", "auto"],
        "--isolated": ["off", "on"],
        "--reasons": ["off", "on"],
    }.items():
        if source.random() < 0.2:
            flags += [flag, source.choice(values)]
    return flags


class RoundTrips(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, *words, allowed=(0,)):
        result = run(*words, cwd=self.folder)
        self.assertIn(result.returncode, allowed, f"{words}: {result.stderr.decode()}")
        return result

    def scores(self, table, *flags):
        """The score of each row of the table by the model m."""
        text = self.command("score", "m", table, *flags, *SHORT).stdout.decode()
        return [float(row["score"]) for row in csv.DictReader(io.StringIO(text))]

    def check_model(self, table, options):
        """Fit, score, inspect, and fit again with the inferred schema."""
        name, flags = table.file_name, table.flags
        fitted = self.command("fit", name, "-o", "m", *flags, *options, *SHORT, allowed=(0, BAD_DATA))
        described = self.command("schema", name, *flags, *SHORT, allowed=(0, BAD_DATA))
        if fitted.returncode != 0:
            return False
        self.command("inspect", "m")
        scores = self.scores(name, *table.reading)
        self.assertEqual(len(scores), table.n_rows)
        self.assertTrue(all(map(math.isfinite, scores)), scores)
        self.assertEqual(described.returncode, 0, described.stderr.decode())
        (self.folder / "schema.json").write_bytes(described.stdout)
        self.command("fit", name, "-o", "again", "--schema", "schema.json", *flags, *options, *SHORT)
        self.assertEqual((self.folder / "again").read_bytes(), (self.folder / "m").read_bytes())
        return True

    def check_beyond_the_range(self, table, source):
        """Beyond the fitted range, a number scores at least as much as a nearer one."""
        numeric = [
            name
            for name, values in table.columns.items()
            if any(isinstance(value, float) for value in values) and name not in table.ignored
        ]
        if not numeric:
            return
        name = source.choice(numeric)
        values = [value for value in table.columns[name] if value is not None]
        low, high = min(values), max(values)
        width = (high - low if math.isfinite(high - low) else high) or 1
        row = {key: column[source.randrange(table.n_rows)] for key, column in table.columns.items()}
        for steps in ([high + width * factor for factor in [0, 0.1, 1, 30, 1e6]], [low - width * factor for factor in [0, 0.1, 1, 30, 1e6]]):
            steps = [step for step in steps if math.isfinite(step)]
            probe = RandomTable.__new__(RandomTable)
            probe.__dict__.update(table.__dict__, n_rows=len(steps))
            probe.columns = {key: steps if key == name else [value] * len(steps) for key, value in row.items()}
            probed = "probe" + Path(table.file_name).suffix
            (self.folder / probed).write_text("".join(probe.lines()))
            scores = self.scores(probed, *table.reading)
            self.assertEqual(scores, sorted(scores), f"{name}: {steps}")

    def check_stream(self, table, options, source):
        """Both halves of a table give the output of the whole, and the state loads in between."""
        name, lines = table.file_name, table.lines()
        sizes = ["--warm-up", str(source.choice([2, 20])), "--horizon", str(source.choice([20, 50])), "--window", str(source.choice([1, 1, 3]))]
        flags = [*table.flags, *options, *sizes, *SHORT]
        whole = self.command("stream", name, "--output", "whole", "--state", "whole.state", *flags, allowed=(0, USAGE_ERROR, BAD_DATA))
        if whole.returncode != 0:
            return
        half = source.randint(min(1, len(lines)), len(lines))  # a CSV stream must have its header row
        for part in ("".join(lines[:half]), "".join(lines)):
            (self.folder / name).write_text(part)
            self.command("stream", name, "--output", "halves", "--state", "state", *flags)
        self.assertEqual((self.folder / "halves").read_bytes(), (self.folder / "whole").read_bytes())

    def test_what_is_written_is_read(self):
        n_fitted = 0
        for seed in range(N_TABLES):
            with self.subTest(seed=seed):
                source = random.Random(seed)
                table, options = RandomTable(source), any_options(source)
                (self.folder / table.file_name).write_text("".join(table.lines()))
                for file in ("m", "again", "state", "halves", "whole"):
                    (self.folder / file).unlink(missing_ok=True)
                if self.check_model(table, options):
                    n_fitted += 1
                    self.check_beyond_the_range(table, source)
                self.check_stream(table, options, source)
        self.assertGreater(n_fitted, N_TABLES / 2)


if __name__ == "__main__":
    main()
