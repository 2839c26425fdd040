# SPDX-License-Identifier: Apache-2.0
"""Queries to databases: flags, drivers, and scores written into a table. PIDFOREST_BINARY is the path of the command."""

import json
import re
import signal
import sqlite3
import subprocess
import time
import unittest

from sources import BAD_DATA, BINARY, DRIVERS, ENVIRONMENT, FILE_ERROR, INTERRUPTED, ROOT, USAGE_ERROR, SourcesTest, main, run
from sources import text, write_duckdb, write_parquet, write_sqlite

ORDERS = ROOT / "examples" / "orders.csv"
FROM_CSV = f"SELECT * FROM read_csv({text(ORDERS)}, header = true)"


class Flags(SourcesTest):
    def test_flags_that_would_be_ignored_are_refused(self):
        write_parquet(self.folder / "a.parquet", "SELECT 1 AS x")
        query = ["--db", "duckdb:", "--sql", "SELECT 1 AS x"]
        for words, message in {
            ("--sql", "SELECT 1"): "--sql requires --db",
            ("--db", "duckdb:"): "--db requires --sql",
            (*query, "--no-header"): "--no-header applies to text files",
            (ORDERS, "--db", "duckdb:"): "--db requires --sql",
            (ORDERS, *query): "FILE and --sql cannot be combined",
            (*query, "--format", "csv"): "--format and --sql cannot be combined",
            (*query, "--na", "x"): "--na applies to text files",
            (self.folder / "a.parquet", "--delimiter", ";"): "--delimiter applies to text files",
            (ORDERS, "--driver", "x.so"): "--driver requires",
            ("-", "--format", "parquet"): "Parquet cannot be read from standard input",
            ("--db", "mysql://me:secret@host/x", "--sql", "SELECT 1"): "--db must be duckdb:FILE",
            ("--db", "postgresql://me:se@cret@host/x", "--sql", "SELECT 1"): "must be percent-encoded",
            ("--sql", "sqlite", "--db", "duckdb:"): "--dialect sqlite",
        }.items():
            with self.subTest(words=words):
                found = run("detect", *words)
                self.expect(found, USAGE_ERROR, message)
                self.assertNotIn(b"cret", found.stderr)

    def test_rows_and_columns_are_chosen_as_from_a_text_file(self):
        chosen = ["--where", "amount > 20 and country in {Austria, Netherlands}", "--columns", "amount,pay*", "--sample", "100", "--json"]
        query = ["--db", "duckdb:", "--sql", f"SELECT * REPLACE (placed_at::TIMESTAMP AS placed_at) FROM ({FROM_CSV})"]
        expected, found = run("detect", ORDERS, *chosen), run("detect", *query, *chosen)
        self.assertEqual(expected.returncode, 0, expected.stderr)
        self.assertEqual(json.loads(found.stdout), json.loads(expected.stdout))
        self.assertEqual(found.stderr, expected.stderr)
        self.expect(run("detect", *query, "--columns", "amuont"), BAD_DATA, "Did you mean amount?")
        self.expect(run("detect", *query, "--ignore", "gpu*"), BAD_DATA, "no column that matches 'gpu*'")

    def test_a_query_that_fails_is_told(self):
        for query, message in {
            "SELECT * FROM nowhere": "nowhere",
            "SELECT": "SELECT clause",
            "SELECT 1 AS a, 2 AS a": "'a'",
            "SELECT 1 AS x WHERE false": "no rows",
            "SELECT error('stop') AS x": "stop",
        }.items():
            with self.subTest(query):
                self.expect(run("detect", "--db", "duckdb:", "--sql", query), BAD_DATA, message)

    def test_a_query_cannot_change_a_file(self):
        write_duckdb(self.folder / "t.duckdb", t="SELECT 1 AS x")
        write_sqlite(self.folder / "t.sqlite", "x", [[1]])
        for kind in ("duckdb", "sqlite"):
            path = self.folder / f"t.{kind}"
            before = path.read_bytes()
            found = run("detect", "--db", f"{kind}:{path}", "--sql", "DELETE FROM t")
            self.assertIn(found.returncode, (BAD_DATA, FILE_ERROR), found.stderr)
            self.assertEqual(path.read_bytes(), before)

    def test_ctrl_c_cancels_a_query(self):
        query = "SELECT sum(hash(i)) AS x FROM range(1000000000000) AS t (i)"
        words = [BINARY, "detect", "--db", "duckdb:", "--sql", query]
        with subprocess.Popen(words, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=30)
        self.assertEqual((process.returncode, said), (INTERRUPTED, b"pidforest: interrupted.\n"))

    def test_duckdb_is_kept_within_bounds(self):
        settings = ("memory_limit", "temp_directory", "autoinstall_known_extensions", "autoload_known_extensions", "TimeZone", "threads")
        columns = ", ".join(f"'is ' || current_setting('{name}') AS {name}" for name in settings)
        found = self.succeed("schema", "--db", "duckdb:", "--sql", f"SELECT {columns}", "--threads", "3", env={"TMPDIR": str(self.folder)})
        values = {column["name"]: column["levels"][0] for column in json.loads(found.stdout)["columns"]}
        self.assertEqual(values["memory_limit"], "is 953.6 MiB")  # 1 GB
        self.assertIn(f"is {self.folder}/pidforest-duckdb-", values["temp_directory"])
        self.assertEqual([values[name] for name in settings[2:]], ["is false", "is false", "is UTC", "is 3"])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_no_extension_is_downloaded(self):
        home = self.folder / "home"
        home.mkdir()
        found = run("detect", "--db", "duckdb:", "--sql", "SELECT * FROM read_xlsx('a.xlsx')", env={"HOME": str(home)})
        self.expect(found, BAD_DATA, "read_xlsx")
        self.assertEqual(list(home.iterdir()), [])


