# SPDX-License-Identifier: Apache-2.0
"""Runs `pidforest detect --window` on time series. PIDFOREST_BINARY is the path of the command."""

import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from command import USAGE_ERROR, BAD_DATA, ROOT, CommandTest, main, run

sys.path.insert(0, str(ROOT / "benchmarks" / "accuracy"))
import data_sets  # noqa: E402

TRAFFIC = ROOT / "examples" / "traffic.csv"
AS_SERIES = ["--window", "4", "--time", "time", "--by", "host", "--max-gap", "15min", "--label", "fault"]
LAGS = ["--views", "lags"]
SAWTOOTH = [(7 * i) % 20 for i in range(60)]


def detect(text, *flags):
    return run("detect", "-", *flags, text=text)


def found(result):
    if result.returncode != 0:
        raise AssertionError(result.stderr.decode())
    return json.loads(result.stdout)


def series_text(values, header="x"):
    return header + "\n" + "".join(f"{value}\n" for value in values)


def shingled_text(values, window):
    """Return the windows, written out by hand."""
    names = [f"x {lag} sample{'s' if lag > 1 else ''} earlier" for lag in range(window - 1, 0, -1)] + ["x"]
    rows = (values[i : i + window] for i in range(len(values) - window + 1))
    return "\n".join(",".join(map(str, row)) for row in [names, *rows]) + "\n"


