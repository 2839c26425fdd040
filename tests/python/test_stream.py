# SPDX-License-Identifier: Apache-2.0
"""Streams from Python: single events equal batches, events are dicts of any values, and river's interface."""

import copy
import datetime
import io
import math
import pickle
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import ROOT, TOOL, numbers, orders

from pidforest import PIDForest, StreamingPIDForest

SMALL = {"horizon": 200, "warm_up": 40, "n_estimators": 20}


def small(**parameters):
    return StreamingPIDForest(**{**SMALL, **parameters})


def events_of(frame):
    """Return the rows of a frame as dicts, with None for missing values."""
    records = frame.to_dict("records")
    return [{name: None if pd.isna(value) else value for name, value in record.items()} for record in records]


def matrix_events(X):
    return [{f"x{i}": value for i, value in enumerate(row)} for row in X.tolist()]


def score_and_learn(forest, event):
    score = forest.score_one(event)
    flag = forest.is_anomaly_
    forest.learn_one(event)
    return score, flag


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**31), window=st.integers(1, 5), cuts=st.lists(st.integers(0, 500), max_size=5))
def test_one_by_one_is_in_batches(seed, window, cuts):
    X = numbers(500, 3, seed)
    forests = [small(window=window, random_state=seed % 7) for _ in range(3)]
    scores, flags = zip(*(score_and_learn(forests[0], event) for event in matrix_events(X)))
    assert np.array_equal(scores, [forests[1].update_one(event) for event in matrix_events(X)], equal_nan=True)
    parts = []
    for begin, end in zip([0, *sorted(cuts)], [*sorted(cuts), 500]):
        part = forests[2].update(X[begin:end])
        assert list(forests[2].is_anomaly_) == list(flags[begin:end])
        parts.extend(part)
    assert np.array_equal(scores, parts, equal_nan=True)
    assert pickle.dumps(forests[0]._stream) == pickle.dumps(forests[2]._stream)


def test_dicts_score_as_the_frame_whose_rows_they_are():
    frame = orders(600)
    by_frame, by_dict = small(), small()
    scores = by_frame.update(frame)
    assert np.array_equal(scores, [by_dict.update_one(event) for event in events_of(frame)], equal_nan=True)
    assert by_frame.schema_ == by_dict.schema_
    kinds = {column["name"]: column["kind"] for column in by_dict.schema_["columns"]}
    assert kinds["country"] == "category" and kinds["gift"] == "boolean" and kinds["placed_at"] == "time"


@pytest.mark.parametrize("window", [1, 3])
def test_the_command_says_the_same(window):
    frame = pd.read_csv(ROOT / "examples" / "fleet.csv").drop(columns="fault")
    words = [TOOL, "stream", "--every-event", ROOT / "examples" / "fleet.csv", "--ignore", "fault", "--window", str(window), "--quiet"]
    said = pd.read_csv(io.StringIO(subprocess.run(words, capture_output=True, text=True, check=True).stdout))
    forest = StreamingPIDForest(window=window)
    assert np.array_equal(forest.update(frame), said["score"], equal_nan=True)
    assert list(forest.is_anomaly_) == list(said["is_anomaly"] == 1)


def test_events_with_a_time_are_followed_as_the_command_does():
    path = ROOT / "examples" / "traffic.csv"
    words = [TOOL, "stream", "--every-event", path, "--time", "time", "--by", "host", "--window", "4", "--max-gap", "1h", "--ignore", "fault", "--quiet"]
    said = pd.read_csv(io.StringIO(subprocess.run(words, capture_output=True, text=True, check=True).stdout))
    n_reasons = 0
    for _, own in said.groupby("host"):
        followed = StreamingPIDForest(window=4)._stream
        for event in own.to_dict("records"):
            time = int(pd.Timestamp(event["time"]).timestamp()) * 1_000_000
            assert followed.arrive(time, 7, 3_600_000_000) == "next"
            bits, is_anomaly, reason = followed.follow_one({name: event[name] for name in ("requests", "latency_ms")}, time)
            assert str(bits) == str(event["score"]) and is_anomaly == (event["is_anomaly"] == 1)
            if is_anomaly:
                assert reason == event["reason"]
                n_reasons += 1
        assert followed.arrive(time, 7, None) == "duplicate" and followed.arrive(time - 1, 7, None) == "late"
    assert n_reasons > 3