class Drivers(SourcesTest):
    QUERY = ("--db", "duckdb:", "--sql", "SELECT i AS x FROM range(9) AS t (i)")

    def run_plain(self, *words, **variables):
        return run("schema", *words, env={"ADBC_DRIVER_PATH": "", **variables})

    def test_a_missing_driver_says_what_to_install(self):
        installs = {"duckdb:": "libduckdb.so", f"sqlite:{ORDERS}": "adbc-driver-sqlite", "postgresql://me@localhost/x": "adbc-driver-postgresql"}
        for address, package in installs.items():
            kind = address.split(":")[0]
            found = self.run_plain("--db", address, "--sql", "SELECT 1")
            self.expect(found, FILE_ERROR, f"no driver for {kind}", package, "scripts/bootstrap sources", f"PIDFOREST_{kind.upper()}_DRIVER")
        (self.folder / "a.parquet").touch()
        self.expect(self.run_plain(self.folder / "a.parquet"), FILE_ERROR, "no driver for duckdb")

    def test_a_driver_is_found_in_every_place(self):
        library = re.search(r"shared = '(.*)'", (DRIVERS / "duckdb.toml").read_text(encoding="utf-8")).group(1)
        manifest = self.folder / "etc" / "adbc" / "drivers" / "duckdb.toml"
        manifest.parent.mkdir(parents=True)
        manifest.write_text(f'[Driver]\nentrypoint = "duckdb_adbc_init"\n[Driver.shared]\nlinux_amd64 = "{library}"\nlinux_arm64 = "{library}"\n')
        config = self.folder / "adbc" / "drivers"
        config.mkdir(parents=True)
        (config / "duckdb.toml").write_text(manifest.read_text())
        library_folder = library.rsplit("/", 1)[0]
        for words, variables in [
            (["--driver", library], {}),
            (["--driver", manifest], {}),
            ([], {"PIDFOREST_DUCKDB_DRIVER": library}),
            ([], {"ADBC_DRIVER_PATH": f"/nowhere:{manifest.parent}"}),
            ([], {"VIRTUAL_ENV": str(self.folder)}),
            ([], {"XDG_CONFIG_HOME": str(self.folder)}),
            ([], {"LD_LIBRARY_PATH": library_folder}),
        ]:
            with self.subTest(words=words, variables=variables):
                found = self.run_plain(*self.QUERY, *words, **variables)
                self.assertEqual(found.returncode, 0, found.stderr)

    def test_a_bad_driver_is_told(self):
        (self.folder / "text.so").write_text("no library", encoding="utf-8")
        (self.folder / "empty.toml").write_text("name = 'x'\n", encoding="utf-8")
        for driver, words in {
            "text.so": ["cannot load the driver", "text.so"],
            "gone.so": ["cannot load the driver", "gone.so"],
            "gone.toml": ["gone.toml", "No such file"],
            "empty.toml": ["empty.toml", "Driver.shared"],
        }.items():
            self.expect(self.run_plain(*self.QUERY, "--driver", self.folder / driver), FILE_ERROR, *words)
        self.expect(self.run_plain(*self.QUERY, "--driver", "libc.so.6"), FILE_ERROR, "libc.so.6", "is not an ADBC driver")


