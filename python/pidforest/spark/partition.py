# SPDX-License-Identifier: Apache-2.0
"""The rows of one partition on an executor, and the check that every pass sees the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from .. import _core

_ROWS_AT_ONCE = 65_536
_CHANGED = (
    "the rows, or their order, changed between passes: {what}. Spark computes the DataFrame again in each pass. Call persist() or checkpoint() on "
    "the DataFrame first if it depends on random numbers, the time, the order in which a shuffle arrives, or files that are being written."
)


class Known(NamedTuple):
    """A partition as the first pass saw it."""

    first_row: int
    n_rows: int
    hash: int


NO_ROWS = Known(0, 0, 0)


def refuse_change(partition: int, before: Known, n_rows: int, hash: int) -> None:
    """Raises ValueError unless a later pass saw the same rows."""
    if n_rows != before.n_rows:
        raise ValueError(_CHANGED.format(what=f"partition {partition} had {before.n_rows:,} rows and then {n_rows:,}"))
    if hash != before.hash:
        raise ValueError(_CHANGED.format(what=f"partition {partition} has other values, or another order"))


def partition_id() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return int(context.partitionId()) if context is not None else 0


def named(columns: Sequence[pa.Array], names: Sequence[str], zone: str) -> pa.RecordBatch:
    """A batch of these columns. Its points in time are in the zone of Spark's session; some versions of Spark hand them over in UTC."""

    def with_zone(column: pa.Array) -> pa.Array:
        is_time = pa.types.is_timestamp(column.type) and column.type.tz is not None
        return column.cast(pa.timestamp(column.type.unit, tz=zone)) if is_time and column.type.tz != zone else column

    return pa.RecordBatch.from_arrays([with_zone(column) for column in columns], names=list(names))


def joined(batches: Sequence[pa.RecordBatch]) -> _core.Rows:
    return _core.Rows.from_arrow(pa.Table.from_batches(batches).__arrow_c_stream__())


class Partition:
    """The rows of the task's partition. The last column of its batches is the hash of each row; `names` are those of the others.

    `known` has the partitions with rows as the first pass saw them, and is None in the first pass. Its values are plain tuples: executors
    without the package must be able to read them.
    """

    def __init__(self, batches: Iterable[pa.RecordBatch], names: Sequence[str], zone: str, known: dict[int, tuple[int, int, int]] | None) -> None:
        self.number = partition_id()
        self.n_rows = 0
        self._sum = 0
        self._batches = iter(batches)
        self._names = names
        self._zone = zone
        self._before = None if known is None else Known(*known.get(self.number, NO_ROWS))

    @property
    def hash(self) -> int:
        """The hash of the rows in their order, so far, as a signed number."""
        return self._sum - 2**64 if self._sum >= 2**63 else self._sum

    def each(self, use: Callable[[_core.Rows, int], None]) -> None:
        """Calls `use` with many rows at once, and with the number of the first of them: in the whole table, or within the
        partition in the first pass.

        Raises ValueError if the rows are not those of the first pass; an error of `use` may come from that.
        """
        first_row = 0 if self._before is None else self._before.first_row
        try:
            for batches, begin in self._pieces():
                use(joined(batches), first_row + begin)
        except (ValueError, TypeError):
            for batch in self._batches:
                self._note(batch)
            self._refuse_change()
            raise
        self._refuse_change()

    def _refuse_change(self) -> None:
        if self._before is not None:
            refuse_change(self.number, self._before, self.n_rows, self.hash)

    def _pieces(self) -> Iterator[tuple[list[pa.RecordBatch], int]]:
        waiting: list[pa.RecordBatch] = []
        begin = 0
        for batch in self._batches:
            self._note(batch)
            if batch.num_rows > 0:
                waiting.append(named(batch.columns[:-1], self._names, self._zone))
            if self.n_rows - begin >= _ROWS_AT_ONCE:
                yield waiting, begin
                waiting, begin = [], self.n_rows
        if waiting:
            yield waiting, begin

    def _note(self, batch: pa.RecordBatch) -> None:
        hashes = batch.column(batch.num_columns - 1).to_numpy(zero_copy_only=False).view(np.uint64)
        places = np.arange(self.n_rows, self.n_rows + len(hashes), dtype=np.uint64)
        self._sum = (self._sum + int((hashes * (2 * places + 1)).sum(dtype=np.uint64))) % 2**64
        self.n_rows += len(hashes)
