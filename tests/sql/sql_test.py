# SPDX-License-Identifier: Apache-2.0
"""Counts rows by the clauses that the library prints, in SQLite and, if it is installed, in DuckDB.

    PIDFOREST_BINARY=build/pidforest python3 tests/sql/sql_test.py

The program sql_cases is expected next to PIDFOREST_BINARY.
"""

import json
import math
import os
import re
import sqlite3
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracle  # noqa: E402, F401

try:
    import duckdb
except ImportError:
    duckdb = None

PROGRAM = str(Path(os.environ["PIDFOREST_BINARY"]).resolve().parent / "sql_cases")
COUNT = 'SELECT COUNT(*) FROM t WHERE '


def read_cases() -> list[dict]:
    lines = subprocess.run([PROGRAM], stdout=subprocess.PIPE, text=True, timeout=300, check=True).stdout.splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def as_csv_field(value) -> str:
    """Return the CSV field for a value, as `.import --csv` stores it. SQLite reads no text as infinity, only a
    number that is too large."""
    if value == math.inf:
        return "1e999"
    return "" if value is None else value if isinstance(value, str) else repr(value)


def is_refused_by_sqlite(case: dict) -> bool:
    """Return whether the case needs a named zone and has a text with an offset, which SQLite cannot convert."""
    has_offset = any(isinstance(value, str) and re.search(r":.*[-+Z]", value) for value in case["rows"])
    return "abs(" in (case["sqlite"] or "") and has_offset


class Sql(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = read_cases()

    def check_counts(self, dialect: str, fill, count):
        kinds = set()
        for case in self.cases:
            if case[dialect] is None:
                continue
            if is_refused_by_sqlite(case) and dialect == "sqlite":
                fill(case)
                self.assertRaisesRegex(sqlite3.OperationalError, "integer overflow", count, COUNT + case[dialect])
                continue
            with self.subTest(kind=case["kind"], clause=case[dialect], rows=case["rows"]):
                fill(case)
                self.assertEqual(count(COUNT + case[dialect]), case["count"])
            kinds.add(case["kind"])
        self.assertEqual(kinds, {"continuous", "ordinal", "cyclic", "category", "boolean", "time"})

    def check_sqlite(self, sql_type: str, stored):
        database = sqlite3.connect(":memory:")

        def fill(case):
            database.execute("DROP TABLE IF EXISTS t")
            database.execute(f'CREATE TABLE t ("the ""x""" {sql_type if case["type"] == "numbers" else "TEXT"})')
            database.executemany("INSERT INTO t VALUES (?)", [(stored(value),) for value in case["rows"]])

        self.check_counts("sqlite", fill, lambda query: database.execute(query).fetchone()[0])

    def test_sqlite_counts_what_the_library_counts(self):
        self.check_sqlite("REAL", lambda value: value)

    def test_sqlite_counts_the_same_of_texts(self):
        self.check_sqlite("TEXT", as_csv_field)

    def test_no_clause_is_left_out_but_for_zones(self):
        for case in self.cases:
            self.assertIsNotNone(case["standard"])
            if case["kind"] != "time":
                self.assertIsNotNone(case["sqlite"])

    @unittest.skipIf(duckdb is None, "duckdb is not installed")
    def test_duckdb_counts_what_the_library_counts(self):
        self.check_duckdb(None)

    @unittest.skipIf(duckdb is None, "duckdb is not installed")
    def test_duckdb_counts_nan_as_missing(self):
        self.check_duckdb(math.nan)

    @unittest.skipIf(duckdb is None, "duckdb is not installed")
    def test_duckdb_counts_timestamps_like_the_texts_that_say_them(self):
        database = duckdb.connect()
        database.execute("SET TimeZone = 'America/New_York'")
        n_cases = 0
        for case in self.cases:
            if case["kind"] != "time" or case["type"] != "texts":
                continue
            database.execute('CREATE OR REPLACE TABLE t ("the ""x""" TIMESTAMPTZ)')
            values = ["(NULL)" if utc is None else f"(to_timestamp({utc}::DOUBLE / 1000000))" for utc in case["utc"]]
            database.execute(f"INSERT INTO t VALUES {', '.join(values)}")
            with self.subTest(clause=case["standard"], rows=case["rows"]):
                self.assertEqual(database.execute(COUNT + case["standard"]).fetchone()[0], case["count"])
            n_cases += 1
        self.assertGreater(n_cases, 20)

    def check_duckdb(self, missing_number):
        database = duckdb.connect()
        database.execute("SET TimeZone = 'America/New_York'")

        def fill(case):
            # Numbers stored as text must be converted when the table is filled; empty times are NULL.
            rows = case["rows"]
            if case["kind"] == "continuous":
                rows = [None if value in (None, "", "nan") else float(value) for value in rows]
            if case["kind"] == "time":
                rows = [None if value == "" else value for value in rows]
            are_numbers = case["type"] == "numbers" or case["kind"] == "continuous"
            if are_numbers:
                rows = [missing_number if value is None else value for value in rows]
            database.execute(f'CREATE OR REPLACE TABLE t ("the ""x""" {"DOUBLE" if are_numbers else "TEXT"})')
            database.execute(f"INSERT INTO t VALUES {', '.join(['(?)'] * len(rows))}", rows)

        self.check_counts("standard", fill, lambda query: database.execute(query).fetchone()[0])


if __name__ == "__main__":
    unittest.main()