class Into(SourcesTest):
    def setUp(self):
        super().setUp()
        self.model = self.folder / "m.pidf"
        self.succeed("fit", ORDERS, "--label", "fraud", "-o", self.model)
        self.database = self.folder / "s.sqlite"
        write_sqlite(self.database, "a", [[1]], table="other")

    def rows(self, query="SELECT * FROM scores"):
        connection = sqlite3.connect(self.database)
        self.addCleanup(connection.close)
        return connection.execute(query).fetchall()

    def into(self, *words):
        return run("score", self.model, ORDERS, "--db", f"sqlite:{self.database}", "--into", "scores", *words)

    def test_the_table_has_the_scores_of_the_csv_output_and_the_reasons_of_anomalies(self):
        self.assertEqual(self.into("--id", "order_id").returncode, 0)
        lines = self.succeed("score", self.model, ORDERS, "--id", "order_id").stdout.decode().splitlines()[1:]
        expected = [line.split(",") for line in lines]
        found = self.rows()
        self.assertEqual([(name, repr(score), str(flag)) for name, score, flag, _ in found], [tuple(line) for line in expected])
        for _, _, is_anomaly, reason in found:
            self.assertEqual(is_anomaly == 1, reason is not None)
        self.assertIn("country = Canada", " ".join(reason for *_, reason in found if reason))

    def test_rows_are_numbered_from_1_without_an_identifier(self):
        self.assertEqual(self.into().returncode, 0)
        self.assertEqual([row for row, *_ in self.rows()], list(range(1, 3106)))

    def test_a_table_that_exists_is_replaced_only_if_asked_for(self):
        self.assertEqual(self.into().returncode, 0)
        before = self.rows()
        self.expect(self.into("--id", "order_id"), BAD_DATA, "the table 'scores' exists", "--replace")
        self.assertEqual(self.rows(), before)
        self.assertEqual(self.into("--id", "order_id", "--replace").returncode, 0)
        self.assertEqual(self.rows()[0][0], "A-10001")

    def test_anomalies_end_with_exit_code_10_if_asked_for(self):
        self.assertEqual(self.into("--fail-on-anomaly").returncode, 10)
        self.assertEqual(len(self.rows()), 3105)
        self.assertEqual(self.into("--fail-on-anomaly", "--replace", "--min-bits", "99").returncode, 0)

    def test_a_failure_leaves_the_table_as_it_was(self):
        self.assertEqual(self.into().returncode, 0)
        before = self.rows()
        with sqlite3.connect(self.database) as other:
            other.execute("BEGIN EXCLUSIVE")
            self.assertNotEqual(self.into("--replace").returncode, 0)
            other.rollback()
        self.assertEqual(self.rows(), before)

    def test_duckdb_takes_scores_and_gives_them_back(self):
        path = self.folder / "s.duckdb"
        write_duckdb(path, t=FROM_CSV)
        words = ["--db", f"duckdb:{path}", "--sql", "FROM t", "--into", 'a "name"']
        self.succeed("score", self.model, *words)
        self.expect(run("score", self.model, *words), BAD_DATA, "exists")
        self.succeed("score", self.model, *words, "--replace")
        found = self.succeed("schema", "--db", f"duckdb:{path}", "--sql", 'SELECT * FROM "a ""name""" WHERE is_anomaly')
        self.assertEqual([c["name"] for c in json.loads(found.stdout)["columns"]], ["row", "score", "is_anomaly", "reason"])

    def test_flags_that_would_be_ignored_are_refused(self):
        for words, message in {
            ("--json",): "--into cannot be combined",
            ("--top", "3"): "--into cannot be combined",
            ("--output", "x.csv"): "--into cannot be combined",
            ("--reason",): "--into cannot be combined",
        }.items():
            self.expect(self.into(*words), USAGE_ERROR, message)
        self.expect(run("score", self.model, ORDERS, "--into", "x"), USAGE_ERROR, "--into requires --db")
        self.expect(run("score", self.model, ORDERS, "--replace"), USAGE_ERROR, "--replace requires --into")
        self.expect(run("score", self.model, ORDERS, "--db", "duckdb:", "--into", "a.b"), USAGE_ERROR, "without that of a schema")


if __name__ == "__main__":
    unittest.TestCase.maxDiff = 2000
    main()