@pytest.mark.parametrize("window", [1, 4])
def test_the_warm_up_says_that_it_is_one(window):
    X = numbers(300)
    forest = small(window=window)
    assert forest.n_to_warm_up_ == 40 and forest.schema_ is None and forest.threshold_ is None
    assert "warming up, 40 rows still needed" in repr(forest)
    scores = forest.update(X)
    assert np.isnan(scores[: 40 + window - 1]).all() and np.isfinite(scores[40 + window - 1 :]).all()
    assert forest.n_to_warm_up_ == 0 and forest.n_learned_ == 300 and forest.threshold_ > 0
    assert "follows the last 200 of 300 events" in repr(forest)
    assert np.array_equal(small(window=window, no_score=0.0).update(X), np.nan_to_num(scores))


def test_scoring_learns_nothing():
    X = numbers(300)
    forest = small()
    forest.update(X)
    before = pickle.dumps(forest._stream)
    forest.score_one({"x0": 1e9, "x1": 0.0, "x2": 0.0, "x3": 0.0})
    assert forest.is_anomaly_ is True
    assert pickle.dumps(forest._stream) == before


def test_a_window_does_not_cross_segments():
    X = numbers(300)
    forest = small(window=3)
    forest.update(X[:200])
    forest.start_segment()
    assert list(np.isnan(forest.update(X[200:]))) == [True, True] + [False] * 98
    assert [column["name"] for column in forest.schema_["columns"]][:3] == ["x0 2 samples earlier", "x0 1 sample earlier", "x0"]


@settings(max_examples=10, deadline=None)
@given(cut=st.integers(0, 400), how=st.sampled_from([copy.copy, copy.deepcopy, lambda forest: pickle.loads(pickle.dumps(forest))]))
def test_a_copy_goes_on_as_the_forest_does_and_apart_from_it(cut, how):
    events = events_of(orders(400))
    forest = small(window=2, contamination=0.05)
    for event in events[:cut]:
        forest.learn_one(event)
    other = how(forest)
    scores = [score_and_learn(forest, event) for event in events[cut:]]
    assert str(scores) == str([score_and_learn(other, event) for event in events[cut:]])


def test_a_reason_is_a_witness_that_counts_the_horizon():
    forest = small()
    forest.update(numbers(300))
    event = {"x0": 0.0, "x1": 40.0, "x2": 0.0, "x3": 0.0}
    reason = forest.explain_one(event)
    assert [condition["column"] for condition in reason.conditions] == ["x1"]
    assert reason.n_rows == 200 and reason.n_inside == 0
    assert "x0" not in reason.text
    both = forest.explain_one({"x0": 50.0, "x1": 40.0, "x2": 0.0, "x3": 0.0})
    assert all(f"{name} = {value}" in both.text or f"; {name} {value} (+" in both.text for name, value in (("x0", 50), ("x1", 40))), both.text
    with pytest.raises(ValueError, match="an event without a score has no reason"):
        small().explain_one(event)


UTC = datetime.timezone.utc
NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "one, other",
    [
        (1, 1.0),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3.0),
        (np.True_, True),
        (None, math.nan),
        (None, pd.NA),
        (None, pd.NaT),
        (NOON, NOON.astimezone(datetime.timezone(datetime.timedelta(hours=5, minutes=30)))),
        (NOON, pd.Timestamp(NOON)),
        (datetime.date(2026, 3, 1), datetime.datetime(2026, 3, 1)),
    ],
)
def test_values_that_say_the_same_score_the_same(one, other):
    usual = [0.25, 0.5, 3.0, 5.0]
    if isinstance(one, (bool, np.bool_)):
        usual = [False, True]
    elif isinstance(one, datetime.datetime):
        usual = [NOON + datetime.timedelta(hours=i) for i in range(30)]
    elif isinstance(one, datetime.date):
        usual = [datetime.datetime(2026, 1, 1) + datetime.timedelta(hours=7 * i) for i in range(200)]
    forest = small()
    for i in range(300):
        forest.learn_one({"a": usual[i % len(usual)] if i % 10 else None, "b": i % 3})
    scores = [forest.score_one({"a": value, "b": 1}) for value in (one, other)]
    assert scores[0] == scores[1] and math.isfinite(scores[0])