class DetectSeries(CommandTest):
    def scores(self, text, *flags):
        """Return the scores of all rows; None if a row has none."""
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder, "scores.csv")
            result = detect(text, "--output", output, *flags)
            self.assertEqual(result.returncode, 0, result.stderr)
            with output.open(newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual([int(row["row"]) for row in rows], list(range(1, len(rows) + 1)))
        self.assertTrue(all((row["score"] == "") == (row["is_anomaly"] == "") for row in rows))
        return [float(row["score"]) if row["score"] else None for row in rows]

    def test_a_model_of_windows_scores_tomorrow_as_detect_does_today(self):
        flags = ["--window", "4", "--time", "time", "--by", "host", "--max-gap", "15min"]
        with tempfile.TemporaryDirectory() as folder:
            model, detected = pathlib.Path(folder, "traffic.pidf"), pathlib.Path(folder, "scores.csv")
            self.assertEqual(run("fit", TRAFFIC, *flags, "--label", "fault", "-o", model).returncode, 0)
            self.assertEqual(run("detect", TRAFFIC, *flags, "--label", "fault", "--output", detected).returncode, 0)
            for repeated in ([], flags, ["--window", "4", "--views", "residual"]):
                self.assertEqual(run("score", model, TRAFFIC, *repeated).stdout, detected.read_bytes())
            top = run("score", model, TRAFFIC, "--top", "3", "--id", "time", "--align", "max")
            self.assertEqual(len(top.stdout.splitlines()), 4)
            others = {"--window": "3", "--views": "lags", "--by": "time", "--max-gap": "5min", "--means": "8"}
            for flag, value in others.items():
                window = [] if flag == "--window" else ["--window", "4"]
                self.expect(run("score", model, TRAFFIC, *window, flag, value), USAGE_ERROR, flag, "at the fit")
            self.expect(run("score", model, TRAFFIC, "--append"), USAGE_ERROR, "--append")
            self.expect(run("fit", TRAFFIC, *flags, "--align", "max", "-o", model), USAGE_ERROR, "--align")

    def test_a_model_of_lags_alone_needs_the_flags_again(self):
        flags = ["--window", "4", "--time", "time", "--by", "host", "--max-gap", "15min"]
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder, "traffic.pidf")
            self.assertEqual(run("fit", TRAFFIC, *flags, *LAGS, "--label", "fault", "-o", model).returncode, 0)
            self.assertEqual(run("score", model, TRAFFIC, *flags, *LAGS, "--ignore", "fault").returncode, 0)
            self.expect(run("score", model, TRAFFIC, "--window", "3", *LAGS, "--ignore", "fault,time,host"), BAD_DATA, "'requests 45 min earlier'")
            self.expect(run("score", model, TRAFFIC, "--ignore", "fault"), USAGE_ERROR, "--window")

    def test_the_season_of_the_fit_says_what_is_usual_tomorrow(self):
        def text(days, first_day, extra):
            lines = [f"2026-03-{first_day + i // 24:02}T{i % 24:02}:00,{100 * (i % 24) + i * i % 7 + (extra if i == 30 else 0)}" for i in range(24 * days)]
            return "t,x\n" + "\n".join(lines) + "\n"

        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder, "season.pidf")
            fitted = run("fit", "-", "--window", "3", "--time", "t", "-o", model, text=text(10, 1, 0))
            self.assertEqual(fitted.returncode, 0, fitted.stderr)
            result = run("score", model, "-", "--top", "1", "--id", "t", text=text(2, 20, -900))
            self.assertIn(b"2026-03-21T0", result.stdout)
            why = run("explain", model, "-", "--row", "31", "--json", text=text(2, 20, -900))
            self.assertIn("x minus usual", json.loads(why.stdout)["reason"])

    def test_explain_and_report_make_the_windows_of_the_model(self):
        with tempfile.TemporaryDirectory() as folder:
            model, page = pathlib.Path(folder, "traffic.pidf"), pathlib.Path(folder, "report.html")
            result = run("detect", TRAFFIC, *AS_SERIES, "--model", model, "--json", "--top", "3")
            explained = run("explain", model, TRAFFIC, "--top", "3", "--json", "--dialect", "sqlite")
            rows = [json.loads(line) for line in explained.stdout.splitlines()]
            self.assertEqual([row["row"] for row in rows], [row["row"] for row in found(result)["top"]])
            self.assertEqual([row["reason"] for row in rows], [row["reason"] for row in found(result)["top"]])
            self.assertTrue(all(row["sql"].startswith("-- a window spans") for row in rows))
            against = run("explain", model, TRAFFIC, "--row", rows[0]["row"], "--against", TRAFFIC, "--json")
            self.assertEqual(json.loads(against.stdout)["witness"], rows[0]["witness"])
            every = run("explain", model, TRAFFIC, "--all", "--json")
            self.assertEqual(len(every.stdout.splitlines()), 2663)
            self.assertEqual(run("report", model, TRAFFIC, "-o", page).returncode, 0)
            lags = run("fit", TRAFFIC, *AS_SERIES, *LAGS, "-o", model)
            self.assertEqual(lags.returncode, 0, lags.stderr)
            by_flags = run("explain", model, TRAFFIC, *AS_SERIES[:8], *LAGS, "--ignore", "fault", "--top", "1", "--json")
            self.assertIn("earlier", json.loads(by_flags.stdout)["reason"])

    def test_rows_with_context_find_the_faults_and_a_model_knows_the_context(self):
        flags = ["--context", "--time", "time", "--by", "host", "--max-gap", "15min"]
        with tempfile.TemporaryDirectory() as folder:
            model, detected = pathlib.Path(folder, "traffic.pidf"), pathlib.Path(folder, "scores.csv")
            document = found(run("detect", TRAFFIC, *flags, "--label", "fault", "--model", model, "--output", detected, "--json"))
            self.assertGreater(document["auc"], 0.95)
            self.assertTrue(any("within 15 min" in row["reason"] or "over the last 2 h" in row["reason"] for row in document["top"]))
            self.assertEqual(run("score", model, TRAFFIC).stdout, detected.read_bytes())
            self.assertEqual(run("score", model, TRAFFIC, *flags).stdout, detected.read_bytes())
            explained = run("explain", model, TRAFFIC, "--top", "1", "--json")
            self.assertEqual(json.loads(explained.stdout)["reason"], document["top"][0]["reason"])
            self.expect(run("score", model, TRAFFIC, "--window", "4"), USAGE_ERROR, "--window")
            self.expect(run("score", model, TRAFFIC, *flags[:-1], "5min"), USAGE_ERROR, "--max-gap", "15 min")
            self.expect(run("detect", TRAFFIC, *flags, "--window", "4"), USAGE_ERROR, "--context", "--window")
            self.expect(run("detect", TRAFFIC, "--context"), USAGE_ERROR, "--context", "--time")
            self.expect(run("detect", TRAFFIC, *flags, "--views", "lags"), USAGE_ERROR, "--views", "--window")

    def test_a_gap_a_late_metric_and_a_burst_of_missing_values_leave_every_window_its_score(self):
        lines = []
        for i in range(400):
            late = "" if i < 150 else (3 * i) % 11
            burst = "" if 200 <= i < 230 else (7 * i) % 20
            gone = "" if i >= 300 else (5 * i) % 13
            lines.append(f"{60 * (i + (500 if i >= 250 else 0))},{late},{burst},{gone}")
        schema = {"columns": [{"name": "t", "kind": "time", "unit": "s"}, *({"name": n, "kind": "continuous"} for n in "xyz")]}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "schema.json")
            path.write_text(json.dumps(schema))
            text = "t,x,y,z\n" + "\n".join(lines) + "\n"
            scores = self.scores(text, "--schema", path, "--window", "4", "--time", "t", "--max-gap", "10min")
        self.assertEqual([i for i, score in enumerate(scores) if score is None], [0, 1, 2, 250, 251, 252])

    def test_the_sample_is_what_the_script_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            again = pathlib.Path(folder, "traffic.csv")
            subprocess.run([sys.executable, ROOT / "scripts" / "make_series.py", again], check=True)
            self.assertEqual(again.read_bytes(), TRAFFIC.read_bytes())

    def test_windows_find_the_faults_that_single_samples_do_not_show(self):
        for views in (LAGS, []):
            windows = found(run("detect", TRAFFIC, *AS_SERIES, *views, "--align", "max", "--json"))
            self.assertGreater(windows["auc"], 0.95)
        samples = found(run("detect", TRAFFIC, "--label", "fault", "--ignore", "time,host", "--json"))
        self.assertGreater(windows["auc"], samples["auc"])

    def test_reasons_name_the_metric_and_how_long_before(self):
        top = found(run("detect", TRAFFIC, *AS_SERIES, *LAGS, "--json"))["top"]
        self.assertTrue(any("min earlier" in row["reason"] for row in top), [row["reason"] for row in top])

    def test_windows_score_as_if_they_were_written_out(self):
        by_hand = self.scores(shingled_text(SAWTOOTH, 3))
        series = series_text(SAWTOOTH)
        self.assertEqual(self.scores(series, "--window", 3, *LAGS, "--align", "start"), [*by_hand, None, None])
        self.assertEqual(self.scores(series, "--window", 3, *LAGS), [None, None, *by_hand])
        padded = [-1e9, -1e9, *by_hand, -1e9, -1e9]
        largest = [max(padded[i : i + 3]) for i in range(len(SAWTOOTH))]
        self.assertEqual(self.scores(series, "--window", 3, *LAGS, "--align", "max"), largest)

    def test_labels_are_those_of_the_time_points_that_have_a_score(self):
        values = [*SAWTOOTH, 500, *SAWTOOTH]
        text = "x,label\n" + "".join(f"{x},{int(x == 500)}\n" for x in values)
        first = found(detect(text, "--window", 3, *LAGS, "--label", "label", "--align", "start", "--json"))
        last = found(detect(text, "--window", 3, *LAGS, "--label", "label", "--json"))
        self.assertEqual(last["n"], len(values) - 2)
        self.assertEqual(last["d"], 3)
        for document in (first, last):
            marked = [row for row in document["top"] if row["label"]]
            self.assertEqual([row["row"] for row in marked], [len(SAWTOOTH) + 1])

    def test_the_window_is_found_from_the_period(self):
        text = series_text([i % 12 for i in range(200)])
        document = found(detect(text, "--window", "auto", *LAGS, "--json"))
        self.assertEqual(document["d"], 12)
        self.assertIn(b"using window 12, the period of the samples\n", detect(text, "--window", "auto").stderr)

    def test_means_and_the_calendar_are_columns_too(self):
        plain = found(run("detect", TRAFFIC, *AS_SERIES, *LAGS, "--json"))
        more = found(run("detect", TRAFFIC, *AS_SERIES, *LAGS, "--means", "8,96", "--calendar", "--top", "1000", "--json"))
        self.assertEqual(plain["d"], 2 * 4)
        self.assertEqual(more["d"], 2 * 4 + 2 * 2 + 1)
        used = {one["column"] for row in more["top"] for one in row["column_bits"]}
        self.assertLessEqual({"requests mean over 2 h", "latency_ms mean over 1 d", "time"}, used)

    def test_times_may_name_the_rows(self):
        top = found(run("detect", TRAFFIC, *AS_SERIES, "--id", "time", "--top", "3", "--json"))["top"]
        with TRAFFIC.open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["id"] for row in top], [rows[row["row"] - 1]["time"] for row in top])

    def test_a_report_reads_times_as_the_schema_says(self):
        columns = [{"name": "t", "kind": "time", "unit": "s", "zone": "Europe/Berlin"}, {"name": "x", "kind": "continuous"}]
        text = "t,x\n" + "".join(f"{1_772_000_000 + 60 * i},{value}\n" for i, value in enumerate(SAWTOOTH))
        with tempfile.TemporaryDirectory() as folder:
            schema, page = pathlib.Path(folder, "schema.json"), pathlib.Path(folder, "report.html")
            schema.write_text(json.dumps({"columns": columns}))
            result = detect(text, "--schema", schema, "--window", "3", "--time", "t", "--report", page)
            self.assertEqual(result.returncode, 0, result.stderr)
            series = json.loads(re.search(r'id="report-data">(.*?)</script>', page.read_text(), re.DOTALL)[1])["series"]
        self.assertEqual(series["zone"], "Europe/Berlin")
        self.assertEqual(series["tracks"][0]["times"], [1_772_000_000 + 60 * i for i in range(len(SAWTOOTH))])

    def test_incidents_hold_the_rows_of_several_series(self):
        document = found(run("detect", TRAFFIC, *AS_SERIES, "--incidents", "--min-bits", "3", "--json"))
        plain = found(run("detect", TRAFFIC, *AS_SERIES, "--min-bits", "3", "--top", "1000", "--json"))
        anomalies = [row for row in plain["top"] if row["is_anomaly"]]
        self.assertGreater(len(anomalies), 2)
        self.assertEqual(sum(one["n_anomalies"] for one in document["incidents"]), len(anomalies))
        worst = {one["worst"]["row"]: one["witness"] for one in document["incidents"]}
        self.assertEqual(worst, {row["row"]: row["witness"] for row in anomalies if row["row"] in worst})
        for row in anomalies:
            self.assertTrue(any(one["first_row"] <= row["row"] <= one["last_row"] for one in document["incidents"]), row["row"])

    def test_mistakes_are_named(self):
        text = series_text(SAWTOOTH)
        self.expect(detect(text, "--time", "x"), USAGE_ERROR, "--time", "--window")
        self.expect(detect(text, "--calendar"), USAGE_ERROR, "--calendar", "--window")
        self.expect(detect(text, "--means", "5"), USAGE_ERROR, "--means", "--window")
        self.expect(detect(text, "--window", "3", "--calendar"), USAGE_ERROR, "--calendar", "--time")
        self.expect(detect(text, "--window", "3", "--means", "1"), USAGE_ERROR, "--means", "1")
        self.expect(detect(text, "--views", "lags"), USAGE_ERROR, "--views", "--window")
        self.expect(detect(text, "--window", "3", "--views", "lag"), USAGE_ERROR, "lags, changes, scales, residual", "'lag'")
        self.expect(detect(text, "--align", "end"), USAGE_ERROR, "--align", "--window")
        self.expect(detect(text, "--window", "0"), USAGE_ERROR, "--window", "between 1", "got 0")
        self.expect(detect(text, "--window", "3x"), USAGE_ERROR, "--window", "got 3x")
        self.expect(detect(text, "--window", "3", "--align", "middle"), USAGE_ERROR, "start, end, max", "middle")
        self.expect(detect(text, "--window", "3", "--max-gap", "5min"), USAGE_ERROR, "--max-gap", "--time")
        gap = ["--window", "3", "--time", "t", "--max-gap"]
        self.expect(detect(text, *gap, "5 weeks"), USAGE_ERROR, "--max-gap", "10min", "5 weeks")
        self.expect(detect(text, "--window", "3", "--time", "t", "--by", "t"), USAGE_ERROR, "--time", "--by")
        self.expect(detect(text, "--window", "61"), BAD_DATA, "at most 60", "61")
        self.expect(detect(text, "--window", "3", "--time", "t"), BAD_DATA, "'t'")
        self.expect(detect("h,x\na,1\nb,2\n", "--window", "1"), BAD_DATA, "'h'", "numbers")


