# SPDX-License-Identifier: Apache-2.0
"""The work of tasks without Spark: in memory that does not grow with the rows, and with a check that sees changes."""

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from pyspark import cloudpickle

from pidforest import PIDForest, _core
from pidforest.spark import tasks
from pidforest.spark.columns import session_zone
from pidforest.spark.partition import Known, Partition
from pidforest.spark.wheel import reporting_errors


def batches(numbers, size, hashes=None):
    table = pa.table({"c0": np.asarray(numbers, float), "hash": np.asarray(numbers if hashes is None else hashes, np.int64)})
    return table.to_batches(max_chunksize=size)


def read(numbers, size, known=None):
    """Return the partition after its rows were used, and how many came at once."""
    one = Partition(batches(numbers, size), ["x"], "UTC", known)
    at_once = []
    one.each(lambda rows, first_row: at_once.append((rows.n_rows, first_row)))
    return one, at_once


def test_scores_are_given_before_the_next_batch_is_read():
    model = PIDForest(n_estimators=2).fit(pa.table({"x": np.arange(100.0)}))._model.to_bytes()
    events = []

    def source():
        for place in range(5):
            events.append(f"read {place}")
            yield pa.array(np.arange(10.0))

    for place, scores in enumerate(tasks.score(source(), model, ["x"], "UTC")):
        assert len(scores) == 10
        events.append(f"scored {place}")
    assert events == [f"{what} {place}" for place in range(5) for what in ("read", "scored")]


def test_few_rows_are_held_at_once():
    one, at_once = read(np.arange(200_000), 10_000)
    assert one.n_rows == 200_000
    assert max(n_rows for n_rows, _ in at_once) <= 65_536 + 10_000
    assert [first_row for _, first_row in at_once] == np.cumsum([0, *(n_rows for n_rows, _ in at_once[:-1])]).tolist()


def test_the_check_depends_on_values_and_their_order_only():
    expected = read(range(1000), 10_000)[0].hash
    assert {read(range(1000), size)[0].hash for size in (1, 7, 999)} == {expected}
    assert read([1, 0, *range(2, 1000)], 10_000)[0].hash != expected
    assert read([*range(999), 1000], 10_000)[0].hash != expected
    assert read(range(999), 10_000)[0].hash != expected


def test_a_change_is_named_rather_than_the_error_that_comes_from_it():
    same = {0: tuple(Known(0, 100, read(range(100), 10)[0].hash))}

    def refuse(rows, first_row):
        raise ValueError("row 3: must be finite")

    with pytest.raises(ValueError, match="row 3: must be finite"):
        Partition(batches(range(100), 10), ["x"], "UTC", same).each(refuse)
    with pytest.raises(ValueError, match="partition 0 had 100 rows and then 101"):
        Partition(batches(range(101), 10), ["x"], "UTC", same).each(refuse)
    with pytest.raises(ValueError, match="partition 0 has other values, or another order"):
        Partition(batches(range(1, 101), 10), ["x"], "UTC", same).each(refuse)


def test_parts_are_merged_one_by_one():
    table = pa.table({"x": np.arange(100.0)})
    parts = []
    for begin in (0, 50):
        facts = _core.Facts(None)
        facts.add(_core.Rows.from_arrow(table.slice(begin, 50).__arrow_c_stream__()), begin)
        parts.append({"partition": begin // 50, "n_rows": 50, "hash": 1, "part": facts.to_bytes()})
    given = [pa.RecordBatch.from_pylist([part], schema=tasks.PARTS) for part in parts]
    *checks, last = tasks.merge(iter(given), "facts")
    assert [batch.column("part").null_count for batch in checks] == [1, 1]
    assert _core.Facts.from_bytes(last.column("part")[0].as_py()).n_rows == 100


@pytest.mark.parametrize(
    "zone, expected",
    [("GMT+2", "+02:00"), ("UTC-03:30", "-03:30"), ("+5", "+05:00"), ("UT+0130", "+01:30"), ("UTC", "UTC"), ("Etc/GMT-2", "Etc/GMT-2")],
)
def test_zones_that_are_offsets_are_written_in_one_way(zone, expected):
    df = SimpleNamespace(sparkSession=SimpleNamespace(conf={"spark.sql.session.timeZone": zone}))
    assert session_zone(df) == expected
    column = pa.table({"at": pa.array(np.arange(50) * 10**10).cast(pa.timestamp("us", tz=expected))})
    assert PIDForest(n_estimators=1).fit(column).schema_["columns"][0]["zone"] == expected


def test_executors_need_not_have_the_package_to_say_so():
    """A function is loaded and called in a process that has no pidforest."""
    sent = cloudpickle.dumps(reporting_errors("facts", tasks.PARTS, ["x"], "UTC", {0: (0, 1, 2)}))
    script = "import pickle, sys; print(next(pickle.load(sys.stdin.buffer)([])).to_pylist()[0]['error'])"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = subprocess.run([sys.executable, "-c", script], input=sent, env=environment, capture_output=True, check=False)
    assert "cannot import pidforest (No module named 'pidforest')" in found.stdout.decode(), found.stderr.decode()
