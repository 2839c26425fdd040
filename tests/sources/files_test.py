# SPDX-License-Identifier: Apache-2.0
"""Parquet files, DuckDB and SQLite as sources of the command: equal models, the rule for each type, and names of files.
PIDFOREST_BINARY is the path of the command."""

import csv
import json
import unittest

from sources import BAD_DATA, FILE_ERROR, ROOT, SourcesTest, main, run, text, write_duckdb, write_parquet, write_sqlite

ORDERS = ROOT / "examples" / "orders.csv"
FROM_CSV = f"SELECT * FROM read_csv({text(ORDERS)}, header = true)"

EVERY_TYPE = """
SELECT i AS big, (i * 1.25)::DECIMAL(18, 3) AS price, i::HUGEINT AS huge, (i % 7)::FLOAT AS single, i % 2 = 0 AS flag,
  CASE i % 3 WHEN 0 THEN 'a' ELSE 'b' END::ENUM ('b', 'a') AS mood, TIMESTAMP '2026-03-02 08:00:00' + to_minutes(i * 97) AS at,
  DATE '2026-03-02' + i::INT AS day, TIMESTAMPTZ '2026-03-02 08:00:00+02:00' + to_minutes(i * 97) AS instant,
  TIME '10:00:00' + to_minutes(i) AS clock, to_days(i::INT) AS span, [i, i + 1] AS list, {'a': i} AS record, MAP {'a': i} AS map,
  (i::VARCHAR)::BLOB AS bytes, 'x' || (i % 5) AS word
FROM range(100) AS t (i)
"""


class SameModel(SourcesTest):
    """A table gives one model, bit for bit, whatever it comes from."""

    def sources(self):
        write_parquet(self.folder / "t.parquet", FROM_CSV)
        write_duckdb(self.folder / "t.duckdb", t=FROM_CSV)
        with open(ORDERS, encoding="utf-8", newline="") as file:
            header, *rows = list(csv.reader(file))
        numbers = {header.index(name) for name in ("amount", "fraud")}
        typed = [[float(v) if j in numbers and v else v or None for j, v in enumerate(row)] for row in rows]
        columns = ", ".join(f"{name} {'REAL' if j in numbers else 'TEXT'}" for j, name in enumerate(header))
        write_sqlite(self.folder / "t.sqlite", columns, typed)
        yield "parquet", [self.folder / "t.parquet"]
        yield "duckdb", ["--db", f"duckdb:{self.folder}/t.duckdb", "--sql", "FROM t"]
        yield "sqlite", ["--db", f"sqlite:{self.folder}/t.sqlite", "--sql", "SELECT * FROM t"]

    def test_a_model_has_the_bytes_of_that_of_the_csv_file(self):
        expected = self.model_of(ORDERS, "--label", "fraud")
        schema = ["--schema", ROOT / "examples" / "orders.schema.json"]
        expected_by_schema = self.model_of(ORDERS, "--label", "fraud", *schema)
        for name, words in self.sources():
            with self.subTest(name):
                self.assertEqual(self.model_of(*words, "--label", "fraud"), expected)
                self.assertEqual(self.model_of(*words, "--label", "fraud", *schema), expected_by_schema)

    def test_every_verb_prints_what_it_prints_of_the_csv_file(self):
        model = self.folder / "m.pidf"
        self.succeed("fit", ORDERS, "--label", "fraud", "-o", model)
        verbs = {
            "detect": ["--label", "fraud", "--id", "order_id"],
            "schema": ["--ignore", "fraud"],
            "score": [model, "--id", "order_id"],
            "explain": [model, "--id", "order_id", "--top", "3"],
        }
        for name, words in self.sources():
            for verb, flags in verbs.items():
                with self.subTest(name, verb=verb):
                    positional = [flags[0]] if flags[0] == model else []
                    rest = flags[len(positional):]
                    expected = self.succeed(verb, *positional, ORDERS, *rest).stdout
                    self.assertEqual(self.succeed(verb, *positional, *words, *rest).stdout, expected)

    def test_a_report_names_the_database_without_its_folder(self):
        write_duckdb(self.folder / "t.duckdb", t=FROM_CSV)
        source = ["--db", f"duckdb:{self.folder}/t.duckdb", "--sql", "FROM t"]
        page, model = self.folder / "page.html", self.folder / "m.pidf"
        self.succeed("detect", *source, "--label", "fraud", "--report", page, "--model", model)
        self.assertIn("t.duckdb", page.read_text(encoding="utf-8"))
        self.succeed("report", model, *source, "-o", page)
        self.assertIn("t.duckdb", page.read_text(encoding="utf-8"))

    def test_windows_of_a_series_are_the_same(self):
        traffic = ROOT / "examples" / "traffic.csv"
        write_parquet(self.folder / "s.parquet", f"SELECT * FROM read_csv({text(traffic)}, header = true)")
        flags = ["--label", "fault", "--window", "4", "--time", "time", "--by", "host", "--max-gap", "15min"]
        self.assertEqual(self.model_of(self.folder / "s.parquet", *flags), self.model_of(traffic, *flags))


