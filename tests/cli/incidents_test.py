# SPDX-License-Identifier: Apache-2.0
"""Incidents in time and budgets of `detect`. PIDFOREST_BINARY is the path of the command; the series are in PIDFOREST_DATA."""

import csv
import datetime
import json
import os
import tempfile
import unittest
from pathlib import Path

from command import ROOT, USAGE_ERROR, CommandTest, main, run

DATA = Path(os.environ.get("PIDFOREST_DATA", ROOT.parent / "shared" / "data"))
MACHINE = DATA / "machine_temperature.csv"
TRAFFIC = ROOT / "examples" / "traffic.csv"
SERIES = ("--label", "fault", "--window", "4", "--time", "time", "--by", "host", "--max-gap", "15min")


def incidents(*words):
    return json.loads(run("detect", *words, "--incidents", "--json").stdout)["incidents"]


def when(text):
    return datetime.datetime.fromisoformat(text.removesuffix("Z"))


class Incidents(CommandTest):
    def test_anomalies_of_a_series_are_joined_in_time_within_the_cool_down(self):
        found = incidents(TRAFFIC, *SERIES, "--cool-down", "3h")
        self.assertGreater(len(found), 3)
        for one in found:
            self.assertLessEqual(when(one["begin"]), when(one["worst"]["time"]))
            self.assertLessEqual(when(one["worst"]["time"]), when(one["end"]))
            self.assertIn(one["metrics"][0]["metric"], ("requests", "latency_ms"))
        for key in ("blue", "green"):
            own = sorted((one for one in found if one["key"] == key), key=lambda one: one["begin"])
            for before, after in zip(own, own[1:]):
                self.assertGreater(when(after["begin"]) - when(before["end"]), datetime.timedelta(hours=3))
        scores = [one["worst"]["score"] for one in found]
        self.assertEqual(scores, sorted(scores, reverse=True))

    def test_the_anomalies_are_those_of_the_rows(self):
        rows = json.loads(run("detect", TRAFFIC, *SERIES, "--json", "--top", "100").stdout)["top"]
        anomalies = [row for row in rows if row["is_anomaly"]]
        found = incidents(TRAFFIC, *SERIES)
        self.assertEqual(sum(one["n_anomalies"] for one in found), len(anomalies))
        self.assertEqual(found[0]["worst"]["row"], anomalies[0]["row"])

    def test_rows_that_are_no_windows_have_incidents_in_time_too_with_the_scores_of_rows(self):
        with_time = run("detect", TRAFFIC, "--label", "fault", "--incidents", "--time", "time", "--by", "host", "--min-bits", "2", "--json")
        rows = run("detect", TRAFFIC, "--label", "fault", "--min-bits", "2", "--json", "--top", "1")
        one, other = json.loads(with_time.stdout), json.loads(rows.stdout)
        self.assertEqual(one["auc"], other["auc"])
        self.assertEqual(one["incidents"][0]["worst"]["row"], other["top"][0]["row"])
        self.assertEqual(one["incidents"][0]["worst"]["score"], other["top"][0]["score"])

    def test_a_series_that_ends_within_the_cool_down_leaves_an_open_incident(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "series.csv")
            lines = [f"2026-01-0{1 + i // 144}T{i // 6 % 24:02d}:{i % 6}0,{99 if i in (100, 431) else i % 7}" for i in range(432)]
            path.write_text("at,x\n" + "\n".join(lines) + "\n")
            found = sorted(incidents(path, "--time", "at", "--min-bits", "4"), key=lambda one: one["begin"])
            self.assertEqual([one["state"] for one in found], ["closed", "open"])
            self.assertEqual([one["begin"] for one in found], ["2026-01-01T16:40:00Z", "2026-01-03T23:50:00Z"])
            table = run("detect", path, "--time", "at", "--min-bits", "4", "--incidents").stdout.decode()
            self.assertIn("2026-01-03 23:50 (open)", table)

    def test_a_budget_limits_incidents_per_day_over_all_keys_or_for_each(self):
        for budget in ("0.2", "1"):
            for flags in ((), ("--per-key",)):
                found = incidents(TRAFFIC, *SERIES, "--alerts-per-day", budget, *flags)
                for keys in (["blue"], ["green"]) if flags else (["blue", "green"],):
                    n = sum(one["key"] in keys for one in found)
                    self.assertLessEqual(n, float(budget) * 14, (budget, flags))
                    self.assertGreaterEqual(n, 1)

    def test_a_budget_sets_the_threshold_of_rows_as_well(self):
        rows = run("detect", TRAFFIC, *SERIES, "--alerts-per-day", "0.2", "--top", "5")
        said = rows.stderr.decode()
        self.assertIn("the budget of 0.2 per day", said)
        self.assertEqual(said.split("anomalies")[0].split()[-1], str(sum(one["n_anomalies"] for one in incidents(TRAFFIC, *SERIES, "--alerts-per-day", "0.2"))))

    def test_wrong_flags_are_refused_with_the_flag_that_helps(self):
        for flags, words in (
            (("--alerts-per-day", "0", "--time", "time", "--by", "host"), "--alerts-per-day must be between 0.001 (one in about three years) and 10000; got 0."),
            (("--alerts-per-day", "-1", "--time", "time", "--by", "host"), "got -1."),
            (("--alerts-per-day", "5"), "--alerts-per-day requires --time"),
            (("--alerts-per-day", "5", "--time", "time", "--min-bits", "3"), "cannot be combined"),
            (("--per-key", "--time", "time", "--by", "host", "--incidents"), "--per-key requires --alerts-per-day and --by"),
            (("--alerts-per-day", "5", "--per-key", "--time", "time", "--by", "host"), "--per-key requires --incidents"),
            (("--cool-down", "1h", "--incidents"), "--cool-down must be a whole number of events"),
            (("--cool-down", "1h"), "--cool-down must be"),
            (("--cool-down", "20", "--time", "time", "--incidents"), "such as 10min; got 20"),
            (("--cool-down", "20"), "--cool-down requires --incidents and --time"),
            (("--time", "time"), "--time requires --window or --context"),
            (("--by", "host", "--incidents"), "--by requires --time"),
        ):
            self.expect(run("detect", TRAFFIC, *flags), USAGE_ERROR, words)


