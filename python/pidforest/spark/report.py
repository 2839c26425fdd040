# SPDX-License-Identifier: Apache-2.0
"""The page on a sample of a DataFrame."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F

from .. import _core
from ..report import options_of
from ..settings import count_of, number_or_none, rules_text
from .partition import named

_ROW = "__pidforest_row"


def sample_rows(df: Any, max_rows: int, seed: int, zone: str) -> tuple[pa.Table, int]:
    """At most this many rows in their order, drawn at random, and the number of all rows. Raises ValueError if there are none."""
    if count_of("maxRows", max_rows) == 0:
        raise ValueError("maxRows must be at least 1; got 0.")
    n_rows = df.count()
    if n_rows == 0:
        raise ValueError("the DataFrame has no rows to report. Check its filters and joins.")
    if n_rows > max_rows:
        numbered = df.withColumn(_ROW, F.monotonically_increasing_id())
        drawn = numbered.orderBy(F.xxhash64(F.lit(seed), F.col(_ROW)), _ROW).limit(max_rows)
        df = drawn.orderBy(_ROW).drop(_ROW)
    table = df.toArrow()
    return pa.Table.from_batches([named(batch.columns, table.column_names, zone) for batch in table.to_batches()]), n_rows


def write_page(
    model: _core.Model,
    table: pa.Table,
    n_rows: int,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    id: str | None = None,
    time: str | None = None,
    by: str | None = None,
    min_bits: float | None = None,
    dialect: str = "standard",
    suppress: Any = None,
) -> Path:
    """Write the page. Its head says so if the table is a sample of the rows."""
    options = options_of(None, dialect, title=title, id=id, time=time, by=by, min_bits=number_or_none("min_bits", min_bits))
    if len(table) < n_rows:
        options.add_fact("sample", f"{len(table):,} of {n_rows:,} rows, drawn at random")
    scored = _core.score(model, _core.Rows.from_arrow(table.__arrow_c_stream__()), rules_text(suppress), 0, None)
    _core.write_report(scored, os.fspath(path), options, 0, None)
    return Path(path)
