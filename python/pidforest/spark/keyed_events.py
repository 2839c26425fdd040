# SPDX-License-Identifier: Apache-2.0
"""The work of a task on the events of its keys: restore a stream, take the events in order, and store the stream.

It runs on executors and imports nothing of Spark.
"""

from __future__ import annotations

import datetime
import json
import math
import pickle
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pyarrow

from .. import __version__
from ..stream import StreamingPIDForest

STATE = "version string, declared string, stream binary"
_EPOCH = datetime.datetime(1970, 1, 1)
_MICROSECOND = datetime.timedelta(microseconds=1)


class Plan(NamedTuple):
    """What a query does with its events. Columns are positions in the rows that Spark hands over.

    `keys`, `features` and `time` are pairs of a position and a name. The first `n_columns` values of a row are passed through,
    and the next one is a 64-bit hash of them. `max_gap` is in microseconds.
    """

    keys: list[tuple[int, str]]
    features: list[tuple[int, str]]
    time: tuple[int, str] | None
    n_columns: int
    zone: str
    parameters: dict[str, Any]
    max_gap: int | None
    with_reason: bool

    def declared(self) -> str:
        """The parts that a stored stream depends on, as text."""
        names = {"by": [name for _, name in self.keys], "time": self.time and self.time[1], "inputCols": [name for _, name in self.features]}
        return json.dumps({**names, **self.parameters, "max_gap": self.max_gap, "zone": self.zone}, sort_keys=True, default=str)


class KeyedEvents:
    """Follows the streams of the keys of a task. `state` is the value state of the current key."""

    def __init__(self, plan: Plan, state: Any) -> None:
        self._plan = plan
        self._state = state
        self._declared = plan.declared()
        self._fresh = pickle.dumps(StreamingPIDForest(**plan.parameters)._stream)
        self._zone = pyarrow.lib.string_to_tzinfo(plan.zone)

    def follow(self, key: tuple[Any, ...], rows: Iterable[Any]) -> Iterator[list[Any]]:
        """The values of each row of a key with its score, prediction and reason; the stream of the key learns them.

        Raises ValueError for a null in the key or in the time, and for values that the stream refuses.
        """
        for (_, name), value in zip(self._plan.keys, key):
            if value is None:
                raise ValueError(
                    f"stream: the key column {name!r} is null in an event. Filter such events, df.where(df[{name!r}].isNotNull()), "
                    f"or give them a key of their own, df.fillna(..., [{name!r}])."
                )
        stream = self._restored(key)
        found = [self._found(stream, key, time, row) for time, row in self._in_order(rows)]
        self._state.update((__version__, self._declared, pickle.dumps(stream)))
        return iter(found)

    def _in_order(self, rows: Iterable[Any]) -> list[tuple[int, Any]]:
        """The rows with their times, ordered by the time and then by their hash: Spark hands them over in any order."""
        timed = [(self._time_of(row), row) for row in rows]
        return sorted(timed, key=lambda each: (each[0], each[1][self._plan.n_columns]))

    def _time_of(self, row: Any) -> int:
        if self._plan.time is None:
            return 0
        at, name = self._plan.time
        if row[at] is None:
            raise ValueError(f"stream: the time column {name!r} is null in an event. Filter such events: df.where(df[{name!r}].isNotNull()).")
        return time_number(row[at])

    def _restored(self, key: tuple[Any, ...]) -> Any:
        """The stream of a key as the last micro-batch left it. Raises ValueError if another version or query wrote it."""
        if not self._state.exists():  # Spark logs a warning if a value is read that does not exist
            return pickle.loads(self._fresh)
        version, declared, written = self._state.get()
        if version != __version__:
            raise ValueError(
                f"stream: pidforest {version} wrote the streams of this checkpoint, and pidforest {__version__} reads its own only. "
                f"Use pidforest {version}, or begin with a new checkpointLocation."
            )
        if declared != self._declared:
            raise ValueError(f"stream: {_difference(json.loads(declared), json.loads(self._declared))}")
        return pickle.loads(written)

    def _found(self, stream: Any, key: tuple[Any, ...], time: int, row: Any) -> list[Any]:
        bits, is_anomaly, reason = self._score(stream, key, time, row)
        has_score = not math.isnan(bits)
        return [*row[: self._plan.n_columns], bits if has_score else None, float(is_anomaly) if has_score else None, reason]

    def _score(self, stream: Any, key: tuple[Any, ...], time: int, row: Any) -> tuple[float, bool, str | None]:
        if self._plan.time is not None:
            arrival = stream.arrive(time, row[self._plan.n_columns] & (2**64 - 1), self._plan.max_gap)
            if arrival != "next":
                return math.nan, False, "duplicate" if arrival == "duplicate" else "late: earlier than the last event"
        event = {name: self._clock(row[at]) for at, name in self._plan.features}
        local = self._local(row)
        try:
            if self._plan.with_reason:
                bits, is_anomaly, reason = stream.follow_one(event, local)
                return bits, is_anomaly, _why_no_score(stream) if math.isnan(bits) else reason
            return *stream.update_one(event, local), None
        except ValueError as error:
            where = " and ".join(f"{name} = {value!r}" for (_, name), value in zip(self._plan.keys, key)) or "all events"
            raise ValueError(f"stream of {where}: {error} Make it null or filter such events.") from error

    def _local(self, row: Any) -> int | None:
        """The time of an event on the clock of Spark's session, in microseconds. None if the times are numbers."""
        if self._plan.time is None:
            return None
        value = self._clock(row[self._plan.time[0]])
        return time_number(value) if isinstance(value, datetime.date) else None

    def _clock(self, value: Any) -> Any:
        """A value of an event. A point in time becomes the time on the clock of Spark's session."""
        if isinstance(value, datetime.datetime) and value.tzinfo is not None:
            return value.astimezone(self._zone).replace(tzinfo=None)
        return value


def time_number(value: Any) -> int:
    """A time as microseconds since 1970, or a whole number as it is."""
    if isinstance(value, datetime.datetime):
        in_utc = value if value.tzinfo is None else value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return (in_utc - _EPOCH) // _MICROSECOND
    if isinstance(value, datetime.date):
        return (datetime.datetime(value.year, value.month, value.day) - _EPOCH) // _MICROSECOND
    return int(value)


def _why_no_score(stream: Any) -> str:
    n = stream.n_to_warm_up
    return "the window is not full yet" if n == 0 else f"warming up: {n} more row{'s' if n > 1 else ''} needed"


def _difference(stored: dict[str, Any], declared: dict[str, Any]) -> str:
    names = sorted(name for name in {*stored, *declared} if stored.get(name) != declared.get(name))
    both = "; ".join(f"{name} was {stored.get(name)!r} and is {declared.get(name)!r}" for name in names)
    return f"the streams of this checkpoint were begun with other parameters: {both}. Use the old ones, or begin with a new checkpointLocation."
