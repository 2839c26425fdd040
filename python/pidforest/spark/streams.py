# SPDX-License-Identifier: Apache-2.0
"""Streams in Spark's Structured Streaming: one forest per key, with its state in Spark's state store."""

from __future__ import annotations

import datetime
import importlib
from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql import types as T

from ..settings import PARAMETER_OF, schema_text
from ..stream import StreamingPIDForest
from .columns import chosen_columns, quoted, session_zone
from .params import OPTION_OF
from .wheel import executor_check

_KEYS = (T.StringType, T.IntegralType, T.BooleanType, T.DateType)
_TIMES = (T.TimestampType, T.TimestampNTZType, T.DateType, T.IntegralType)
_NOT_SCORED = ("DayTimeIntervalType", "TimeType")
_NOT_HASHED = ("MapType", "VariantType")
_NEW_FIELDS = [T.StructField("bits", T.DoubleType()), T.StructField("flag", T.DoubleType()), T.StructField("reason", T.StringType())]
_PROVIDER = "spark.sql.streaming.stateStore.providerClass"
_ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def stream(
    df: DataFrame,
    *,
    by: str | Sequence[str] | None = None,
    time: str | None = None,
    inputCols: Sequence[str] | None = None,
    idCol: str | None = None,
    scoreCol: str = "score",
    predictionCol: str = "prediction",
    reasonCol: str = "",
    horizon: int = 2048,
    warmUp: int = 256,
    window: int = 1,
    maxGap: datetime.timedelta | None = None,
    forgetAfter: datetime.timedelta | None = None,
    schema: Any = None,
    outputMode: str = "append",
    **options: Any,
) -> DataFrame:
    """Score each event of a streaming DataFrame by the events of its key before it, then learn it.

    Each key has a `StreamingPIDForest`, whose state is in Spark's state store. After a restart from a checkpoint the query
    continues as if it had not stopped, and the output has each event once.

    Parameters
    ----------
    df : DataFrame
        The events. On a DataFrame that is not streaming, all events are one micro-batch and the streams are dropped at the end.
    by : str or list of str, optional
        The columns of the key: strings, whole numbers, booleans or dates. None: all events are one stream, in one task.
    time : str, optional
        The column that orders the events of a key: a timestamp, a date or a whole number. Events that come in a later
        micro-batch and are earlier than the last event of their key have no score and are not learned, and so is an event that
        repeats the last one. None: the events of a micro-batch are taken in an order made of a hash of their values.
    inputCols : list of str, optional
        The columns that are scored. None: all columns except `by`, `time` and `idCol`.
    idCol : str, optional
        A column that names events and is not scored.
    scoreCol : str, default="score"
        The new column for the bits of each event; null without a score.
    predictionCol : str, default="prediction"
        The new column that is 1.0 for events above the threshold of their time and 0.0 for others; null without a score.
    reasonCol : str, default=""
        The new column for the reason of an anomaly, or why there is no score. Empty for none.
    horizon : int, default=2048
        The forest of a key counts this many of its last events. The state of a key grows with it.
    warmUp : int, default=256
        The events of a key that its first trees are grown on; they have no score.
    window : int, default=1
        The events of a row: 1, or how many successive ones make a window.
    maxGap : timedelta, optional
        A longer step in `time` begins a new segment, and no window crosses it.
    forgetAfter : timedelta, optional
        A key without events for this long, by the clock of the machines, is dropped, and warms up again if it returns. Without it, every
        key is kept. With it, Spark runs micro-batches without events, so that a query with the trigger `availableNow` ends only if
        spark.sql.streaming.noDataMicroBatches.enabled is false.
    schema : str or dict, optional
        What the columns mean (docs/schema.md). Without it, each key infers it from its warm-up.
    outputMode : str, default="append"
        The output mode that the query is started with, "append" or "update". Both write each event once.
    **options
        Every option of `PIDForest` in Spark's style, such as ``seed`` and ``contamination``; nEstimators is 25.

    Returns
    -------
    DataFrame
        The columns of `df` and the new ones.

    Raises
    ------
    ValueError
        If a column is missing or of a type that does not fit, or a parameter is out of its range.
    TypeError
        If there is no such parameter.
    """
    keys = [by] if isinstance(by, str) else list(by or [])
    new = [scoreCol, predictionCol, reasonCol]
    _check_columns(df, keys, time, idCol, [name for name in new if name])
    features = chosen_columns(df, inputCols, [*keys, *([time] if time else []), *([idCol] if idCol else [])])
    _check_features(df, features)
    _check_order(df, time, window, maxGap)
    _check_session(df, outputMode)
    parameters = {**_forest_options(options), "horizon": horizon, "warm_up": warmUp, "window": window, "schema": schema_text(schema)}
    StreamingPIDForest(**parameters)  # refuses values before the query starts
    at = {name: i for i, name in enumerate(df.columns)}
    plan = {
        "keys": [(at[name], name) for name in keys],
        "features": [(at[name], name) for name in features],
        "time": None if time is None else (at[time], time),
        "n_columns": len(at),
        "zone": session_zone(df),
        "parameters": parameters,
        "max_gap": _microseconds("maxGap", maxGap),
        "with_reason": bool(reasonCol),
    }
    found = _followed(_packed(df, bool(keys)), plan, _microseconds("forgetAfter", forgetAfter), outputMode)
    return found.select(*[F.col(inner).alias(name) for inner, name in zip(found.columns, [*df.columns, *new]) if name])


