# SPDX-License-Identifier: Apache-2.0
"""The work of a task on the streams of its keys, without Spark: any micro-batches give the scores of the plain stream."""

import datetime
import math
import pickle
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark import cloudpickle

from pidforest import StreamingPIDForest
from pidforest.spark.keyed_events import KeyedEvents, Plan, time_number
from pidforest.spark.streams import _processor

SMALL = {"horizon": 100, "warm_up": 30, "n_estimators": 10}
BEGIN = datetime.datetime(2026, 3, 2)


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
