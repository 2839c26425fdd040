# SPDX-License-Identifier: Apache-2.0
"""Reports from Python: the data of the page agrees with the estimator."""

import json
import os
import re
import signal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tables import numbers, orders

from pidforest import PIDForest, Shingles

HOSTILE = "</script><script>\u2028 \u202eabc \U0001f332"


def data_in(page):
    """Return the data from which the page is drawn."""
    (text,) = re.findall(r'<script type="application/json" id="report-data">(.*?)</script>', Path(page).read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(text)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "report.html"


@pytest.fixture(scope="module")
def frame():
    return orders()


@pytest.fixture(scope="module")
def forest(frame):
    return PIDForest().fit(frame)


def test_rows_and_counts_are_those_of_predict_and_explain(forest, frame, path):
    assert forest.report(frame, path, title="Orders of winter") == path
    data = data_in(path)
    reasons = forest.explain(frame)
    is_anomaly = forest.predict(frame) == -1
    assert data["title"] == "Orders of winter"
    assert data["n_rows"] == len(frame)
    assert data["n_anomalies"] == is_anomaly.sum() > 0
    assert [column["name"] for column in data["columns"]] == list(frame.columns)
    for row in data["rows"]:
        reason = reasons[row["row"] - 1]
        assert row["bits"] == pytest.approx(reason.score, abs=1e-4)
        assert row["is_anomaly"] == is_anomaly[reason.row]
        assert f"{row['reason']}: {row['counts']}" == reason.text
        assert row["normal_if"] == (reason.normal_if() if row["is_anomaly"] else "")
        assert row["n_impostors"] == reason.n_inside - 1
        inside = np.flatnonzero(forest.matches(frame, reason)) + 1
        assert row["impostors"] == [number for number in inside.tolist() if number != row["row"]][:5]
    listed = [row["row"] - 1 for row in data["rows"]]
    assert set(np.flatnonzero(is_anomaly).tolist()) <= set(listed)


def test_every_kind_of_table_gives_the_same_page(forest, frame, path):
    page = forest.report(frame, path).read_bytes()
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    for table in (pl.from_pandas(frame), arrow, arrow.to_reader(max_chunksize=300)):
        assert forest.report(table, path).read_bytes() == page


def test_threads_do_not_change_the_page(forest, frame, path):
    page = forest.report(frame, path).read_bytes()
    assert PIDForest(n_jobs=1).fit(frame).report(frame, path).read_bytes() == page


def test_arrays_have_reports_too(path):
    X = numbers()
    data = data_in(PIDForest().fit(X).report(X, str(path)))
    assert data["rows"][0]["row"] == 8
    assert "x1" in data["rows"][0]["reason"]
    assert data["series"] is None


def test_rows_go_by_the_column_that_names_them(frame, path):
    named = frame.assign(order=[f"order {i}" for i in range(len(frame))])
    data = data_in(PIDForest().fit(named).report(named, path, id="order"))
    assert [row["id"] for row in data["rows"]] == [f"order {row['row'] - 1}" for row in data["rows"]]


def test_labels_stand_beside_our_own_judgement(forest, frame, path):
    labels = np.arange(len(frame)) % 2 == 1
    data = data_in(forest.report(frame, path, labels=labels))
    assert [row["label"] for row in data["rows"]] == [labels[row["row"] - 1] for row in data["rows"]]
    assert data_in(forest.report(frame, path, labels=labels.astype(int).tolist())) == data
    assert {row["label"] for row in data_in(forest.report(frame, path))["rows"]} == {None}


def test_min_bits_says_what_is_an_anomaly(forest, frame, path):
    bits = -forest.score_samples(frame)
    least = np.sort(bits)[-25]
    assert data_in(forest.report(frame, path, min_bits=float(least)))["n_anomalies"] == 25


def test_queries_are_those_of_the_explanations(forest, frame, path):
    reasons = forest.explain(frame)
    for dialect in ("standard", "sqlite"):
        for row in data_in(forest.report(frame, path, dialect=dialect))["rows"]:
            assert row["sql"].endswith(f"\nWHERE {reasons[row['row'] - 1].sql(dialect)}")
    with pytest.raises(ValueError, match="dialect must be 'standard' or 'sqlite'; got 'mysql'"):
        forest.report(frame, path, dialect="mysql")


def test_without_a_threshold_the_rarest_rows_are_listed(frame, path):
    data = data_in(PIDForest(contamination=None).fit(frame).report(frame, path))
    assert data["n_anomalies"] == 0
    assert len(data["rows"]) > 0
    assert data["scores"]["threshold"] is None


def test_a_column_of_times_makes_a_series(forest, frame, path):
    series = data_in(forest.report(frame, path))["series"]
    (track,) = series["tracks"]
    assert series["time_column"] == "placed_at"
    assert track["times"][0] == frame["placed_at"][0].timestamp()
    assert track["n_rows"] == sum(series["calendar_rows"]) == len(frame)
    by_country = data_in(forest.report(frame, path, by="country"))["series"]
    assert {track["key"] for track in by_country["tracks"]} == {"DE", "FR", "BR", "AQ", "missing"}


def samples():
    """Return samples of two hosts with a cycle of four; one host skips it once, though each of its values is common."""
    beat = np.tile([0.0, 1.0, 5.0, 2.0], 250)
    early = beat.copy()
    early[401] = 5.0
    at = pd.date_range("2026-03-01", periods=1000, freq="5min", tz="Europe/Berlin")
    return pd.concat([pd.DataFrame({"at": at, "host": host, "load": load}) for host, load in (("a", beat), ("b", early))], ignore_index=True)


@pytest.mark.parametrize("align", ["end", "start", "max"])
def test_windows_of_series_are_reported_by_their_samples(align, path):
    frame = samples()
    windows = Shingles(frame, window=3, time="at", by="host")
    forest = PIDForest(contamination=0.002).fit(windows)
    data = data_in(forest.report(windows, path, align=align))
    bits = -windows.per_sample(forest.score_samples(windows), align)
    assert data["n_rows"] == len(frame)
    assert data["n_anomalies"] == (bits > -forest.offset_).sum() > 0
    for row in data["rows"]:
        assert row["bits"] == pytest.approx(bits[row["row"] - 1], abs=1e-4)
    assert 1401 - 3 < data["rows"][0]["row"] - 1 <= 1401 + 3
    tracks = data["series"]["tracks"]
    assert [track["key"] for track in tracks] == ["b", "a"]
    assert tracks[0]["metrics"][0]["mean"] == frame["load"][1000:].tolist()
    assert len(tracks[0]["spans"]) >= 1
    assert data["series"]["zone"] == "Europe/Berlin"


def test_hostile_names_stay_text(path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({HOSTILE: rng.choice(["a", "b", HOSTILE], 500, p=[0.6, 0.398, 0.002]), "x": rng.random(500)})
    frame.loc[3, HOSTILE] = HOSTILE
    page = PIDForest(contamination=0.01).fit(frame).report(frame, path, title=HOSTILE)
    text = page.read_text(encoding="utf-8")
    assert HOSTILE not in text
    assert "\u2028" not in text
    data = data_in(page)
    assert data["columns"][0]["name"] == HOSTILE
    assert any(HOSTILE in row["reason"] for row in data["rows"])


def test_what_is_asked_for_must_be_there(forest, frame, path):
    for name in ("id", "time", "by"):
        with pytest.raises(ValueError, match="there is no column 'nowhere'"):
            forest.report(frame, path, **{name: "nowhere"})
        with pytest.raises(TypeError, match=rf"{name} must be the name of a column; got 7\."):
            forest.report(frame, path, **{name: 7})
    with pytest.raises(ValueError, match=r"labels must have one value per row, the shape \(2000,\); got \(3,\)\."):
        forest.report(frame, path, labels=[True, False, True])
    with pytest.raises(ValueError, match=r"labels must be booleans, true for anomalies, or 1 and 0; row 5 has .*-1"):
        forest.report(frame, path, labels=np.where(np.arange(len(frame)) == 4, -1, 1))
    with pytest.raises(ValueError, match="align must be 'start', 'end' or 'max'; got 'middle'"):
        windows = Shingles(samples(), window=3, time="at", by="host")
        PIDForest(n_estimators=5).fit(windows).report(windows, path, align="middle")
    with pytest.raises(ValueError, match="feature names should match"):
        forest.report(frame.drop(columns="items"), path)
    assert not path.exists()


def test_an_estimator_must_be_fitted(frame, path):
    with pytest.raises(ValueError, match="not fitted yet"):
        PIDForest().report(frame, path)
    assert not path.exists()


def test_a_path_that_cannot_be_written_is_named(forest, frame, tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        forest.report(frame, tmp_path / "nowhere" / "report.html")


@pytest.fixture
def obeyed_interrupts():
    """Enable interrupts, which shells disable for tests that run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("obeyed_interrupts")
def test_an_interrupted_report_leaves_the_old_page(frame, path):
    path.write_text("the old one")

    def interrupt(stage, done, total):
        if stage == "timeline":
            os.kill(os.getpid(), signal.SIGINT)

    forest = PIDForest(verbose=interrupt).fit(frame)
    with pytest.raises(KeyboardInterrupt):
        forest.report(frame, path)
    assert path.read_text() == "the old one"
    assert [file.name for file in path.parent.iterdir()] == [path.name]