class Order(unittest.TestCase):
    def test_unsorted_rows_have_the_scores_of_sorted_ones_and_a_line_counts_them(self):
        lines = [f"2026-01-01 00:{i:02},{i % 7}" for i in range(60)]
        sorted_, shuffled = ("t,x\n" + "".join(line + "\n" for line in rows) for rows in (lines, lines[::-1]))
        flags = ["--window", "3", "--time", "t", "--id", "t", "--top", "60", "--json"]
        expected, result = detect(sorted_, *flags), detect(shuffled, *flags)
        self.assertEqual({row["id"]: row["score"] for row in found(result)["top"]},
                         {row["id"]: row["score"] for row in found(expected)["top"]})
        self.assertIn(b"59 rows earlier than a row before: sorted by t", result.stderr)
        self.assertNotIn(b"earlier", expected.stderr)

    def test_a_clock_that_goes_back_and_repeated_times_are_counted(self):
        lines = [f"2026-01-01 00:{i:02},{i}" for i in [*range(30), *range(10, 50), 49]]
        result = detect("t,x\n" + "".join(line + "\n" for line in lines), "--window", "3", "--time", "t")
        self.assertIn(b"the clock goes back in 1 place, where a new segment begins", result.stderr)
        self.assertIn(b"1 row with the time of the row before (if there are several series, name their key with --by)",
                      result.stderr)

    def test_a_window_that_no_period_tells_is_short_and_a_line_says_so(self):
        result = detect("x\n" + "".join(f"{i}\n" for i in range(100)), "--window", "auto")
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"using window 10, as the samples have no period; --window W sets another", result.stderr)