class Types(SourcesTest):
    def kinds(self, query):
        found = self.succeed("schema", "--db", "duckdb:", "--sql", query)
        columns = json.loads(found.stdout)["columns"]
        return {column["name"]: column for column in columns}, found.stderr.decode()

    def test_every_type_has_a_rule(self):
        columns, said = self.kinds(EVERY_TYPE)
        for name in ("big", "price", "huge", "single"):
            self.assertEqual(columns[name]["kind"], "continuous", name)
        kinds = {"flag": "boolean", "mood": "category", "at": "time", "day": "time", "instant": "time", "clock": "cyclic", "word": "category"}
        self.assertEqual({name: columns[name]["kind"] for name in kinds}, kinds)
        self.assertEqual(columns["instant"]["zone"], "UTC")
        self.assertEqual(columns["mood"]["levels"], ["a", "b"])
        for name, words in {"span": "an interval", "list": "a list", "record": "a struct", "map": "a map", "bytes": "binary data"}.items():
            self.assertNotIn(name, columns)
            self.assertRegex(said, f"left out: column '{name}' .*got {words}")

    def test_the_hours_of_an_instant_do_not_depend_on_the_machine(self):
        query = ["--db", "duckdb:", "--sql", EVERY_TYPE, "--ignore", "span,list,record,map,bytes"]
        self.assertEqual(self.model_of(*query, env={"TZ": "Asia/Tokyo"}), self.model_of(*query, env={"TZ": "UTC"}))

    def test_a_column_that_cannot_be_read_is_refused_if_a_flag_or_schema_names_it(self):
        query = ["--db", "duckdb:", "--sql", EVERY_TYPE]
        self.expect(run("detect", *query, "--id", "list", "--quiet"), BAD_DATA, "column 'list'", "got a list")
        schema = self.folder / "s.json"
        schema.write_text('{"columns": [{"name": "span", "kind": "continuous"}]}', encoding="utf-8")
        self.expect(run("detect", *query, "--schema", schema), BAD_DATA, "column 'span'", "got an interval")

    def test_identifiers_keep_all_their_digits(self):
        model = self.folder / "m.pidf"
        query = "SELECT 9007199254740993 + i AS id, (i % 9)::DOUBLE AS x FROM range(100) AS t (i)"
        source = ["--db", "duckdb:", "--sql", query]
        self.succeed("fit", *source, "--ignore", "id", "-o", model)
        lines = self.succeed("score", model, *source, "--id", "id").stdout.decode().splitlines()
        self.assertEqual([line.split(",")[0] for line in lines[1:]], [str(9007199254740993 + i) for i in range(100)])

    def test_append_writes_times_and_booleans_as_texts(self):
        model = self.folder / "m.pidf"
        query = "SELECT i AS n, i % 2 = 0 AS flag, TIMESTAMP '2026-03-02 08:00:00' + to_minutes(i) AS at FROM range(50) AS t (i)"
        source = ["--db", "duckdb:", "--sql", query]
        self.succeed("fit", *source, "-o", model)
        lines = self.succeed("score", model, *source, "--append").stdout.decode().splitlines()
        self.assertEqual(lines[0], "n,flag,at,score,is_anomaly")
        self.assertTrue(lines[2].startswith("1,false,2026-03-02 08:01,"), lines[2])

    def test_labels_may_be_numbers_or_booleans(self):
        for label in ("i % 10 = 0", "(i % 10 = 0)::INT"):
            source = ["--db", "duckdb:", "--sql", f"SELECT i AS n, {label} AS bad FROM range(50) AS t (i)"]
            self.assertIn(b"AUC", self.succeed("detect", *source, "--label", "bad").stdout)

    def test_sqlite_columns_of_mixed_types_are_told(self):
        write_sqlite(self.folder / "t.sqlite", "a", [[i] for i in range(70_000)] + [["x"]])
        found = run("detect", "--db", f"sqlite:{self.folder}/t.sqlite", "--sql", "SELECT a FROM t")
        self.expect(found, BAD_DATA, "column", "expected")


