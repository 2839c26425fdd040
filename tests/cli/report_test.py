# SPDX-License-Identifier: Apache-2.0
"""Runs `pidforest detect --report` and `pidforest report`, and reads the data of their pages. PIDFOREST_BINARY is
the path of the command. tests/report tests the pages in a browser."""

import csv
import json
import os
import pathlib
import re
import sqlite3
import tempfile

from command import USAGE_ERROR, BAD_DATA, FILE_ERROR, ORDERS, ROOT, CommandTest, main, run

FLEET = ROOT / "examples" / "fleet.csv"
TRAFFIC = ROOT / "examples" / "traffic.csv"
AS_SERIES = ["--window", "4", "--time", "time", "--by", "host", "--max-gap", "15min"]
HOSTILE = ["</script><script>window.hacked=1</script>", "\u2028\u2029", "\u202eשלום", "😀", "<!--", "x" * 1_000_000]


def data_of(page):
    """Return the data in the page of a report."""
    return json.loads(re.search(r'<script type="application/json" id="report-data">(.*?)</script>', page, re.S).group(1))


def rows_of(file):
    with open(file, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


class Reports(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def report(self, verb, *arguments, text=""):
        """Return the page, its data and the printed output."""
        page = self.folder / "report.html"
        flag = "--report" if verb == "detect" else "-o"
        result = run(verb, *arguments, flag, page, text=text)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"report written to {page}", result.stderr.decode())
        html = page.read_text(encoding="utf-8")
        return html, data_of(html), result.stdout

    def test_it_lists_what_detect_prints(self):
        _, data, printed = self.report("detect", FLEET, "--label", "fault", "--top", "12", "--json")
        found = json.loads(printed)
        self.assertEqual(data["n_rows"], found["n"])
        self.assertEqual(data["n_anomalies"], sum(row["is_anomaly"] for row in found["top"]))
        self.assertEqual(data["headline"], "12 anomalies in 4,032 rows, 2 incidents")
        for listed, row in zip(data["rows"], found["top"]):
            self.assertEqual((listed["row"], listed["is_anomaly"], listed["label"]), (row["row"], row["is_anomaly"], bool(row["label"])))
            self.assertAlmostEqual(listed["bits"], row["score"], places=3)
            self.assertEqual(f"{listed['reason']}: {listed['counts']}", row["reason"])

    def test_its_queries_count_what_it_says(self):
        _, data, _ = self.report("detect", FLEET, "--label", "fault", "--dialect", "sqlite")
        rows = rows_of(FLEET)
        database = sqlite3.connect(":memory:")
        database.execute(f"CREATE TABLE your_table ({', '.join(rows[0])})")
        database.executemany(f"INSERT INTO your_table VALUES ({', '.join('?' * len(rows[0]))})", [tuple(row.values()) for row in rows])
        for row in data["rows"]:
            self.assertEqual(database.execute(row["sql"]).fetchone()[0], row["n_impostors"] + 1, row["sql"])

    def test_the_time_of_a_report_is_that_of_source_date_epoch(self):
        def page(epoch):
            path = self.folder / "report.html"
            result = run("detect", FLEET, "--report", path, env={**os.environ, "SOURCE_DATE_EPOCH": epoch})
            return result, path.read_text(encoding="utf-8") if result.returncode == 0 else ""

        _, html = page("1000000000")
        self.assertEqual(dict(data_of(html)["facts"])["Created"].split(" by ")[0], "2001-09-09 01:46 UTC")
        self.assertEqual(page("1000000000")[1], html)
        self.assertEqual(page("")[0].returncode, 0)
        for wrong in ("yesterday", "-1", "1.5", " ", "99999999999999999999"):
            self.expect(page(wrong)[0], USAGE_ERROR, "SOURCE_DATE_EPOCH", f"'{wrong}'")

    def test_a_saved_model_makes_the_same_report(self):
        model = self.folder / "fleet.pidf"
        self.assertEqual(run("fit", FLEET, "--label", "fault", "-o", model).returncode, 0)
        _, detected, _ = self.report("detect", FLEET, "--label", "fault")
        _, reported, _ = self.report("report", model, FLEET, "--label", "fault")
        for data in (detected, reported):
            data["facts"] = [fact for fact in data["facts"] if fact[0] != "Created"]
        changes = reported.pop("changes")
        self.assertIsNone(detected.pop("changes"))
        self.assertEqual((changes["n_then"], changes["n_now"], changes["n_columns"], changes["columns"]), (4032, 4032, 10, []))
        self.assertEqual(detected, reported)

    def test_a_report_of_a_saved_model_says_what_changed_since_the_fit(self):
        model = self.folder / "fleet.pidf"
        self.assertEqual(run("fit", FLEET, "--label", "fault", "-o", model).returncode, 0)
        rows = rows_of(FLEET)
        for row in rows[::2]:
            row["cpu"] = ""
        text = "\n".join([",".join(rows[0])] + [",".join(row.values()) for row in rows]) + "\n"
        _, data, _ = self.report("report", model, "-", "--label", "fault", text=text)
        first = data["changes"]["columns"][0]
        self.assertEqual((first["name"], first["missing_then"], first["missing_now"]), ("cpu", 0, 0.5))
        self.assertIn("missing 50 %", first["words"])

    def test_a_model_without_a_profile_of_its_fit_makes_a_report_without_changes(self):
        model = self.folder / "fleet.pidf"
        self.assertEqual(run("fit", FLEET, "--label", "fault", "--no-reasons", "-o", model).returncode, 0)
        _, data, _ = self.report("report", model, FLEET, "--label", "fault")
        self.assertIsNone(data["changes"])
        self.assertEqual(data["n_rows"], 4032)

    def test_a_saved_model_of_windows_makes_the_same_report(self):
        model = self.folder / "traffic.pidf"
        self.assertEqual(run("fit", TRAFFIC, "--label", "fault", *AS_SERIES, "-o", model).returncode, 0)
        _, detected, _ = self.report("detect", TRAFFIC, "--label", "fault", *AS_SERIES)
        _, reported, _ = self.report("report", model, TRAFFIC, "--label", "fault", *AS_SERIES)
        self.assertEqual(detected["rows"], reported["rows"])
        self.assertEqual(detected["series"], reported["series"])

    def test_a_series_has_tracks_and_its_impostors_are_rows(self):
        _, data, _ = self.report("detect", TRAFFIC, "--label", "fault", *AS_SERIES)
        series = data["series"]
        self.assertEqual(sorted(track["key"] for track in series["tracks"]), ["blue", "green"])
        self.assertEqual(sum(series["calendar_rows"]), len(rows_of(TRAFFIC)))
        times = sorted(row["time"] for row in rows_of(TRAFFIC))
        self.assertIn(["Times", f"{times[0]} to {times[-1]}, UTC"], data["facts"])
        self.assertEqual(sum(series["calendar_anomalies"]), data["n_anomalies"])
        self.assertEqual(sum(span["n_anomalies"] for track in series["tracks"] for span in track["spans"]), data["n_anomalies"])
        times = {row["row"]: row["time"] for row in data["rows"]}
        samples = rows_of(TRAFFIC)
        for row, time in times.items():
            self.assertEqual(time, samples[row - 1]["time"])
        self.assertTrue(all(row["sql"] == "" and "window" in row["sql_note"] for row in data["rows"] if row["counts"]))

    def test_incidents_of_a_series_are_in_time_and_hold_the_listed_anomalies(self):
        _, data, _ = self.report("detect", TRAFFIC, "--label", "fault", *AS_SERIES)
        self.assertTrue(data["is_in_time"])
        self.assertEqual(data["headline"], f"{data['n_anomalies']} anomalies in 2,672 rows, {len(data['incidents'])} incidents")
        self.assertEqual(sum(incident["n_anomalies"] for incident in data["incidents"]), data["n_anomalies"])
        samples = rows_of(TRAFFIC)
        for row in data["rows"]:
            self.assertEqual(row["is_anomaly"], row["incident"] is not None)
            if row["is_anomaly"]:
                incident = data["incidents"][row["incident"]]
                self.assertEqual(incident["key"], samples[row["row"] - 1]["host"])
                self.assertTrue(incident["first_time"] <= row["time"] <= incident["last_time"])
        for incident in data["incidents"]:
            worst = data["rows"][incident["row"]]
            self.assertEqual((worst["bits"], worst["time"]), (incident["bits"], incident["worst_time"]))
            self.assertIn(incident["blame"][0]["name"], ("requests", "latency_ms"))
        spans = {(track["key"], span["from"], span["to"]) for track in data["series"]["tracks"] for span in track["spans"]}
        self.assertEqual(spans, {(incident["key"], incident["from"], incident["to"]) for incident in data["incidents"]})

    def test_its_incidents_are_those_that_detect_lists(self):
        for more in ([], ["--cool-down", "5d"], ["--alerts-per-day", "0.2"], ["--alerts-per-day", "0.1", "--per-key"]):
            _, data, printed = self.report("detect", TRAFFIC, "--label", "fault", *AS_SERIES, "--incidents", "--json", *more)
            listed = json.loads(printed)["incidents"]
            self.assertGreater(len(listed), 0)
            self.assertEqual([one["n_anomalies"] for one in data["incidents"]], [one["n_anomalies"] for one in listed], more)
            self.assertEqual([one["key"] for one in data["incidents"]], [one["key"] for one in listed], more)

    def test_a_table_that_is_no_series_has_incidents_by_reason(self):
        _, data, _ = self.report("detect", ORDERS, "--schema", ORDERS.with_suffix(".schema.json"), "--label", "fraud")
        self.assertFalse(data["is_in_time"])
        self.assertTrue(data["series"]["has_clock"])
        for place, incident in enumerate(data["incidents"]):
            self.assertEqual(data["rows"][incident["row"]]["incident"], place)
            self.assertEqual(incident["key"], "")

    def test_numbers_that_are_times_or_codes_are_no_metrics(self):
        schema = self.folder / "schema.json"
        columns = [{"name": "at", "kind": "time", "unit": "s"}, {"name": "code", "kind": "category"}, {"name": "load", "kind": "continuous"}]
        schema.write_text(json.dumps({"columns": columns}), encoding="utf-8")
        text = "at,code,load\n" + "".join(f"{1_770_000_000 + 600 * i},{200 + i % 3},{i % 7}\n" for i in range(300))
        _, data, _ = self.report("detect", "-", "--schema", schema, text=text)
        self.assertEqual([metric["name"] for metric in data["series"]["tracks"][0]["metrics"]], ["load"])
        self.assertEqual(data["series"]["first_time"], "2026-02-02 02:40")

    def test_values_of_many_kinds_and_names_of_rows(self):
        flags = ["--schema", ROOT / "examples" / "orders.schema.json", "--label", "fraud", "--id", "order_id"]
        _, data, _ = self.report("detect", ORDERS, *flags)
        orders = rows_of(ORDERS)
        kinds = {column["name"]: column["kind"] for column in data["columns"]}
        self.assertEqual((kinds["country"], kinds["placed_at"], kinds["gift"]), ("category", "time", "boolean"))
        for row in data["rows"]:
            order = orders[row["row"] - 1]
            self.assertEqual(row["id"], order["order_id"])
            values = {data["columns"][one["column"]]["name"]: one["value"] for one in row["columns"]}
            if "country" in values:
                self.assertEqual(values["country"], order["country"] or "missing")
        card_country = next(column for column in data["columns"] if column["name"] == "card_country")
        n_missing = sum(order["card_country"] == "" for order in orders)
        self.assertAlmostEqual(card_country["missing_share"], n_missing / len(orders), places=3)

    def test_ten_rows_and_one_and_none_that_is_rare(self):
        for n in (1, 2, 10):
            text = "x,y\n" + "".join(f"{i},{i * i}\n" for i in range(n))
            _, data, _ = self.report("detect", "-", text=text)
            self.assertEqual((data["n_rows"], len(data["rows"]), data["title"]), (n, n, "standard input"))
        _, data, _ = self.report("detect", "-", "--contamination", "none", text=text)
        self.assertEqual((data["headline"], data["scores"]["threshold"]), ("The highest scores of 10 rows", None))
        _, data, _ = self.report("detect", "-", "--min-bits", "1000", text=text)
        self.assertEqual(data["headline"], "No anomalies in 10 rows")

    def test_hostile_names_are_data_and_no_markup(self):
        names = [f"{name} {i}" for i, name in enumerate(HOSTILE)]
        text = ",".join(['"number"', *(f'"{name}"' for name in names)]) + "\n"
        text += "".join(f"{i % 40}" + f',"{names[0] if i % 29 else names[i % 6]}"' * len(names) + "\n" for i in range(60))
        text += '400,"' + '","'.join(names) + '"\n'
        html, data, _ = self.report("detect", "-", "--min-bits", "0", text=text)
        self.assertLess(len(html), 2_000_000)
        self.assertEqual(html.count("window.hacked=1</script>"), 0)
        self.assertIn(names[0][:40], data["columns"][1]["name"])
        self.assertNotIn("\u2028", html)

    def test_more_anomalies_than_can_be_listed_are_counted_and_said_so(self):
        text = "x,y\n" + "".join(f"{i % 1009},{i % 997}\n" for i in range(12_000))
        _, data, _ = self.report("detect", "-", "--min-bits", "-100", text=text)
        self.assertEqual((data["n_anomalies"], data["headline"].split(" ")[0]), (12_000, "12,000"))
        self.assertGreaterEqual(len(data["rows"]), 200)
        self.assertTrue(any("10,000 anomalies with the highest scores" in note for note in data["notes"]), data["notes"])
        self.assertTrue(any("of 12,000 anomalies are listed" in note for note in data["notes"]), data["notes"])

    def test_of_very_many_columns_those_that_say_most_are_shown(self):
        names = [f"c{j}" for j in range(120)]
        text = ",".join(names) + "\n" + "".join(",".join(str((i * (j + 3)) % 17) for j in range(120)) + "\n" for i in range(50))
        _, data, _ = self.report("detect", "-", text=text)
        self.assertEqual((len(data["columns"]), len(data["axes"])), (120, 120))
        self.assertTrue(all(len(row["columns"]) <= 100 for row in data["rows"]))
        self.assertIn("For each row, the 100 columns with the most bits are shown.", data["notes"])

    def test_what_rules_account_for_is_no_anomaly(self):
        rules = self.folder / "rules.json"
        rules.write_text('[[{"column": "errors_per_min", "at_least": 1}]]', encoding="utf-8")
        _, data, _ = self.report("detect", FLEET, "--label", "fault", "--suppress", rules)
        self.assertEqual(data["n_anomalies"], 8)
        self.assertIn("4 more rows are suppressed by known reasons.", data["notes"])

    def test_usage_errors_are_reported(self):
        self.expect(run("detect", FLEET, "--dialect", "sqlite"), USAGE_ERROR, "--dialect requires --report")
        self.expect(run("detect", FLEET, "--report", "x.html", "--dialect", "oracle"), USAGE_ERROR, "--dialect must be standard or sqlite; got oracle")
        self.expect(run("detect", FLEET, "--report", "-"), USAGE_ERROR, "--report must be a file")
        self.expect(run("detect", FLEET, "--quiet", "--label", "fault", "--report", self.folder / "no" / "x.html"), FILE_ERROR, "x.html")
        model = self.folder / "fleet.pidf"
        self.assertEqual(run("fit", FLEET, "--label", "fault", "-o", model).returncode, 0)
        self.expect(run("report", model, FLEET, "--id", "nothing", "-o", self.folder / "x.html"), BAD_DATA, "nothing")
        self.expect(run("report", model, TRAFFIC, "-o", self.folder / "x.html"), BAD_DATA, "machine")
        self.assertFalse((self.folder / "x.html").exists())

    def test_a_page_to_the_standard_output(self):
        model = self.folder / "fleet.pidf"
        self.assertEqual(run("fit", FLEET, "--label", "fault", "-o", model).returncode, 0)
        page = run("report", model, FLEET, "-o", "-").stdout.decode()
        self.assertTrue(page.startswith("<!doctype html>"), page[:40])
        self.assertEqual(data_of(page)["n_rows"], 4032)


if __name__ == "__main__":
    main()
