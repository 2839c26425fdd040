# SPDX-License-Identifier: Apache-2.0
"""The columns of a DataFrame that a model reads: which ones, as which types of Arrow, and in which time zone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F

# By the class of Spark's type. Types of strings are one class or its subclasses.
_ARROW_TYPES = {
    "BooleanType": pa.bool_(),
    "ByteType": pa.int8(),
    "ShortType": pa.int16(),
    "IntegerType": pa.int32(),
    "LongType": pa.int64(),
    "FloatType": pa.float32(),
    "DoubleType": pa.float64(),
    "StringType": pa.string(),
    "CharType": pa.string(),
    "VarcharType": pa.string(),
    "DateType": pa.date32(),
    "TimestampNTZType": pa.timestamp("us"),
    "DayTimeIntervalType": pa.duration("us"),
    "TimeType": pa.time64("ns"),
    "NullType": pa.null(),
}


def quoted(name: str) -> Any:
    """The column of this very name; dots in a name are not fields of a struct."""
    return F.col("`" + name.replace("`", "``") + "`")


def session_zone(df: Any) -> str:
    """The time zone of the session: a name such as Europe/Berlin, or an offset such as +02:00, which Spark may write as GMT+2."""
    zone = str(df.sparkSession.conf.get("spark.sql.session.timeZone"))
    offset = re.fullmatch(r"(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d\d))?", zone)
    return f"{offset[1]}{int(offset[2]):02}:{offset[3] or '00'}" if offset else zone


def chosen_columns(df: Any, wanted: Sequence[str] | None, others: Sequence[str]) -> list[str]:
    """The wanted columns, or all but `others` if none are wanted. Raises ValueError for a column that cannot be used."""
    names = list(df.columns) if wanted is None else list(wanted)
    if wanted is None:
        names = [name for name in names if name not in others]
    if not names:
        left_out = f" beside {', '.join(map(repr, others))}" if others else ""
        raise ValueError(f"the DataFrame has no column{left_out} to fit. Name at least one column in inputCols.")
    check_columns(df, names)
    return names


def check_columns(df: Any, names: Sequence[str]) -> None:
    """Raises ValueError for a column that the DataFrame does not have, or has twice, or whose type no column may have."""
    counts = Counter(df.columns)
    for name, n in Counter(names).items():
        if counts[name] > 1:
            raise ValueError(f"column {name!r} occurs {counts[name]} times in the DataFrame. Rename its columns with toDF(...).")
        if n > 1:
            raise ValueError(f"column {name!r} is named {n} times in inputCols. Name it once.")
        if counts[name] == 0:
            raise ValueError(f"the DataFrame has no column {name!r}. It has {_listed(df.columns)}.")
    types = {field.name: field.dataType for field in df.schema.fields}
    for name in names:
        arrow_type(name, types[name], "UTC")


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:10]))
    return f"{shown} and {len(names) - 10} more" if len(names) > 10 else shown or "none"


def arrow_type(name: str, spark_type: Any, zone: str) -> pa.DataType:
    """The type of Arrow that Spark hands over. Raises ValueError for a type that no column may have."""
    kind = type(spark_type).__name__
    if kind == "TimestampType":
        return pa.timestamp("us", tz=zone)
    if kind == "DecimalType":
        return pa.decimal128(spark_type.precision, spark_type.scale)
    if kind not in _ARROW_TYPES:
        raise ValueError(
            f"column {name!r} is {spark_type.simpleString()}; a column may contain numbers, booleans, strings, dates or times. "
            "Leave it out of inputCols, or select the fields that matter as columns of their own."
        )
    return _ARROW_TYPES[kind]


def null_row(df: Any, names: Sequence[str], zone: str) -> pa.Table:
    """A table of these columns with one row of nulls, for checks of types before the first job."""
    types = {field.name: field.dataType for field in df.schema.fields}
    return pa.table({name: pa.nulls(1, arrow_type(name, types[name], zone)) for name in names})


def with_hash(df: Any, names: Sequence[str], hashed: Sequence[str]) -> Any:
    """These columns, and a hash of each row's values in the columns `hashed`. They are named by their places, as mapInArrow takes no dots."""
    columns = [quoted(name).alias(f"c{place}") for place, name in enumerate(names)]
    return df.select(*columns, F.xxhash64(*map(quoted, hashed)).alias("hash"))