@unittest.skipUnless((data_sets.DATA / "nyc_taxi.csv").exists(), "series: skipped: the data folder (PIDFOREST_DATA) is absent")
class PaperSeries(unittest.TestCase):
    def detect(self, name, window, *flags):
        columns = ["--window", window, "--time", "timestamp", "--label", "label"]
        return run("detect", data_sets.DATA / f"{name}.csv", *columns, *flags, "--json")

    def words(self, result):
        window = re.search(rb"using window (\d+), (the period)?", result.stderr)
        why = "" if not window or window[2] else "no period, "
        return f"{found(result)['auc']:.3f}" + (f" ({why}{window[1].decode()} samples)" if window else "")

    def test_the_page_has_the_figures_of_the_paper_s_series(self):
        page = (ROOT / "docs" / "series.md").read_text()
        for name in data_sets.SERIES:
            with self.subTest(name):
                cells = [self.words(self.detect(name, window, *flags)) for flags in ([], [*LAGS, "--align", "start"]) for window in (10, "auto")]
                self.assertIn(f"| {name} | {' | '.join(cells)} |", page)

    def test_the_default_views_rank_the_events_of_the_four_series_above_the_rest(self):
        least = {name: 0.80 if name == "nyc_taxi" else 0.74 for name in data_sets.SERIES}
        for name in data_sets.SERIES:
            with self.subTest(name):
                self.assertGreater(found(self.detect(name, 10))["auc"], least[name])

    def test_the_four_series_of_the_paper_have_the_figures_of_the_benchmark(self):
        for name in data_sets.SERIES:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                by_hand = data_sets.file_of(name, pathlib.Path(folder))
                expected = found(run("detect", by_hand, "--label", "label", "--json"))
                windows = found(self.detect(name, data_sets.SHINGLE, *LAGS, "--align", "start"))
                for figure in ("n", "d", "auc", "average_precision", "threshold"):
                    self.assertEqual(windows[figure], expected[figure], figure)


if __name__ == "__main__":
    main()
