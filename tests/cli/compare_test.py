# SPDX-License-Identifier: Apache-2.0
"""Compares files with the rows of a fit. PIDFOREST_BINARY is the path of the command."""

import json
import random
import tempfile
from pathlib import Path

from command import ANOMALIES_FOUND, BAD_DATA, USAGE_ERROR, CommandTest, main, run


def table(n, seed, missing=0.02, colours="aaabbc", mean=10.0, spread=2.0, missing_words=("",)):
    source = random.Random(seed)
    lines = ["dep_time,load,colour"]
    for _ in range(n):
        time = source.choice(missing_words) if source.random() < missing else f"{source.uniform(0, 24):.2f}"
        lines.append(f"{time},{source.gauss(mean, spread):.3f},{source.choice(colours)}")
    return "\n".join(lines) + "\n"


class Compare(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.assertEqual(run("fit", self.written("then.csv", table(3000, 1)), "-o", self.folder / "m.pidf").returncode, 0)

    def written(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def compare(self, text, *flags):
        return run("compare", self.folder / "m.pidf", self.written("now.csv", text), *flags)

    def found(self, text):
        result = self.compare(text, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        return document, {one["column"]: one for one in document["columns"]}

    def test_half_of_a_column_that_is_missing_comes_first(self):
        result = self.compare(table(1000, 2, missing=0.51))
        self.assertRegex(result.stdout.decode().splitlines()[0], r"^\* column dep_time: missing 5\d %, was [12](\.\d+)? %$")
        self.assertEqual(result.stdout.count(b"\n"), 1, result.stdout)

    def test_equal_rows_have_not_changed(self):
        for seed in range(2, 8):
            document, _ = self.found(table(2000, seed))
            self.assertEqual(document["n_changed"], 0, document)
        result = self.compare(table(2000, 2), "--fail-on-change")
        self.assertEqual((result.returncode, result.stdout), (0, b""))

    def test_each_change_is_found_in_its_column(self):
        for name, changes in (
            ("load", {"mean": 10.5}),
            ("load", {"spread": 2.5}),
            ("colour", {"colours": "aaabbcd"}),
            ("colour", {"colours": "aaabb"}),
            ("dep_time", {"missing": 0.06}),
        ):
            document, columns = self.found(table(2000, 3, **changes))
            self.assertEqual([one["column"] for one in document["columns"] if one["is_changed"]], [name], changes)
            self.assertLess(columns[name]["p"], 0.01)

    def test_levels_and_ranges_are_listed(self):
        _, columns = self.found(table(500, 4, colours="abd", mean=40))
        self.assertEqual(columns["colour"]["vanished"], ["c"])
        self.assertGreater(columns["colour"]["n_new_levels"], 100)
        self.assertEqual(columns["load"]["n_beyond_range"], 500)
        self.assertLess(columns["load"]["range_then"][1], columns["load"]["range_now"][0])
        self.assertIn("beyond the range", columns["load"]["words"])

    def test_a_change_ends_with_its_exit_code_if_asked_for(self):
        self.assertEqual(self.compare(table(1000, 2, missing=0.5), "--fail-on-change").returncode, ANOMALIES_FOUND)
        self.assertEqual(self.compare(table(1000, 2, missing=0.5)).returncode, 0)

    def test_threads_and_batches_change_nothing(self):
        text = table(3000, 5, mean=10.2)
        one = self.compare(text, "--json", "--threads", "1").stdout
        self.assertEqual(one, self.compare(text, "--json", "--threads", "4").stdout)

    def test_what_cannot_be_compared_is_named(self):
        self.expect(self.compare(table(0, 1)), BAD_DATA, "no rows")
        self.expect(self.compare("dep_time,load\n1,2\n"), BAD_DATA, "colour")
        self.expect(self.compare(table(10, 1), "--level", "2"), USAGE_ERROR, "between 0 and 1; got 2")
        run("fit", self.folder / "then.csv", "-o", self.folder / "m.pidf", "--no-reasons")
        self.expect(self.compare(table(10, 1)), BAD_DATA, "fit it again, without --no-reasons")


if __name__ == "__main__":
    main()
