# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server as a source and a destination of the command. PIDFOREST_BINARY is its path.

The server is one of its own, on the loopback; without Debian's package postgresql the tests are skipped.
"""

import json
import sys

import postgresql_server
from sources import BAD_DATA, FILE_ERROR, ROOT, SKIPPED, SourcesTest, main, run

ORDERS = ROOT / "examples" / "orders.csv"
TABLES = """
CREATE TABLE orders (order_id text, placed_at timestamp, country text, payment text, amount numeric(12, 2), gift boolean,
  card_country text, fraud int);
\\copy orders FROM '{orders}' WITH (FORMAT csv, HEADER true)
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE types AS SELECT i AS small, i * 1.25::numeric AS price, CASE i WHEN 7 THEN 'NaN'::numeric ELSE i END AS gap,
  i * interval '1 day' AS span, timestamptz '2026-03-02 08:00:00+02' + i * interval '97 min' AS instant,
  timestamp '2026-03-02 08:00:00' + i * interval '97 min' AS at, date '2026-03-02' + i AS day, time '10:00' + i * interval '1 min' AS clock,
  ARRAY[i] AS list, i % 2 = 0 AS flag, CASE i % 2 WHEN 0 THEN 'ok' ELSE 'sad' END::mood AS mood, gen_random_uuid() AS uuid
  FROM generate_series(1, 100) AS t (i);
"""


class PostgresqlTest(SourcesTest):
    @classmethod
    def setUpClass(cls):
        cls.server = postgresql_server.Server().__enter__()
        cls.addClassCleanup(cls.server.__exit__)
        cls.server.run(TABLES.format(orders=ORDERS))

    def source(self, sql, url=None):
        return ["--db", url or self.server.url, "--sql", sql]

    def test_a_model_has_the_bytes_of_that_of_the_csv_file(self):
        expected = self.model_of(ORDERS, "--label", "fraud")
        self.assertEqual(self.model_of(*self.source("SELECT * FROM orders"), "--label", "fraud"), expected)

    def test_every_type_has_a_rule(self):
        found = self.succeed("schema", *self.source("SELECT * FROM types"))
        columns = {column["name"]: column for column in json.loads(found.stdout)["columns"]}
        kinds = {"small": "continuous", "price": "continuous", "gap": "continuous", "instant": "time", "at": "time", "day": "time"}
        kinds |= {"clock": "cyclic", "flag": "boolean", "mood": "category"}
        self.assertEqual({name: columns[name]["kind"] for name in kinds}, kinds)
        self.assertEqual(columns["gap"]["note"], "numbers; 1 of 100 values are missing")
        self.assertEqual(columns["instant"]["zone"], "UTC")
        for name, words in {"span": "an interval", "list": "a list", "uuid": "binary data"}.items():
            self.assertRegex(found.stderr.decode(), f"left out: column '{name}' .*got {words}")

    def test_a_query_cannot_change_the_database(self):
        self.expect(run("detect", *self.source("DELETE FROM orders RETURNING 1 AS x")), BAD_DATA, "read-only transaction")
        self.assertEqual(self.server.run("SELECT count(*) FROM orders"), "3105\n")

    def test_no_message_shows_the_password(self):
        secret, url = self.server.password, self.server.url
        addresses = {
            url: ("SELECT * FROM nowhere", "nowhere"),
            url + "?connect_timeout=x": ("SELECT 1", "connect_timeout"),
            url.replace("/postgres", "/gone"): ("SELECT 1", "gone"),
            url.replace("tester", "nobody"): ("SELECT 1", "password authentication failed"),
            url.replace(f":{secret}", f":%zz{secret}"): ("SELECT 1", "percent-encoded"),
            url.replace(f":{secret}", "") + f"?password={secret}&connect_timeout=x": ("SELECT 1", "connect_timeout"),
            url.replace("127.0.0.1", f"{secret}.invalid"): ("SELECT 1", "***"),
        }
        for address, (sql, word) in addresses.items():
            found = run("detect", *self.source(sql, address))
            self.assertIn(found.returncode, (BAD_DATA, FILE_ERROR))
            self.assertIn(word, found.stderr.decode())
            self.assertNotIn(secret, found.stderr.decode(), address)

    def test_a_report_does_not_show_the_password(self):
        page = self.folder / "page.html"
        found = self.succeed("detect", *self.source("SELECT * FROM orders"), "--label", "fraud", "--report", page)
        self.assertNotIn(self.server.password, page.read_text(encoding="utf-8") + found.stdout.decode() + found.stderr.decode())

    def test_the_password_may_come_from_the_environment(self):
        url = self.server.url.replace(f":{self.server.password}", "")
        self.succeed("schema", *self.source("SELECT 1 AS x", url), env={"PGPASSWORD": self.server.password})

    def test_a_server_that_is_not_there_is_told(self):
        port = postgresql_server.free_port()
        self.expect(run("detect", *self.source("SELECT 1", f"postgresql://me@127.0.0.1:{port}/x")), FILE_ERROR, "Connection refused", str(port))

    def score_into(self, table, *words):
        model = self.folder / "m.pidf"
        self.succeed("fit", ORDERS, "--label", "fraud", "-o", model)
        return run("score", model, *self.source("SELECT * FROM orders"), "--into", table, *words)

    def test_scores_are_written_in_one_transaction(self):
        self.assertEqual(self.score_into("scores", "--id", "order_id").returncode, 0)
        found = self.server.run("SELECT count(*), count(reason), sum(is_anomaly::int) FROM scores")
        self.assertEqual(found, "3105|7|7\n")
        self.expect(self.score_into("scores"), BAD_DATA, "the table 'scores' exists", "***")
        self.assertEqual(self.score_into("scores", "--replace").returncode, 0)
        self.assertEqual(self.server.run('SELECT min("row"), max("row") FROM scores'), "1|3105\n")

    def test_a_table_that_cannot_be_dropped_stays(self):
        self.server.run("CREATE TABLE kept AS SELECT 1 AS a; CREATE VIEW seen AS SELECT * FROM kept")
        self.expect(self.score_into("kept", "--replace"), BAD_DATA, "seen")
        self.assertEqual(self.server.run("SELECT * FROM kept"), "1\n")

    def test_names_with_capitals_and_quotes_are_kept(self):
        self.assertEqual(self.score_into('My "Scores"').returncode, 0)
        self.assertEqual(self.server.run('SELECT count(*) FROM "My ""Scores"""'), "3105\n")


if __name__ == "__main__":
    if postgresql_server.programs() is None:
        print("skipped: no PostgreSQL server; apt-get install postgresql installs one", file=sys.stderr)
        sys.exit(SKIPPED)
    main()
