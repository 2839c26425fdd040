# SPDX-License-Identifier: Apache-2.0
"""The fit of a DataFrame: passes over its partitions, whose parts are merged on executors and joined on the driver.

The row numbers are those of `df.toArrow()`: the partitions one after the other, each in its own order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from pyspark.sql import functions as F

from .. import _core
from . import tasks
from .columns import null_row, session_zone, with_hash
from .partition import NO_ROWS, Known, refuse_change
from .wheel import reporting_errors

_PARTS = "partition int, n_rows long, hash long, part binary, error string"
_COUNTS = "node long, n long, partition int, error string"
# Parts are merged by this many tasks before they are sent to the driver.
_MERGERS = 4


class Passes:
    """Passes over some columns of a DataFrame."""

    def __init__(self, df: Any, names: Sequence[str]) -> None:
        self.names = list(names)
        self.zone = session_zone(df)
        self.known: dict[int, Known] | None = None
        self._df = df

    @property
    def n_rows(self) -> int:
        return sum(one.n_rows for one in (self.known or {}).values())

    def merged(self, kind: str, names: Sequence[str], *arguments: Any) -> bytes | None:
        """The part of all rows, or None if there are none. Raises ValueError for an error on an executor, or if the rows changed."""
        before = [] if self.known is None else [self._plain_known()]
        task = reporting_errors(kind, tasks.PARTS, list(names), self.zone, *before, *arguments)
        parts = with_hash(self._df, names, self.names).mapInArrow(task, _PARTS).repartition(_MERGERS, "partition")
        table = parts.mapInArrow(reporting_errors("merge", tasks.PARTS, kind), _PARTS).toArrow()
        _refuse_errors(table.select(["partition", "error"]).to_pylist())
        checks = table.select(["partition", "n_rows", "hash"]).to_pylist()
        self._know({row["partition"]: (row["n_rows"], row["hash"]) for row in checks if row["partition"] is not None})
        last = [row for batch in tasks.merge(table.to_batches(), kind) for row in batch.column("part").to_pylist()][-1:]
        return last[0] if last else None

    def counts(self, names: Sequence[str], forest: _core.GrownForest) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The counts of all rows, which Spark adds up node by node. Raises ValueError as `merged`."""
        task = reporting_errors("count", tasks.COUNTS, list(names), self.zone, self._plain_known(), forest.to_bytes())
        found = with_hash(self._df, names, self.names).mapInArrow(task, _COUNTS)
        is_sum = F.col("node") < forest.n_sums
        number = F.coalesce(F.sum(F.when(is_sum, F.col("n"))), F.max("n")).alias("n")
        table = found.groupBy("node", "partition", "error").agg(number).toArrow()
        _refuse_errors(table.select(["partition", "error"]).to_pylist())
        nodes, numbers = (table.column(name).to_numpy() for name in ("node", "n"))
        of_checks = dict(zip(nodes[nodes < 0].tolist(), numbers[nodes < 0].tolist()))
        self._know({-(node + 1) // 2: (n, of_checks[node - 1]) for node, n in of_checks.items() if node % 2 == 1})
        counts = np.zeros(forest.n_counts, dtype=np.int64)
        counts[nodes[nodes >= 0]] = numbers[nodes >= 0]
        return counts

    def _plain_known(self) -> tasks.Known:
        return {number: (one.first_row, one.n_rows, one.hash) for number, one in (self.known or {}).items()}

    def _know(self, checks: dict[int, tuple[int, int]]) -> None:
        """Learns the partitions in the first pass. Raises ValueError if they are others in a later one."""
        found = {number: check for number, check in sorted(checks.items()) if check[0] > 0}
        if self.known is not None:
            for number in sorted({*found, *self.known}):
                refuse_change(number, self.known.get(number, NO_ROWS), *found.get(number, (0, 0)))
            return
        self.known = {}
        next_row = 0
        for number, (n_rows, hash) in found.items():
            self.known[number] = Known(next_row, n_rows, hash)
            next_row += n_rows


def _refuse_errors(rows: list[dict[str, Any]]) -> None:
    """Raises ValueError for the error of the first partition that has one."""
    failed = sorted((row["partition"], row["error"]) for row in rows if row["error"] is not None)
    if failed:
        raise ValueError(failed[0][1])


def fit_model(df: Any, names: Sequence[str], schema: str | None, options: dict[str, str]) -> _core.Model:
    """The model of the plain fit of these columns. Raises ValueError for rows, columns and options that cannot be used."""
    passes = Passes(df, names)
    expected = _core.Facts(schema)
    expected.add(_core.Rows.from_arrow(null_row(df, names, passes.zone).__arrow_c_stream__()), 0)  # refuses a wrong schema before the first job
    facts = passes.merged("facts", names, schema)
    if facts is None:
        raise ValueError("the DataFrame has no rows; fitting requires at least one. Check its filters and joins.")
    complete = _schema_of(_core.Facts.from_bytes(facts), passes)
    used = used_columns(complete, names)
    part = passes.merged("survey", used, complete, passes.n_rows, options)
    survey = _core.Survey.from_bytes(_present(part))
    forest = _core.grow(survey)
    if forest.needs_marks:
        marks = passes.merged("marks", used, forest.to_bytes())
        forest = forest.with_marks(_core.Marks.from_bytes(_present(marks)), survey)
    return forest.finish(passes.counts(used, forest), survey)


def _present(part: bytes | None) -> bytes:
    assert part is not None  # the checks of the pass are those of the first one, which had rows
    return part


def used_columns(schema: str, names: Sequence[str]) -> list[str]:
    """The columns that scores depend on; all of them if they depend on none."""
    ignored = {column["name"] for column in json.loads(schema)["columns"] if column["kind"] == "ignored"}
    return [name for name in names if name not in ignored] or list(names)


def _schema_of(facts: _core.Facts, passes: Passes) -> str:
    """The complete schema. Raises ValueError for a value that it does not allow, by its row in the whole table."""
    try:
        return facts.schema()
    except ValueError as error:
        raise ValueError(re.sub(r"(?<=\brow )\d+", lambda row: str(_row_of(int(row[0]), passes.known or {})), str(error))) from None


def _row_of(number: int, known: dict[int, Known]) -> int:
    """The number of a row in the whole table, from its number in the first pass. Both count from 1."""
    partition, row = divmod(number - 1, 1 << tasks.PARTITION_BITS)
    return known.get(partition, NO_ROWS).first_row + row + 1
