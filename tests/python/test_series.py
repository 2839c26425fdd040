# SPDX-License-Identifier: Apache-2.0
"""Time series from Python: the same windows and scores as a table written out by hand, and as the command."""

import csv
import datetime
import pickle
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from tables import ROOT

from pidforest import Context, PIDForest, Shingles

sys.path.insert(0, str(ROOT / "benchmarks" / "accuracy"))
import data_sets  # noqa: E402


def walk(n, seed=0):
    return np.random.default_rng(seed).normal(size=n).cumsum()


def by_hand(values, window):
    return np.lib.stride_tricks.sliding_window_view(values, window)


def test_windows_score_as_the_table_written_out_by_hand():
    values = walk(300)
    windows = Shingles(values.reshape(-1, 1), window=4, views=["lags"])
    table = by_hand(values, 4)
    scores = PIDForest().fit(windows).score_samples(windows)
    assert np.array_equal(scores, PIDForest().fit(table).score_samples(table))
    assert (len(windows), windows.n_samples) == (297, 300)
    assert repr(windows) == "<Shingles: 297 windows of 300 samples, 4 columns>"
    none = [np.nan] * 3
    assert np.array_equal(windows.per_sample(scores), [*none, *scores], equal_nan=True)
    assert np.array_equal(windows.per_sample(scores, "start"), [*scores, *none], equal_nan=True)
    padded = np.concatenate([[np.inf] * 3, scores, [np.inf] * 3])
    assert np.array_equal(windows.per_sample(scores, "max"), by_hand(padded, 4).min(axis=1))
    assert list(windows.windows_of_samples(scores))[:5] == [-1, -1, -1, 0, 1]


def test_frames_have_times_and_several_series():
    hour = datetime.timedelta(hours=1)
    begin = datetime.datetime(2026, 1, 1)
    times = [begin + hour * (i if i < 50 else i + 10) for i in range(100)]
    frame = pd.DataFrame({"at": [t for t in times for _ in "ab"], "host": ["a", "b"] * 100, "load": walk(200)})
    windows = Shingles(frame, window=3, time="at", by="host", max_gap=hour, means=[24], calendar=True, views=["lags"])
    assert windows.columns == ["load 2 h earlier", "load 1 h earlier", "load", "load mean over 1 d", "at"]
    assert len(windows) == 2 * 2 * 48
    forest = PIDForest().fit(windows)
    assert forest.feature_names_in_.tolist() == windows.columns
    scores = forest.score_samples(windows)
    assert len(scores) == len(windows)
    assert "load" in forest.explain(windows)[int(scores.argmin())].text
    assert np.isnan(windows.per_sample(scores)).sum() == 2 * 2 * 2


def test_scoring_by_place_leaves_the_windows_as_they_were():
    values = walk(300)
    windows = Shingles(values.reshape(-1, 1), window=4, views=["lags"])
    names = windows.columns
    forest = PIDForest().fit(by_hand(values, 4))
    with pytest.warns(UserWarning, match="X has feature names"):
        scores = forest.score_samples(windows)
    assert np.array_equal(scores, forest.score_samples(by_hand(values, 4)))
    assert windows.columns == names


def test_the_window_is_the_period():
    values = np.sin(np.arange(400) * 2 * np.pi / 20).reshape(-1, 1)
    assert len(Shingles(values, views="lags").columns) == 20
    with pytest.warns(UserWarning, match="no period, so the windows have 10"):
        assert Shingles(np.arange(400.0).reshape(-1, 1)).window == 10


def test_unsorted_samples_are_sorted_with_a_warning_and_keep_their_places():
    times = pd.date_range("2026-01-01", periods=60, freq="min")
    frame = pd.DataFrame({"at": times, "load": walk(60)})
    forest = PIDForest().fit(Shingles(frame, window=3, time="at"))
    sorted_ = Shingles(frame, window=3, time="at")
    expected = sorted_.per_sample(forest.score_samples(sorted_))
    with pytest.warns(UserWarning, match="59 of 60 samples come after a later one: they were sorted by 'at'"):
        windows = Shingles(frame[::-1].reset_index(drop=True), window=3, time="at")
    assert (windows.n_late, windows.n_set_back, windows.n_repeated) == (59, 0, 0)
    assert np.array_equal(windows.per_sample(forest.score_samples(windows))[::-1], expected, equal_nan=True)


def test_a_clock_that_was_set_back_begins_a_segment_with_a_warning():
    minutes = [*range(30), *range(10, 50)]
    frame = pd.DataFrame({"at": pd.Timestamp("2026-01-01") + pd.to_timedelta(minutes, unit="min"), "load": walk(70)})
    with pytest.warns(UserWarning, match="the clock was set back at 1 of 70 samples"):
        windows = Shingles(frame, window=3, time="at")
    assert (windows.n_set_back, len(windows)) == (1, 28 + 38)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"window": 0}, ValueError, "window must be 'auto' or a number of samples of at least 1; got 0"),
        ({"window": "long"}, ValueError, "got 'long'"),
        ({"window": True}, ValueError, "got True"),
        ({"window": 11}, ValueError, "at most 10"),
        ({"window": 2, "time": "t"}, ValueError, "no column 't'"),
        ({"window": 2, "max_gap": datetime.timedelta(1)}, ValueError, "max_gap requires the time column"),
        ({"window": 2, "max_gap": 5}, TypeError, "datetime.timedelta; got int"),
        ({"window": 2, "means": [1]}, ValueError, "each of the means must span between 2 and"),
        ({"window": 2, "calendar": True}, ValueError, "calendar requires"),
        ({"window": 2, "views": ["lags", "all"]}, ValueError, "must be one of lags, changes, scales, residual; got 'all'"),
        ({"window": 2, "views": []}, ValueError, "got ''"),
    ],
)
def test_mistakes_are_named(options, error, words):
    with pytest.raises(error, match=words):
        Shingles(np.arange(10.0).reshape(-1, 1), **options)


