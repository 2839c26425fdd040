# SPDX-License-Identifier: Apache-2.0
"""Streams per key in Spark: the streams of each key alone, whatever the micro-batches, also after kill -9."""

import datetime
import decimal
import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from streaming_job import OPTIONS, PROVIDER, ROCKSDB, SCHEMA, start

import pidforest
from pidforest import StreamingPIDForest
from pidforest.spark import PIDForestModel, stream

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