def _followed(packed: DataFrame, plan: dict[str, Any], lifetime: int | None, outputMode: str) -> DataFrame:
    """The columns that are passed through, and those of `_NEW_FIELDS`. A key lives for `lifetime` microseconds after its last event."""
    grouped = packed.groupBy(*([f"c{at}" for at, _ in plan["keys"]] or ["key"]))
    fields = [*packed.schema.fields[: plan["n_columns"]], *_NEW_FIELDS]
    follower = _processor(plan, [field.name for field in fields], None if lifetime is None else lifetime // 1000)
    return grouped.transformWithState(follower, T.StructType(fields), outputMode, "None" if lifetime is None else "ProcessingTime")


def _packed(df: DataFrame, has_keys: bool) -> DataFrame:
    """The columns as c0, c1, ..., then a hash of the row and, for events without a key, the key of all."""
    columns = [quoted(name).alias(f"c{i}") for i, name in enumerate(df.columns)]
    hashed = F.xxhash64(*[quoted(name) for name in df.columns]).alias("hash")
    return df.select(*columns, hashed, *([] if has_keys else [F.lit(0).alias("key")]))


def _processor(plan: dict[str, Any], names: list[str], milliseconds: int | None) -> Any:
    """The work of executors. Its class is made here so that it is shipped as code and can say that the package is missing."""
    from pyspark.sql.streaming.stateful_processor import StatefulProcessor

    problem = executor_check()

    class Follower(StatefulProcessor):
        def init(self, handle: Any) -> None:
            wrong = problem()
            if wrong is not None:
                raise RuntimeError(wrong)
            from pidforest.spark.keyed_events import STATE, KeyedEvents, Plan

            self.events = KeyedEvents(Plan(**plan), handle.getValueState("stream", STATE, milliseconds))

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Any:
            made = Row(*names)
            return (made(*values) for values in self.events.follow(key if plan["keys"] else (), rows))

        def close(self) -> None:
            pass

    return Follower()


def _check_columns(df: DataFrame, keys: list[str], time: str | None, idCol: str | None, new: list[str]) -> None:
    types = {field.name: field.dataType for field in df.schema.fields}
    for i, name in enumerate([*df.columns, *new]):
        if name in [*df.columns, *new][:i]:
            raise ValueError(f"the output would have two columns {name!r}; rename the column, or give scoreCol, predictionCol and reasonCol other names.")
    for name in [*keys, *([time] if time else []), *([idCol] if idCol else [])]:
        if name not in types:
            raise ValueError(f"the DataFrame has no column {name!r}. It has {', '.join(map(repr, df.columns))}.")
    for name in keys:
        if not isinstance(types[name], _KEYS):
            raise ValueError(f"by: column {name!r} is {types[name].simpleString()}; a key may be a string, a whole number, a boolean or a date. Cast it to string.")
    if time is not None and not isinstance(types[time], _TIMES):
        raise ValueError(f"time: column {time!r} is {types[time].simpleString()}; it must be a timestamp, a date or a whole number. Cast it to timestamp.")
    for name, found in types.items():
        if _is_within(found, _NOT_HASHED):
            raise ValueError(f"column {name!r} is {found.simpleString()}, which Spark cannot hash. Drop it, or pass it on as text: F.to_json({name!r}).")


def _check_features(df: DataFrame, features: list[str]) -> None:
    for field in df.schema.fields:
        if field.name in features and type(field.dataType).__name__ in _NOT_SCORED:
            raise ValueError(f"column {field.name!r} is {field.dataType.simpleString()}, which a stream cannot score. Make it a number of seconds, or leave it out of inputCols.")


def _is_within(found: T.DataType, kinds: tuple[str, ...]) -> bool:
    """Whether a type is or contains one of these kinds."""
    if isinstance(found, T.ArrayType):
        return _is_within(found.elementType, kinds)
    if isinstance(found, T.StructType):
        return any(_is_within(field.dataType, kinds) for field in found.fields)
    return type(found).__name__ in kinds


def _forest_options(options: dict[str, Any]) -> dict[str, Any]:
    """Options in Spark's style as parameters of the forest. Raises TypeError for an unknown one."""
    for name in options:
        if name not in OPTION_OF:
            raise TypeError(f"stream has no parameter {name!r}; options are {', '.join(OPTION_OF)}.")
    return {PARAMETER_OF.get(OPTION_OF[name], OPTION_OF[name]): value for name, value in options.items()}


def _microseconds(name: str, span: datetime.timedelta | None) -> int | None:
    if span is None:
        return None
    if not isinstance(span, datetime.timedelta):
        raise TypeError(f"{name} must be a datetime.timedelta; got {type(span).__name__}.")
    if span < datetime.timedelta(milliseconds=1):
        raise ValueError(f"{name} must be at least a millisecond; got {span}.")
    return span // datetime.timedelta(microseconds=1)


def _check_order(df: DataFrame, time: str | None, window: int, maxGap: datetime.timedelta | None) -> None:
    if time is None and (window != 1 or maxGap is not None):
        raise ValueError("window and maxGap need the order of the events: name the column that orders them, time=...")
    if maxGap is not None and isinstance(df.schema[time].dataType, T.IntegralType):
        raise ValueError(f"maxGap is a time, and column {time!r} has whole numbers. Leave out maxGap, or make the column a timestamp: F.timestamp_micros({time!r}).")


def _check_session(df: DataFrame, outputMode: str) -> None:
    if outputMode not in ("append", "update"):
        raise ValueError(f"outputMode must be 'append' or 'update', as each event is written once; got {outputMode!r}.")
    if not hasattr(df.groupBy(), "transformWithState"):
        raise RuntimeError("stream requires pyspark 4.1 or newer, which has transformWithState: pip install 'pyspark>=4.1'.")
    try:
        importlib.import_module("google.protobuf")
    except ImportError:
        raise ImportError("Spark's state in Python requires protobuf: pip install 'pidforest[spark]'.") from None
    if df.isStreaming and df.sparkSession.conf.get(_PROVIDER) != _ROCKSDB:
        raise ValueError(f"streams keep their state in RocksDB. Before this call: spark.conf.set({_PROVIDER!r}, {_ROCKSDB!r}).")
