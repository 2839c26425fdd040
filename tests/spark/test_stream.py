# SPDX-License-Identifier: Apache-2.0
"""Streams per key in Spark: the streams of each key alone, whatever the micro-batches, also after kill -9."""

import datetime
import decimal
import json
import math
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark import cloudpickle
from streaming_job import OPTIONS, PROVIDER, ROCKSDB, SCHEMA, start

import pidforest
from pidforest import StreamingPIDForest
from pidforest.spark import PIDForestModel, stream
from pidforest.spark.keyed_events import KeyedEvents, Plan, time_number
from pidforest.spark.streams import _processor

JOB = Path(__file__).with_name("streaming_job.py")
SMALL = {"horizon": 100, "warm_up": 30, "n_estimators": 10}
N_EVENTS, N_FILES, TWICE = 600, 5, 333
BEGIN = datetime.datetime(2026, 3, 2)


def made_events(n, seed=0):
    """Return events of three hosts, one each five minutes, with nulls, a gap and a late event."""
    rng = random.Random(seed)
    events = []
    for i in range(n):
        at = BEGIN + datetime.timedelta(minutes=5 * i + (180 if i > 2 * n // 3 else 0))
        load = None if rng.random() < 0.05 else round(rng.gauss(50, 5) + (80 if i % 97 == 96 else 0), 3)
        zone = None if i < 9 else rng.choice("aab")
        events.append({"n": i, "host": rng.choice(["red", "green", "blue"]), "at": at, "load": load, "queue": rng.randrange(6), "zone": zone})
    events[n // 2]["at"] = BEGIN
    return events


class FakeState:
    """The value state of one key."""

    def __init__(self):
        self.value = None

    def exists(self):
        return self.value is not None

    def get(self):
        return self.value

    def update(self, value):
        self.value = value


def plan(**changed):
    whole = {
        "keys": [(0, "host")],
        "features": [(2, "load"), (3, "queue")],
        "time": (1, "at"),
        "n_columns": 4,
        "zone": "UTC",
        "parameters": {**SMALL, "random_state": 0},
        "max_gap": None,
        "with_reason": True,
    }
    return Plan(**{**whole, **changed})


def rows_of(n, seed=0):
    rng = random.Random(seed)
    return [("red", i // 3, rng.gauss(0, 1) + (9 if i % 70 == 69 else 0), rng.randrange(5), rng.getrandbits(64) - 2**63) for i in range(n)]


@pytest.mark.smoke
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000), cuts=st.lists(st.integers(0, 60), max_size=6))
def test_micro_batches_and_the_order_within_them_change_nothing(seed, cuts):
    rows = rows_of(180, seed)
    whole = list(KeyedEvents(plan(), FakeState()).follow(("red",), rows))
    state, pieces = FakeState(), []
    for begin, end in zip([0, *sorted(cuts)], [*sorted(cuts), 60]):
        batch = rows[3 * begin : 3 * end]  # events of one time stay together, as only a batch can order them
        random.Random(seed).shuffle(batch)
        pieces += KeyedEvents(plan(), state).follow(("red",), batch)
    assert pieces == whole
    assert [each[4] is None for each in whole] == [True] * 30 + [False] * 150 and whole[0][4:] == [None, None, "warming up: 29 more rows needed"]


@pytest.mark.smoke
def test_a_key_has_the_scores_and_reasons_of_the_plain_stream():
    rows = sorted(rows_of(180), key=lambda row: (row[1], row[4]))
    forest = StreamingPIDForest(**SMALL)
    found = list(KeyedEvents(plan(with_reason=False), FakeState()).follow(("red",), rows))
    assert [each[4] for each in found[30:]] == [forest.update_one({"load": row[2], "queue": row[3]}) for row in rows][30:]
    with_reason = list(KeyedEvents(plan(), FakeState()).follow(("red",), rows))
    assert [each[:6] for each in with_reason] == [each[:6] for each in found]
    reasons = [each[6] for each in with_reason[30:]]
    assert all((reason is not None) == (flag == 1) for reason, flag in zip(reasons, (each[5] for each in found[30:])))
    assert any("load = " in reason for reason in reasons if reason)


def test_late_and_repeated_events_are_not_learned():
    state = FakeState()
    rows = rows_of(90)
    events = KeyedEvents(plan(), state)
    last = list(events.follow(("red",), rows))[-1]
    before = pickle.loads(state.value[2]).n_learned
    newest = max(rows, key=lambda row: (row[1], row[4]))
    assert [each[4:] for each in events.follow(("red",), [newest])] == [[None, None, "duplicate"]]
    assert [each[4:] for each in events.follow(("red",), [rows[3]])] == [[None, None, "late: earlier than the last event"]]
    assert pickle.loads(state.value[2]).n_learned == before and last[4] is not None


def test_a_first_null_says_nothing_of_a_column():
    rows = [("red", i, None if i < 9 else 1.0 * (i % 7), None if i < 12 else "ab"[i % 2], i) for i in range(60)]
    found = list(KeyedEvents(plan(), FakeState()).follow(("red",), rows))
    assert [each[4] is None for each in found] == [True] * 30 + [False] * 30


def test_hours_are_those_of_the_zone_which_may_be_an_offset():
    instants = [BEGIN.replace(tzinfo=datetime.timezone.utc) + datetime.timedelta(hours=7 * i) for i in range(60)]
    rows = [("red", i, at, i % 5, i) for i, at in enumerate(instants)]
    found = list(KeyedEvents(plan(zone="+05:30"), FakeState()).follow(("red",), rows))
    forest = StreamingPIDForest(**SMALL)
    later = datetime.timedelta(hours=5, minutes=30)
    plain = [forest.update_one({"load": at.replace(tzinfo=None) + later, "queue": i % 5}) for i, at in enumerate(instants)]
    assert [each[4] for each in found[30:]] == plain[30:]


def test_nulls_and_values_that_do_not_fit_are_refused_by_name():
    events = KeyedEvents(plan(), FakeState())
    with pytest.raises(ValueError, match=r"key column 'host' is null.*isNotNull"):
        events.follow((None,), rows_of(1))
    with pytest.raises(ValueError, match=r"time column 'at' is null.*isNotNull"):
        events.follow(("red",), [("red", None, 1.0, 1, 5)])
    with pytest.raises(ValueError, match=r"stream of host = 'red': .*load.*inf"):
        events.follow(("red",), [("red", 1, math.inf, 1, 5)])


@pytest.mark.smoke
def test_a_state_of_another_version_or_query_is_refused():
    state = FakeState()
    list(KeyedEvents(plan(), state).follow(("red",), rows_of(5)))
    version, declared, written = state.value
    changed = plan(parameters={**SMALL, "random_state": 0, "horizon": 200}, features=[(2, "load")])
    with pytest.raises(ValueError, match=r"horizon was 100 and is 200; inputCols was \['load', 'queue'\] and is \['load'\].*checkpointLocation"):
        KeyedEvents(changed, state).follow(("red",), rows_of(5))
    state.value = ("0.0.1", declared, written)
    with pytest.raises(ValueError, match=rf"pidforest 0\.0\.1 wrote .*pidforest {version} reads.*checkpointLocation"):
        KeyedEvents(plan(), state).follow(("red",), rows_of(5))


def test_times_are_ordered_as_points_in_time():
    zone = datetime.timezone(datetime.timedelta(hours=2))
    assert time_number(datetime.datetime(1970, 1, 1, 2, tzinfo=zone)) == 0
    assert time_number(datetime.datetime(1969, 12, 31, 23, 59, 59, 999999)) == -1
    assert time_number(datetime.date(1970, 1, 2)) == 86_400_000_000 and time_number(7) == 7


@pytest.mark.parametrize(
    "world, message",
    [
        ("sys.modules['pidforest'] = None", "cannot import pidforest.*Install the wheel on every executor, or ship it"),
        ("import pidforest._core; pidforest._core.version = '9.9'", r"has pidforest 9\.9, and the driver has .*Install the wheel on every executor"),
    ],
)
def test_an_executor_without_the_wheel_says_how_to_ship_it(tmp_path, world, message):
    (tmp_path / "processor").write_bytes(cloudpickle.dumps(_processor({"keys": []}, ["c0"], None)))
    code = f"import pickle, sys; {world}; pickle.load(open(sys.argv[1], 'rb')).init(None)"
    run = subprocess.run([sys.executable, "-c", code, tmp_path / "processor"], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    with pytest.raises(RuntimeError, match=message):
        raise RuntimeError(run.stderr)


def as_json(event):
    return json.dumps({**event, "at": event["at"].strftime("%Y-%m-%d %H:%M:%S")})


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A folder of files of events, which Spark reads in the order of their modification times."""
    folder = tmp_path_factory.mktemp("source")
    events = made_events(N_EVENTS)
    events.insert(TWICE, events[TWICE])
    for i in range(N_FILES):
        path = folder / f"{i}.json"
        path.write_text("".join(as_json(event) + "\n" for event in events[i * len(events) // N_FILES : (i + 1) * len(events) // N_FILES]))
        os.utime(path, (1e9 + i, 1e9 + i))
    return folder


def run_job(source, folder, until=lambda folder: False):
    """Run the job and kill it with all its processes as soon as `until` holds. Returns whether it was killed."""
    words = [sys.executable, JOB, source, folder / "output", folder / "checkpoint"]
    with (folder / "log").open("ab") as log:
        job = subprocess.Popen(words, stdout=log, stderr=log, start_new_session=True)
        while job.poll() is None:
            if until(folder):
                os.killpg(job.pid, signal.SIGKILL)
                job.wait()
                return True
            time.sleep(0.005)
    assert job.returncode == 0, (folder / "log").read_text()[-4000:]
    return False


def is_within_batch(number):
    """Whether a micro-batch has begun and has not ended."""
    return lambda folder: (folder / f"checkpoint/offsets/{number}").exists() and not (folder / f"checkpoint/commits/{number}").exists()


def written(spark, folder):
    """The rows that the log of the sink says are written, as dicts in the order of n."""
    rows = spark.read.json(str(folder / "output")).collect()
    return sorted((row.asDict() for row in rows), key=lambda row: (row["n"], str(row["reason"])))


@pytest.fixture(scope="module")
def uninterrupted(spark, source, tmp_path_factory):
    folder = tmp_path_factory.mktemp("uninterrupted")
    assert not run_job(source, folder)
    return written(spark, folder)


def followed(events):
    """Return the score and prediction of the events of a host in order, from the plain stream."""
    forest, last = StreamingPIDForest(**SMALL, window=2), BEGIN
    for event in events:
        if event["at"] - last > OPTIONS["maxGap"]:
            forest.start_segment()
        last = event["at"]
        score = forest.update_one({name: event[name] for name in ("load", "queue", "zone")})
        yield (None, None) if math.isnan(score) else (score, float(forest.is_anomaly_))


def test_the_output_is_that_of_a_stream_per_key(uninterrupted):
    events = made_events(N_EVENTS)
    late, repeated = events[N_EVENTS // 2]["n"], TWICE
    said = {row["n"]: row for row in uninterrupted if row["reason"] != "duplicate"}
    assert len(said) == N_EVENTS and len(uninterrupted) == N_EVENTS + 1
    assert [row["n"] for row in uninterrupted if row["reason"] == "duplicate"] == [repeated]
    assert said[late]["reason"] == "late: earlier than the last event" and said[late]["score"] is None
    for host in ("red", "green", "blue"):
        own = [event for event in events if event["host"] == host and event["n"] != late]
        found = [(said[event["n"]]["score"], said[event["n"]]["prediction"]) for event in own]
        assert found == list(followed(own))
        assert found[-1][0] is not None
    flagged = [row for row in said.values() if row["prediction"]]
    assert flagged and all("load" in row["reason"] for row in flagged if row["n"] % 97 == 96)


def test_a_query_that_was_killed_goes_on_as_if_it_had_not_been(spark, source, uninterrupted, tmp_path):
    for number in (0, 3):  # in the warm-up, and after it
        assert run_job(source, tmp_path, is_within_batch(number))
    assert not run_job(source, tmp_path)
    assert written(spark, tmp_path) == uninterrupted


def as_frame(spark, events):
    return spark.createDataFrame([tuple(event.values()) for event in events], SCHEMA)


def test_events_without_a_key_are_one_stream(spark):
    events = made_events(120)
    late = events.pop(60)
    found = stream(as_frame(spark, events).repartition(3), time="at", inputCols=["load", "queue"], horizon=100, warmUp=30, nEstimators=10).toArrow()
    assert found.schema.names == [*events[0], "score", "prediction"]
    scores = {row["n"]: row["score"] for row in found.to_pylist()}
    forest = StreamingPIDForest(**SMALL)
    plain = [forest.update_one({"load": event["load"], "queue": event["queue"]}) for event in events]
    assert late["n"] not in scores and [scores[event["n"]] for event in events] == [None] * 30 + plain[30:]


def test_every_type_passes_through_and_times_are_read_on_the_clock_of_the_session(spark):
    types = "`a.b` long, at timestamp, local timestamp_ntz, day date, price decimal(9,2), ok boolean, raw binary, inner struct<x:array<int>>"
    zone = datetime.timezone.utc
    rows = [
        (2**60 + i if i % 5 else None, BEGIN.replace(tzinfo=zone) + datetime.timedelta(hours=i), BEGIN, BEGIN.date(), decimal.Decimal(i % 7) / 4, i % 3 == 0, b"\0", ([i],))
        for i in range(60)
    ]
    df = spark.createDataFrame(rows, types)
    features = ["at", "price", "ok", "local", "day"]
    found = stream(df, time="at", inputCols=features, warmUp=40, horizon=50, nEstimators=10).orderBy("at").collect()
    assert [tuple(row)[: len(df.columns)] for row in found] == [tuple(row) for row in df.orderBy("at").collect()]
    clock = [row[1].astimezone(ZoneInfo(spark.conf.get("spark.sql.session.timeZone"))).replace(tzinfo=None) for row in rows]
    forest = StreamingPIDForest(warm_up=40, horizon=50, n_estimators=10)
    plain = forest.update(pd.DataFrame({"at": clock, **{name: [row[df.columns.index(name)] for row in rows] for name in features[1:]}}))
    assert [row["score"] for row in found][40:] == list(plain)[40:]


@pytest.mark.parametrize(
    "changed, error, message",
    [
        ({"by": "hots"}, ValueError, "the DataFrame has no column 'hots'. It has 'n', 'host'"),
        ({"by": "load"}, ValueError, "by: column 'load' is double; a key may be a string.*Cast it to string"),
        ({"time": "host"}, ValueError, "time: column 'host' is string; .*Cast it to timestamp"),
        ({"inputCols": ["tags"]}, ValueError, "column 'tags' is array<string>; .*inputCols"),
        ({"inputCols": ["raw"]}, ValueError, "column 'raw' is binary; .*inputCols"),
        ({"inputCols": ["lasted"]}, ValueError, "column 'lasted' is interval .*number of seconds"),
        ({"inputCols": []}, ValueError, "no column"),
        ({"scoreCol": "load"}, ValueError, "two columns 'load'.*scoreCol"),
        ({"time": None, "window": 4}, ValueError, "window and maxGap need the order"),
        ({"time": "n", "maxGap": datetime.timedelta(hours=1)}, ValueError, "maxGap is a time, and column 'n' has whole numbers.*timestamp_micros"),
        ({"maxGap": 5}, TypeError, "maxGap must be a datetime.timedelta; got int"),
        ({"forgetAfter": datetime.timedelta(0)}, ValueError, "forgetAfter must be at least a millisecond; got 0:00:00"),
        ({"outputMode": "complete"}, ValueError, "outputMode must be 'append' or 'update'.*'complete'"),
        ({"warmUp": 5000}, ValueError, "warm_up must be between 2 and 2048"),
        ({"n_estimators": 5}, TypeError, "no parameter 'n_estimators'; options are nEstimators"),
        ({"nEstimators": 0}, ValueError, "n_estimators must be"),
    ],
)
def test_what_does_not_fit_is_refused_before_the_query_starts(spark, changed, error, message):
    df = spark.createDataFrame([], SCHEMA + ", tags array<string>, raw binary, lasted interval day to second")
    with pytest.raises(error, match=message):
        stream(df, **{"by": "host", "time": "at", "inputCols": ["load"], **changed})


def test_a_map_and_another_state_store_are_refused(spark):
    df = spark.createDataFrame([], "a double, inner struct<m:map<string,int>>")
    with pytest.raises(ValueError, match=r"column 'inner' is struct<m:map<string,int>>, which Spark cannot hash.*to_json"):
        stream(df, inputCols=["a"])
    before = spark.conf.get(PROVIDER, None)
    spark.conf.set(PROVIDER, "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider")
    try:
        with pytest.raises(ValueError, match=r"keep their state in RocksDB. Before this call: spark\.conf\.set\('spark"):
            stream(spark.readStream.format("rate").load(), inputCols=["value"])
    finally:
        spark.conf.set(PROVIDER, before) if before else spark.conf.unset(PROVIDER)


def test_a_null_key_ends_the_query_with_the_column_and_a_remedy(spark):
    df = as_frame(spark, [{**made_events(1)[0], "host": None}])
    with pytest.raises(Exception, match=r"key column 'host' is null.*isNotNull"):
        stream(df, by="host", time="at", inputCols=["load"]).collect()


def test_a_key_without_events_for_a_while_warms_up_again(spark, tmp_path):
    spark.conf.set(PROVIDER, ROCKSDB)
    spark.conf.set("spark.sql.streaming.noDataMicroBatches.enabled", "false")  # or the query never ends
    (tmp_path / "source").mkdir()
    frame = spark.readStream.schema(SCHEMA).json(str(tmp_path / "source"))
    followed = stream(frame, by="host", time="at", inputCols=["load"], reasonCol="reason", forgetAfter=datetime.timedelta(milliseconds=1))
    events = [{**event, "host": "red"} for event in made_events(20)[:9]]
    for i, part in enumerate((events[:5], events[5:])):
        (tmp_path / "source" / f"{i}.json").write_text("".join(as_json(event) + "\n" for event in part))
        start(followed, tmp_path / "output", tmp_path / "checkpoint").awaitTermination()
    reasons = [row["reason"] for row in spark.read.json(str(tmp_path / "output")).orderBy("n").collect()]
    assert reasons == [f"warming up: {256 - n} more rows needed" for n in (1, 2, 3, 4, 5, 1, 2, 3, 4)]


def test_a_model_scores_a_streaming_frame_as_it_scores_a_table(spark, source, tmp_path):
    events = made_events(N_EVENTS)
    forest = pidforest.PIDForest().fit(pd.DataFrame([[event["load"], event["queue"]] for event in events], columns=["load", "queue"]))
    frame = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 3).json(str(source))
    query = start(PIDForestModel.from_local(forest).transform(frame), tmp_path / "output", tmp_path / "checkpoint")
    query.awaitTermination()
    rows = {row["n"]: row["score"] for row in spark.read.json(str(tmp_path / "output")).collect()}
    plain = PIDForestModel.from_local(forest).transform(as_frame(spark, events)).collect()
    assert rows == {row["n"]: row["score"] for row in plain} and len(rows) == N_EVENTS