@unittest.skipUnless(MACHINE.exists(), f"{MACHINE} is not there: set PIDFOREST_DATA to the folder of the series")
class MachineTemperature(CommandTest):
    """The operator's complaint: an outage came as five incidents, of which the first was eight weeks long."""

    def labelled(self):
        """The outages: runs of labels."""
        with open(MACHINE, newline="", encoding="utf-8") as file:
            rows = [(when(row["timestamp"]), row["label"] == "1") for row in csv.DictReader(file)]
        spans = []
        for time, is_labelled in sorted(rows):
            if is_labelled and (not spans or time - spans[-1][1] > datetime.timedelta(hours=1)):
                spans.append([time, time])
            elif is_labelled:
                spans[-1][1] = time
        return spans

    def test_an_outage_is_one_incident_or_two_and_none_is_longer_than_three_days(self):
        spans = self.labelled()
        self.assertEqual(len(spans), 4)
        # The budget finds two small parts more, in the night after the second outage.
        for flags, n_found, most in (((), 2, 2), (("--alerts-per-day", "1"), 4, 3)):
            found = incidents(MACHINE, "--label", "label", "--window", "10", "--time", "timestamp", *flags)
            parts = [sum(when(one["begin"]) <= end and when(one["end"]) >= begin for one in found) for begin, end in spans]
            self.assertEqual(sum(n > 0 for n in parts), n_found, parts)
            self.assertLessEqual(max(parts), most, parts)
            self.assertLess(max(when(one["end"]) - when(one["begin"]) for one in found), datetime.timedelta(days=3))


if __name__ == "__main__":
    main()
