# SPDX-License-Identifier: Apache-2.0
"""Incidents in time, budgets and comparisons."""

import datetime
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pidforest import PIDForest, Shingles

ROOT = Path(__file__).resolve().parents[2]
TOOL = os.environ.get("PIDFOREST_BINARY", str(ROOT / "build" / "pidforest"))
TRAFFIC = ROOT / "examples" / "traffic.csv"


@pytest.fixture(scope="module")
def traffic():
    frame = pd.read_csv(TRAFFIC, parse_dates=["time"])
    frame.pop("fault")
    return frame


@pytest.fixture(scope="module")
def windows(traffic):
    return Shingles(traffic, window=4, time="time", by="host", max_gap=datetime.timedelta(minutes=15))


@pytest.fixture(scope="module")
def forest(windows):
    return PIDForest().fit(windows)


class TestTimedIncidents:
    def of_tool(self, *flags):
        words = [TOOL, "detect", TRAFFIC, "--label", "fault", "--window", "4", "--time", "time", "--by", "host", "--max-gap", "15min", "--incidents", "--json", *flags]
        return json.loads(subprocess.run(words, capture_output=True, check=True).stdout)["incidents"]

    @pytest.mark.parametrize("budget", [None, 0.2])
    def test_they_are_those_of_the_command(self, forest, windows, budget):
        found = forest.timed_incidents(windows, alerts_per_day=budget)
        told = self.of_tool(*([] if budget is None else ["--alerts-per-day", str(budget)]))
        assert len(found) == len(told) > 0
        for one, other in zip(found, told):
            assert (one.key, one.score, one.n_anomalies, one.worst_row + 1) == (other["key"], other["worst"]["score"], other["n_anomalies"], other["worst"]["row"])
            assert one.begin == np.datetime64(other["begin"].removesuffix("Z"))
            assert one.metrics == {metric["metric"]: metric["bits"] for metric in other["metrics"]}
            assert one.reason == other["reason"]
        assert found.n_anomalies == sum(one.n_anomalies for one in found)

    def test_a_frame_has_a_row_per_incident(self, forest, windows):
        found = forest.timed_incidents(windows, cool_down=datetime.timedelta(minutes=15))
        frame = found.to_frame()
        assert len(frame) == len(found)
        assert frame["begin"].tolist() == [pd.Timestamp(one.begin) for one in found]
        assert frame["metrics"][0].split(", ")[0] == next(iter(found[0].metrics))
        assert repr(found).startswith(f"<TimedIncidents: {len(found)} of {found.n_anomalies} anomalies>\n")

    def test_rows_of_a_table_have_them_too(self, traffic):
        forest = PIDForest().fit(traffic)
        found = forest.timed_incidents(traffic, "time", "host", min_bits=2)
        assert {one.key for one in found} <= {"blue", "green"}
        assert found.n_anomalies == int((-forest.score_samples(traffic) >= 2).sum())

    def test_wrong_parameters_are_named(self, forest, windows, traffic):
        for parameters, words in (
            ({"alerts_per_day": 0}, "must be between 0.001"),
            ({"alerts_per_day": 1, "min_bits": 3}, "cannot be combined"),
            ({"per_key": True}, "requires the alerts per day"),
            ({"cool_down": datetime.timedelta(-1)}, "must not be negative"),
        ):
            with pytest.raises(ValueError, match=words):
                forest.timed_incidents(windows, **parameters)
        with pytest.raises(TypeError, match="timedelta"):
            forest.timed_incidents(windows, cool_down=5)
        with pytest.raises(ValueError, match="needs time"):
            PIDForest().fit(traffic).timed_incidents(traffic)


class TestCompare:
    def test_a_missing_half_is_named_first(self):
        rng = np.random.default_rng(0)
        frame = pd.DataFrame(rng.normal(size=(2000, 4)), columns=list("abcd"))
        forest = PIDForest().fit(frame)
        assert forest.compare(frame).n_changed == 0
        later = pd.DataFrame(rng.normal(size=(1000, 4)), columns=list("abcd"))
        later.loc[::2, "c"] = np.nan
        found = forest.compare(later)
        assert (found[0].column, found[0].words) == ("c", "missing 50 %, was 0 %")
        assert found.n_changed == 1
        assert found.to_frame()["is_changed"].tolist() == [True, False, False, False]

    def test_a_model_without_a_profile_says_so(self):
        forest = PIDForest(reasons=False).fit([[1.0], [2.0]])
        with pytest.raises(ValueError, match="fit it again"):
            forest.compare([[1.0]])

    def test_a_saved_model_compares_as_before(self, tmp_path):
        X = np.random.default_rng(1).normal(size=(500, 2))
        forest = PIDForest().fit(X)
        forest.save(tmp_path / "m.pidf")
        later = X + [0, 0.5]
        words = [(one.column, one.words, one.p) for one in forest.compare(later)]
        assert [(one.column, one.words, one.p) for one in PIDForest.load(tmp_path / "m.pidf").compare(later)] == words
        assert words[0][0] == "x1"
