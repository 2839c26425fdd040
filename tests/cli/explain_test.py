# SPDX-License-Identifier: Apache-2.0
"""Runs the real command `pidforest explain` and checks its explanations by hand. PIDFOREST_BINARY is its path."""

import csv
import io
import json
import math
import sqlite3
import tempfile
from pathlib import Path

from command import USAGE_ERROR, BAD_DATA, BAD_MODEL, ROOT, CommandTest, main, run

FLEET = ROOT / "examples" / "fleet.csv"
ORDERS = ROOT / "examples" / "orders.csv"
SCHEMA = ROOT / "examples" / "orders.schema.json"


def lines_of(found):
    return [json.loads(line) for line in found.stdout.splitlines()]


class Explain(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.fleet = str(Path(cls.folder.name, "fleet.pidf"))
        cls.orders = str(Path(cls.folder.name, "orders.pidf"))
        run("fit", FLEET, "--label", "fault", "-o", cls.fleet)
        run("fit", ORDERS, "--label", "fraud", "--schema", SCHEMA, "-o", cls.orders)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_counts_are_what_sqlite_counts_in_the_file_as_it_imports_it(self):
        for model, table in ((self.fleet, FLEET), (self.orders, ORDERS)):
            with open(table, newline="", encoding="utf-8") as file:
                header, *rows = csv.reader(file)
            database = sqlite3.connect(":memory:")
            database.execute(f"CREATE TABLE t ({', '.join(f'{json.dumps(name)} TEXT' for name in header)})")
            database.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(header))})", rows)
            explained = lines_of(run("explain", model, table, "--json", "--top", "200", "--dialect", "sqlite"))
            self.assertEqual(len(explained), 200)
            for row in explained:
                witness = row["witness"]
                self.assertEqual(witness["n_rows"], len(rows))
                if not witness["conditions"]:
                    continue
                (count,) = database.execute(f"SELECT COUNT(*) FROM t WHERE {row['sql']}").fetchone()
                self.assertEqual(count, witness["n_inside"], row["sql"])
                inside = f"SELECT COUNT(*) FROM t WHERE rowid = {row['row']} AND {row['sql']}"
                self.assertEqual(database.execute(inside).fetchone(), (1,))

    def test_the_bits_of_the_columns_add_up_to_the_score(self):
        for row in lines_of(run("explain", self.orders, ORDERS, "--json", "--top", "50")):
            self.assertAlmostEqual(sum(column["bits"] for column in row["column_bits"]), row["score"])

    def test_impostors_are_the_other_rows_of_the_same_reason(self):
        with open(FLEET, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        (row,) = lines_of(run("explain", self.fleet, FLEET, "--json", "--row", "3313", "--impostors", "100"))
        ((condition),) = row["witness"]["conditions"]
        at_least = condition["at_least"]
        others = [i for i, one in enumerate(rows, 1) if float(one[condition["column"]]) >= at_least and i != 3313]
        self.assertEqual(row["impostors"], others)
        self.assertEqual(len(others) + 1, row["witness"]["n_inside"])

    def changed(self, row, condition):
        """Return the score of the row with a number that satisfies the condition."""
        with open(FLEET, newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        changed = rows[row["row"] - 1]
        changed[header.index(condition["column"])] = repr(math.nextafter(condition["below"], -math.inf))
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([header, changed])
        return text.getvalue()

    def test_what_would_make_a_row_normal_does(self):
        (row,) = lines_of(run("explain", self.fleet, FLEET, "--json", "--top", "1"))
        ((condition),) = row["normal_if"]
        (score,) = lines_of(run("score", self.fleet, "-", "--json", text=self.changed(row, condition)))
        self.assertEqual((row["is_anomaly"], score["is_anomaly"]), (True, False))
        # A score equal to --min-bits is an anomaly, so the same change no longer suffices.
        flags = ("--json", "--min-bits", repr(score["score"]))
        (row,) = lines_of(run("explain", self.fleet, FLEET, "--top", "1", *flags))
        ((condition),) = row["normal_if"]
        (score,) = lines_of(run("score", self.fleet, "-", *flags, text=self.changed(row, condition)))
        self.assertEqual((row["is_anomaly"], score["is_anomaly"]), (True, False))

    def test_all_rows_come_in_the_order_of_the_file_and_say_the_same(self):
        every = lines_of(run("explain", self.fleet, FLEET, "--json", "--all"))
        self.assertEqual([row["row"] for row in every], list(range(1, len(every) + 1)))
        for row in lines_of(run("explain", self.fleet, FLEET, "--json", "--top", "5", "--threads", "1")):
            self.assertEqual(row["witness"], every[row["row"] - 1]["witness"])
            self.assertEqual(row["column_bits"], every[row["row"] - 1]["column_bits"])

    def test_all_anomalies_are_explained_the_rarest_first(self):
        found = lines_of(run("explain", self.fleet, FLEET, "--anomalies", "--json"))
        top = lines_of(run("explain", self.fleet, FLEET, "--top", "13", "--json"))
        self.assertEqual(found, top[:12])
        self.assertFalse(top[12]["is_anomaly"])
        self.expect(run("explain", self.fleet, FLEET, "--anomalies", "--top", "3"), USAGE_ERROR, "--anomalies", "--top")

    def test_counts_may_be_taken_in_another_file(self):
        head = "".join(FLEET.read_text().splitlines(keepends=True)[:101])
        rows = lines_of(run("explain", self.fleet, "-", "--against", FLEET, "--json", "--top", "3", text=head))
        self.assertEqual([row["witness"]["n_rows"] for row in rows], [4032] * 3)

    def test_people_read_a_paragraph_per_row(self):
        shown = run("explain", self.orders, ORDERS, "--top", "1", "--id", "order_id").stdout.decode()
        self.assertRegex(shown, r"^row \d+ \(A-\d+\): \d+\.\d\d bits, an anomaly\n  because    country = ")
        for word in ("  columns    ", "  normal if  ", "  impostors  "):
            self.assertIn(word, shown)

    def test_usage_errors_are_reported(self):
        for words, told in (
            (["--row", "0"], "--row"),
            (["--row", "5000"], "--row must be between 1 and 4032, the number of rows of the file; got 5000."),
            (["--all", "--row", "1"], "--all and --row cannot be combined"),
            (["--all", "--top", "10"], "--all and --top cannot be combined"),
            (["--all", "--impostors", "5"], "--all and --impostors cannot be combined"),
            (["--row", "1", "--top", "3"], "--row and --top cannot be combined"),
            (["--dialect", "oracle"], "--dialect must be standard or sqlite; got oracle."),
        ):
            self.expect(run("explain", self.fleet, FLEET, *words), USAGE_ERROR, told)
        self.expect(run("explain", self.fleet, "-", text="cpu\n1\n"), BAD_DATA, "the file has no column 'machine', which the model or the schema requires; its columns are cpu.")
        self.expect(run("explain", FLEET, FLEET), BAD_MODEL, "")


if __name__ == "__main__":
    main()