def weeks(n_days, first_day, extra=0.0):
    times = pd.date_range(f"2026-03-{first_day:02}", periods=48 * n_days, freq="30min")
    load = 10 * np.sin(np.arange(48 * n_days) * 2 * np.pi / 48) + np.random.default_rng(first_day).normal(size=48 * n_days)
    load[40] += extra
    return pd.DataFrame({"at": times, "load": load, "temperature": 20 + load / 2})


def test_windows_of_tomorrow_are_made_like_those_of_the_fit():
    windows = Shingles(weeks(22, 1), window=3, time="at")
    assert windows.columns[:3] == ["load minus usual 1 h earlier", "load minus usual 30 min earlier", "load minus usual"]
    forest = PIDForest().fit(windows)
    assert forest.schema_["windows"]["window"] == 3
    tomorrow = Shingles(weeks(2, 25, extra=15.0).assign(note="unused"), like=forest)
    assert tomorrow.columns == windows.columns
    assert int(np.nanargmin(tomorrow.per_sample(forest.score_samples(tomorrow)))) in (40, 41, 42)
    again = pickle.loads(pickle.dumps(forest))
    assert np.array_equal(again.score_samples(Shingles(weeks(2, 25), like=again)), forest.score_samples(Shingles(weeks(2, 25), like=forest)))
    with pytest.raises(ValueError, match="like and window cannot be combined"):
        Shingles(weeks(2, 25), window=3, like=forest)
    with pytest.raises(ValueError, match="no column 'temperature'"):
        Shingles(weeks(2, 25).drop(columns="temperature"), like=forest)
    of_lags = PIDForest().fit(Shingles(weeks(4, 1), window=3, time="at", views=["lags"]))
    with pytest.raises(ValueError, match="does not know how its windows were made"):
        Shingles(weeks(2, 25), like=of_lags)


def test_rows_get_the_context_of_their_series():
    frame = pd.concat([weeks(3, 1).assign(host="a"), weeks(3, 1).assign(host="b")]).sort_values("at", ignore_index=True)
    frame.loc[200, "load"] += 30
    rows = Context(frame, time="at", by="host")
    assert repr(rows) == "<Context: 288 rows, 20 columns>"
    forest = PIDForest().fit(rows)
    scores = forest.score_samples(rows)
    assert int(scores.argmin()) in (200, 202)
    assert np.array_equal(forest.score_samples(Context(frame, like=forest)), scores)
    with pytest.raises(ValueError, match="context requires time"):
        Context(frame)
    with pytest.raises(ValueError, match="like cannot be combined"):
        Context(frame, time="at", like=forest)
    with pytest.raises(TypeError, match="timedelta; got int"):
        Context(frame, time="at", max_gap=5)
    with pytest.warns(UserWarning, match="286 of 288 rows come after a later one"):
        turned = Context(frame.iloc[::-1], time="at", by="host")
    assert turned.n_late == 286 and np.array_equal(forest.score_samples(turned)[::-1], scores)


def test_an_alignment_must_be_one_of_three():
    windows = Shingles(np.arange(10.0).reshape(-1, 1), window=2)
    with pytest.raises(ValueError, match="align must be 'start', 'end' or 'max'; got 'middle'"):
        windows.per_sample(np.zeros(9), "middle")
    with pytest.raises(ValueError, match="there must be 9 scores, one per window; got 8"):
        windows.per_sample(np.zeros(8))


@pytest.mark.skipif(not (data_sets.DATA / "nyc_taxi.csv").exists(), reason="the data folder (PIDFOREST_DATA) is absent")
@pytest.mark.parametrize("name", data_sets.SERIES)
def test_the_paper_s_series_have_the_figures_of_the_page(name):
    with (data_sets.DATA / f"{name}.csv").open(newline="") as file:
        samples = list(csv.DictReader(file))
    values = np.array([[float(sample["value"])] for sample in samples])
    labels = np.array([int(sample["label"]) for sample in samples])
    windows = Shingles(values, window=data_sets.SHINGLE, views=["lags"])
    scores = windows.per_sample(PIDForest(random_state=0).fit(windows).score_samples(windows), "start")
    scored = ~np.isnan(scores)
    auc = roc_auc_score(labels[scored], -scores[scored])
    (row,) = (line for line in (ROOT / "docs" / "series.md").read_text().splitlines() if line.startswith(f"| {name} |"))
    assert row.split(" | ")[3] == f"{auc:.3f}"