class Files(SourcesTest):
    def write(self, name, first, n=50):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_parquet(path, f"SELECT (i % 9)::DOUBLE AS x, i AS id FROM range({first}, {first + n}) AS t (i)")
        return path

    def ids(self, name, *flags):
        model = self.folder / "m.pidf"
        self.succeed("fit", self.folder / name, *flags, "--ignore", "id", "-o", model)
        lines = self.succeed("score", model, self.folder / name, *flags, "--id", "id").stdout.decode().splitlines()
        return [int(line.split(",")[0]) for line in lines[1:]]

    def test_a_pattern_or_folder_is_read_in_the_order_of_the_names(self):
        for first in (300, 100, 200, 0):  # not in the order of the names
            self.write(f"parts/p{first:03}.parquet", first)
        (self.folder / "parts" / "_notes.parquet").write_text("no table", encoding="utf-8")
        expected = [first + i for first in (0, 100, 200, 300) for i in range(50)]
        self.assertEqual(self.ids("parts/p*.parquet"), expected)
        self.assertEqual(self.ids("parts"), expected)
        self.assertEqual(self.ids("parts/p[13]*.parquet"), [*range(100, 150), *range(300, 350)])

    def test_partitions_give_a_column(self):
        for year in (2027, 2026):
            self.write(f"sales/year={year}/a.parquet", year)
        found = self.succeed("schema", self.folder / "sales")
        self.assertEqual([c["name"] for c in json.loads(found.stdout)["columns"]], ["x", "id", "year"])
        self.assertEqual(self.ids("sales")[0], 2026)

    def test_the_characters_of_a_pattern_may_be_in_the_name_of_a_file(self):
        self.write("a[1].parquet", 0)
        self.write("a1.parquet", 500)
        self.write("what?*'; DROP.parquet", 700)
        self.assertEqual(self.ids("a[1].parquet")[0], 0)
        self.assertEqual(self.ids("what?*'; DROP.parquet")[0], 700)

    def test_the_format_may_be_named(self):
        path = self.write("a.parquet", 0)
        path.rename(self.folder / "a.data")
        self.assertEqual(len(self.ids("a.data", "--format", "parquet")), 50)

    def test_what_is_not_there_is_told(self):
        self.expect(run("detect", self.folder / "no.parquet"), FILE_ERROR, "no.parquet", "No such file")
        self.expect(run("detect", self.folder / "n*.parquet"), FILE_ERROR, "no file matches", "n*.parquet")
        self.expect(run("detect", self.folder), FILE_ERROR, "directory without .parquet files")
        self.expect(run("detect", "--db", f"sqlite:{self.folder}/no.db", "--sql", "SELECT 1"), FILE_ERROR, "no.db", "No such file")
        self.assertFalse((self.folder / "no.db").exists())

    def test_damaged_files_are_told(self):
        whole = self.write("a.parquet", 0).read_bytes()
        for name, content in {"empty": b"", "text": b"a,b\n1,2\n", "cut": whole[: len(whole) // 2], "head": whole[:8]}.items():
            with self.subTest(name):
                (self.folder / "b.parquet").write_bytes(content)
                self.expect(run("detect", self.folder / "b.parquet"), BAD_DATA, "b.parquet")

    def test_files_with_other_columns_are_told(self):
        self.write("p/a.parquet", 0)
        write_parquet(self.folder / "p" / "b.parquet", "SELECT 1 AS y")
        self.expect(run("detect", self.folder / "p"), BAD_DATA, "b.parquet")


class History(SourcesTest):
    """A stream begins with the rows of Parquet files or of a query as with the lines of a CSV file."""

    def stream(self, *words):
        lines = "".join(f"2026-03-03 08:{minute:02}:00,{60 if minute == 40 else 10 + minute % 5},ok\n" for minute in range(60))
        flags = ["--time", "at", "--warm-up", "50", "--horizon", "300", "--json", "--every-event", *words]
        return run("stream", *flags, text="at,load,state\n" + lines)

    def test_a_stream_learns_parquet_files_and_queries(self):
        past = """SELECT strftime(TIMESTAMP '2026-03-02 00:00:00' + to_minutes(i), '%Y-%m-%d %H:%M:%S') AS at, 10 + i % 5 AS load,
          CASE i % 3 WHEN 0 THEN 'ok' WHEN 1 THEN 'slow' END AS state FROM range(200) AS t (i)"""
        timed = past.replace("strftime(TIMESTAMP '2026-03-02 00:00:00' + to_minutes(i), '%Y-%m-%d %H:%M:%S')", "TIMESTAMP '2026-03-02 00:00:00' + to_minutes(i)")
        csv_file, parquet, database = (self.folder / f"past.{end}" for end in ("csv", "parquet", "duckdb"))
        rows = [f"2026-03-02 {i // 60:02}:{i % 60:02}:00,{10 + i % 5},{['ok', 'slow', ''][i % 3]}\n" for i in range(200)]
        csv_file.write_text("at,load,state\n" + "".join(rows))
        write_parquet(parquet, timed)
        write_duckdb(database, t=past)
        expected = self.stream("--history", csv_file)
        self.assertIn(b"learned 200 events of the history\n60 events, 1 anomaly\n", expected.stderr)
        for words in (["--history", parquet], ["--sql", 'SELECT * FROM t ORDER BY "at"', "--db", f"duckdb:{database}"]):
            found = self.stream(*words)
            self.assertEqual(found.stderr, expected.stderr)
            self.assertEqual(found.stdout, expected.stdout)
        self.expect(self.stream("--history", self.folder / "none.parquet"), FILE_ERROR, "none.parquet")


if __name__ == "__main__":
    unittest.TestCase.maxDiff = 2000
    main()