def test_missing_values_have_the_type_of_their_column():
    """Even if the first value of a column after loading is missing."""
    forest = small(schema={"columns": [{"name": "size", "kind": "ordinal", "levels": ["S", "M", "L"]}, {"name": "n", "kind": "continuous"}]})
    for i in range(100):
        forest.learn_one({"size": None if i % 5 == 0 else "SML"[i % 3], "n": i % 7})
    restored = pickle.loads(pickle.dumps(forest))
    assert restored.score_one({"size": None, "n": 1}) == forest.score_one({"size": None, "n": 1})


@pytest.mark.parametrize("n", [10, 100])
def test_errors_name_the_column_and_change_nothing(n):
    def event(**other):
        return {"load": 1.0, "host": "a", **other}

    forest = small()
    for i in range(n):
        forest.learn_one({"load": i % 7 * 1.0, "host": "ab"[i % 2]})
    before = pickle.dumps(forest._stream)
    for wrong, error, message in [
        ({"load": 1.0}, ValueError, "no column 'host'"),
        (event(disk=1), ValueError, "column 'disk' of the event"),
        (event(load=[1]), TypeError, r"column 'load'.*list \[1\]"),
        (event(load=10**400), TypeError, "column 'load'"),
        (event(load=math.inf), ValueError, "column 'load': must be finite; got 'inf'"),
        (event(load=NOON), ValueError, "column 'load' must contain numbers"),
        (event(load="many"), ValueError, "column 'load'"),
    ]:
        for method in (forest.score_one, forest.learn_one) if n == 100 else (forest.learn_one,):
            with pytest.raises(error, match=message):
                method(wrong)
    with pytest.raises(ValueError, match="unseen at fit time:\n- lead"):
        forest.update(pd.DataFrame({"lead": [1.0], "host": ["a"]}))
    assert pickle.dumps(forest._stream) == before
    forest.learn_one({"host": None, "load": None})  # in any order
    assert forest.n_learned_ == n + 1


def test_an_event_that_is_no_dict_is_refused():
    forest = small()
    for method in (forest.score_one, forest.learn_one, forest.update_one, forest.explain_one):
        with pytest.raises(TypeError, match="an event must be a dict of values by the names of columns; got ndarray. Use update"):
            method(np.zeros(3))


def test_an_event_that_is_refused_says_nothing_of_the_columns():
    forest = small()
    for wrong in ({}, {"a": [1]}, {1: 1.0}, {"a": math.inf}):
        with pytest.raises((TypeError, ValueError)):
            forest.learn_one(wrong)
    forest.learn_one({"b": 1.0})
    assert forest.n_learned_ == 1


def test_parameters_are_checked_at_once():
    for wrong, error, message in [
        ({"horizon": 1}, ValueError, "horizon must be between 2"),
        ({"warm_up": 5000}, ValueError, "warm_up must be between 2 and 2048"),
        ({"window": 0}, ValueError, "window must be between 1"),
        ({"views": "changes"}, ValueError, "views must be one of lags and lags,changes"),
        ({"means": [1]}, ValueError, "each of the means must span between 2 and 100000 events; got 1"),
        ({"recent": 1}, ValueError, "recent must be 0 or between 2"),
        ({"n_estimators": 0}, ValueError, "n_estimators must be"),
        ({"count_rows": "sample"}, ValueError, "count_rows must be all"),
        ({"trees": 3}, TypeError, "no parameter 'trees'; options are n_estimators"),
        ({"schema": 3}, TypeError, "schema must be a dict"),
    ]:
        with pytest.raises(error, match=message):
            StreamingPIDForest(**wrong)


def test_every_option_of_a_forest_is_one_of_a_stream():
    for name, value in PIDForest().get_params().items():
        if name not in ("n_jobs", "verbose"):
            StreamingPIDForest(**{name: value})


