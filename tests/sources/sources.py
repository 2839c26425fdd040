# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of Parquet and databases: where the drivers are, and tables that DuckDB's driver makes.

The drivers are those of scripts/bootstrap sources. Without them the tests are skipped, with exit code 77.
"""

import contextlib
import os
import pathlib
import sqlite3
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import command  # noqa: E402
from command import BAD_DATA, BINARY, FILE_ERROR, INTERRUPTED, USAGE_ERROR, CommandTest  # noqa: E402, F401

DRIVERS = ROOT / ".drivers"
VARIABLES = ("PIDFOREST_DUCKDB_DRIVER", "PIDFOREST_SQLITE_DRIVER", "PIDFOREST_POSTGRESQL_DRIVER", "VIRTUAL_ENV", "CONDA_PREFIX")
PLAIN = {name: value for name, value in os.environ.items() if name not in VARIABLES} | {"HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent"}
"""An environment in which no driver of the user is found."""
ENVIRONMENT = {**PLAIN, "ADBC_DRIVER_PATH": str(DRIVERS)}

SKIPPED = 77


def run(*words, env=None, **options):
    """Run the command with the drivers of the tests."""
    return command.run(*words, env={**ENVIRONMENT, **(env or {})}, **options)


def text(literal):
    return "'" + str(literal).replace("'", "''") + "'"


def duckdb(*statements):
    """Run statements in DuckDB, in memory. The last one must give rows."""
    found = run("schema", "--db", "duckdb:", "--sql", "; ".join(statements))
    if found.returncode != 0:
        raise AssertionError(found.stderr.decode())


def write_parquet(path, query):
    duckdb(f"COPY ({query}) TO {text(path)} (FORMAT parquet)")


def write_duckdb(path, **tables):
    """Write a DuckDB file; each table is the result of a query."""
    made = [f"CREATE TABLE made.{name} AS {query}" for name, query in tables.items()]
    duckdb(f"ATTACH {text(path)} AS made", *made, "DETACH made", "SELECT 1 AS one")


def write_sqlite(path, columns, rows, table="t"):
    """Write a table; `columns` declares them: "a REAL, b TEXT"."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE {table} ({columns})")
        connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


class SourcesTest(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def succeed(self, *words, **options):
        found = run(*words, **options)
        self.assertEqual(found.returncode, 0, (words, found.stderr.decode()))
        return found

    def model_of(self, *words, **options):
        """The bytes of a model that is fitted without a message."""
        path = self.folder / "model.pidf"
        self.succeed("fit", *words, "-o", path, **options)
        return path.read_bytes()


def main():
    if not (DRIVERS / "duckdb.toml").exists():
        print(f"skipped: no database drivers in {DRIVERS}; scripts/bootstrap sources installs them", file=sys.stderr)
        sys.exit(SKIPPED)
    command.main()