def test_threads_take_turns():
    X = numbers(4000)
    forest = small()
    threads = [threading.Thread(target=lambda: [forest.update(X), forest.score_one({"x0": 1, "x1": 1, "x2": 1, "x3": 1})]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert forest.n_learned_ == 4 * len(X)


def test_river_takes_it_for_one_of_its_own():
    from river import anomaly, compose, preprocessing

    X = numbers(600)
    X[500] += 15
    model = compose.Pipeline(preprocessing.StandardScaler(), small())
    scores = []
    for event in matrix_events(X):
        scores.append(model.score_one(event))
        model.learn_one(event)
    assert np.isnan(scores[:40]).all() and int(np.nanargmax(scores)) == 500
    again = model.clone()
    assert again["StreamingPIDForest"].n_learned_ == 0 and again["StreamingPIDForest"].horizon == 200
    assert (preprocessing.StandardScaler() | small()).score_one(matrix_events(X)[0]) != 0

    kept = anomaly.QuantileFilter(small(no_score=0.0), q=0.99)
    for event in matrix_events(X):
        flagged = kept.classify(kept.score_one(event))
        kept.learn_one(event)
        if event["x0"] > 10:
            assert flagged
    assert kept.anomaly_detector.n_learned_ < 600
    assert kept.clone({"anomaly_detector": small(horizon=300)}).anomaly_detector.horizon == 300


def test_nothing_of_river_is_imported():
    code = "import sys, pidforest; pidforest.StreamingPIDForest().update([[1.0]]); sys.exit('river' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_model_scores_as_the_stream_would_and_keeps_its_scores(tmp_path):
    X = numbers(600, 3, 5)
    stream = small(random_state=3)
    with pytest.raises(ValueError, match="warm-up"):
        stream.model()
    stream.update(X[:500])
    forest = stream.model()
    assert isinstance(forest, PIDForest)
    expected = [stream.score_one(event) for event in matrix_events(X[500:])]
    assert np.allclose(-forest.score_samples(X[500:]), expected, rtol=1e-10)
    assert forest.offset_ == -stream.threshold_
    stream.update(X[500:])
    assert np.allclose(-forest.score_samples(X[500:]), expected, rtol=1e-10)
    forest.save(tmp_path / "stream.pidf")
    again = PIDForest.load(tmp_path / "stream.pidf")
    assert np.array_equal(again.score_samples(X), forest.score_samples(X))
    assert again.get_params()["n_estimators"] == 20


def test_a_model_of_a_stream_explains_and_reports(tmp_path):
    X = numbers(500, 3, 5)
    stream = small(random_state=3, window=2, views="lags")
    stream.update(X)
    forest = stream.model()
    names = [column["name"] for column in stream.schema_["columns"]]
    windows = pd.DataFrame(np.column_stack([X[i : len(X) - 1 + i, j] for j in range(3) for i in range(2)]), columns=names)
    windows.iloc[-1, 1] = 50.0
    explanation = forest.explain(windows[-200:])[199]
    assert names[1] in str(explanation)
    forest.report(windows[-200:], tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size > 10_000


@pytest.mark.parametrize("window", [1, 3])
def test_events_without_a_usable_column_have_zero_bits(window):
    forest = small(window=window)
    for i in range(150):
        score = forest.update_one({"id": f"u{i}", "empty": None})
        forest = pickle.loads(pickle.dumps(forest))
    assert score == 0
    ignored = small(schema={"columns": [{"name": "x", "kind": "ignored"}]})
    assert set(ignored.update(pd.DataFrame({"x": range(100)}))[40:]) == {0.0}


def daily_load(n_days, seed=0):
    """A load of 200 between 03:00 and 04:00 and of 50 otherwise, every ten minutes."""
    times = pd.date_range("2026-03-01", periods=n_days * 144, freq="10min")
    load = np.where(times.hour == 3, 200.0, 50.0) + np.random.default_rng(seed).normal(0, 2, len(times))
    return pd.DataFrame({"at": times, "load": load})


def test_a_stream_with_times_learns_the_season_and_names_lags_by_time():
    frame = daily_load(10)
    timed = StreamingPIDForest(window=4, time="at")
    scores = timed.update(frame)
    assert [column["name"] for column in timed.schema_["columns"]][:4] == [
        "load minus usual 30 min earlier", "load minus usual 20 min earlier", "load minus usual 10 min earlier", "load minus usual"]
    without = StreamingPIDForest(window=4, time="at", season=False)
    without.update(frame)
    late = slice(len(frame) // 2, None)
    assert timed.is_anomaly_[late].sum() <= 1 < 5 <= without.is_anomaly_[late].sum()
    one_by_one = StreamingPIDForest(window=4, time="at")
    cut = copy.deepcopy(one_by_one)
    for number, event in enumerate(frame.to_dict("records")):
        if number == 700:
            cut = pickle.loads(pickle.dumps(one_by_one))
        score = one_by_one.update_one(event)
        assert score == scores[number] or (math.isnan(score) and math.isnan(scores[number]))
    assert cut.update(frame[700:]).tolist() == scores[700:].tolist()
    assert "load minus usual" in str(one_by_one.explain_one({"at": frame["at"].iloc[-1] + pd.Timedelta("10min"), "load": 200.0}))


@pytest.mark.parametrize("event", [{"load": 1.0}, {"at": None, "load": 1.0}, {"at": "2026-03-01", "load": 1.0}])
def test_each_event_of_a_stream_with_times_has_one(event):
    with pytest.raises(ValueError, match="'at'"):
        StreamingPIDForest(time="at").update_one(event)


def test_a_history_ends_the_warm_up():
    X = np.random.default_rng(0).normal(size=(400, 2))
    whole, begun = small(warm_up=200), small(warm_up=200)
    expected = whole.update(X)
    begun.learn_history(X[:300])
    assert begun.update(X[300:]).tolist() == expected[300:].tolist()
    short = small(warm_up=200)
    short.learn_history(X[:20])
    assert short.n_to_warm_up_ == 0 and not math.isnan(short.update(X[20:21])[0])
    single = small()
    single.learn_history(X[:1])
    assert single.n_to_warm_up_ == 39


def test_means_are_columns_of_every_row():
    frame = daily_load(10)
    forest = StreamingPIDForest(window=4, time="at", means=[36], warm_up=100)
    scores = forest.update(frame)
    assert forest.schema_["columns"][-1]["name"] == "load mean over 6 h"
    pieces = forest.clone()
    assert pieces.means == (36,) and np.isnan(pieces.update(frame[:50])).all()
    pieces = pickle.loads(pickle.dumps(pieces))
    again = np.concatenate([pieces.update(frame[50:500]), pickle.loads(pickle.dumps(pieces)).update(frame[500:])])
    assert np.array_equal(again, scores[50:], equal_nan=True)


def metrics(n, seed=0):
    rng = np.random.default_rng(seed)
    return np.column_stack([2 * np.sin(np.arange(n) / 8) + 0.3 * rng.normal(size=n), rng.normal(size=n), 5 + rng.normal(size=n)])


@pytest.mark.parametrize("window", [1, 10])
@pytest.mark.parametrize("begin, end, columns", [(2000, 3000, [1]), (2000, 2050, [1]), (2000, 2050, [0, 1, 2]), (0, 2000, [1])])
def test_metrics_that_vanish_come_late_or_are_missing_for_a_while_hardly_ring(window, begin, end, columns):
    X = metrics(3000)
    X[begin:end, columns] = np.nan
    forest = StreamingPIDForest(window=window)
    scores = forest.update(X)
    assert np.isfinite(scores[300:]).all()
    assert forest.is_anomaly_[1900:].sum() <= 12
    assert forest.score_one({"x0": 0.0, "x1": 0.0, "x2": 40.0}) > 8  # the others are still watched


def test_a_metric_without_values_in_the_warm_up_stays_unused():
    X = metrics(1000)
    X[:300, 1] = np.nan
    forest = StreamingPIDForest()
    forest.update(X)
    usual = forest.score_one({"x0": 0.0, "x1": 0.0, "x2": 5.0})
    assert forest.score_one({"x0": 0.0, "x1": 1e6, "x2": 5.0}) == usual
