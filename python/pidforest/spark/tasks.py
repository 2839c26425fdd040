# SPDX-License-Identifier: Apache-2.0
"""The work of one task. It runs on executors, on one thread, in memory that does not grow with the rows.

The tasks of a fit take batches of rows with their hashes and yield batches of `PARTS`, or of `COUNTS`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .. import _core
from .partition import Partition, named

# The partitions as the first pass saw them: first row, number of rows, hash.
Known = dict[int, tuple[int, int, int]]

# A row has the check of a partition, which is its number of rows and their hash, and a part; or only a part, which is merged.
PARTS = pa.schema([("partition", pa.int32()), ("n_rows", pa.int64()), ("hash", pa.int64()), ("part", pa.binary()), ("error", pa.string())])
# `node` is the place of a count. The places -2p - 1 and -2p - 2 have the check of partition p.
COUNTS = pa.schema([("node", pa.int64()), ("n", pa.int64()), ("partition", pa.int32()), ("error", pa.string())])

# The first pass cannot know how many rows the partitions before this one have. Partition p begins at row p << PARTITION_BITS.
PARTITION_BITS = 36


def _part_row(partition: Partition, part: bytes | None) -> pa.RecordBatch:
    row = {"partition": partition.number, "n_rows": partition.n_rows, "hash": partition.hash, "part": part}
    return pa.RecordBatch.from_pylist([row], schema=PARTS)


def facts(batches: Iterable[pa.RecordBatch], names: Sequence[str], zone: str, schema: str | None) -> Iterator[pa.RecordBatch]:
    """What inference and completion of the schema need to know of the rows."""
    found = _core.Facts(schema)
    partition = Partition(batches, names, zone, None)
    partition.each(lambda rows, row: found.add(rows, (partition.number << PARTITION_BITS) + row))
    yield _part_row(partition, found.to_bytes() if partition.n_rows > 0 else None)


def survey(
    batches: Iterable[pa.RecordBatch], names: Sequence[str], zone: str, known: Known, schema: str, n_rows: int, options: dict[str, str]
) -> Iterator[pa.RecordBatch]:
    """The ranges of the axes, and the drawn rows."""
    found = _core.Survey(schema, n_rows, options)
    partition = Partition(batches, names, zone, known)
    partition.each(found.add)
    yield _part_row(partition, found.to_bytes() if partition.n_rows > 0 else None)


def marks(batches: Iterable[pa.RecordBatch], names: Sequence[str], zone: str, known: Known, forest: bytes) -> Iterator[pa.RecordBatch]:
    """Which rare values occur together in rows."""
    grown = _core.GrownForest.from_bytes(forest)
    found: list[_core.Marks] = []

    def add(rows: _core.Rows, first_row: int) -> None:
        found.append(grown.marks(rows, first_row))
        if len(found) == 2:
            found[0].merge(found.pop())

    partition = Partition(batches, names, zone, known)
    partition.each(add)
    yield _part_row(partition, found[0].to_bytes() if found else None)


def count(batches: Iterable[pa.RecordBatch], names: Sequence[str], zone: str, known: Known, forest: bytes) -> Iterator[pa.RecordBatch]:
    """The rows in each node, candidate and cube; the numbers from `n_sums` on are no counts, and the largest one stays."""
    grown = _core.GrownForest.from_bytes(forest)
    n_sums = grown.n_sums
    found: list[np.ndarray[Any, np.dtype[np.int64]]] = []

    def add(rows: _core.Rows, first_row: int) -> None:
        some = grown.count(rows)
        if found:
            some[:n_sums] += found[0][:n_sums]
            np.maximum(some[n_sums:], found[0][n_sums:], out=some[n_sums:])
        found[:] = [some]

    partition = Partition(batches, names, zone, known)
    partition.each(add)
    yield _count_rows(partition, found[0] if found else np.zeros(0, dtype=np.int64), n_sums)


def _count_rows(partition: Partition, counts: np.ndarray[Any, np.dtype[np.int64]], n_sums: int) -> pa.RecordBatch:
    present = np.flatnonzero((counts != 0) | (np.arange(len(counts)) >= n_sums))
    check = [-2 * partition.number - 1, -2 * partition.number - 2]
    nodes = np.concatenate([np.array(check, dtype=np.int64), present])
    numbers = np.concatenate([np.array([partition.n_rows, partition.hash], dtype=np.int64), counts[present]])
    columns = [pa.array(nodes), pa.array(numbers), pa.nulls(len(nodes), pa.int32()), pa.nulls(len(nodes), pa.string())]
    return pa.RecordBatch.from_arrays(columns, schema=COUNTS)


_PART_OF: dict[str, Callable[[bytes], Any]] = {
    "facts": _core.Facts.from_bytes,
    "survey": _core.Survey.from_bytes,
    "marks": _core.Marks.from_bytes,
}


def merge(batches: Iterable[pa.RecordBatch], kind: str) -> Iterator[pa.RecordBatch]:
    """Merges parts one by one. The checks and errors of the partitions are passed on."""
    merged: Any = None
    for batch in batches:
        place = batch.schema.get_field_index("part")
        for part in batch.column(place).drop_null():
            one = _PART_OF[kind](part.as_py())
            if merged is None:
                merged = one
            else:
                merged.merge(one)
        columns = [*batch.columns[:place], pa.nulls(batch.num_rows, pa.binary()), *batch.columns[place + 1 :]]
        yield pa.RecordBatch.from_arrays(columns, schema=PARTS)
    if merged is not None:
        yield pa.RecordBatch.from_pylist([{"part": merged.to_bytes()}], schema=PARTS)


@functools.lru_cache(maxsize=2)
def loaded(model: bytes) -> _core.Model:
    """A worker runs many tasks one after the other, and reads the model once."""
    return _core.Model.from_bytes(model)


def _rows_of(columns: pa.Array | Sequence[pa.Array], names: Sequence[str], zone: str) -> _core.Rows:
    """The rows of the arguments of a function of Spark, which are an array if there is only one."""
    arrays = [columns] if isinstance(columns, pa.Array) else list(columns)
    return _core.Rows.from_arrow_array(*named(arrays, names, zone).__arrow_c_array__())


def score(batches: Iterable[Any], model: bytes, names: Sequence[str], zone: str) -> Iterator[pa.Array]:
    """The bits of each row, batch by batch."""
    for columns in batches:
        yield pa.array(loaded(model).score(_rows_of(columns, names, zone), 1, None))


REASON_FIELDS = [
    pa.field("reason", pa.string()),
    pa.field("n_inside", pa.int64()),
    pa.field("expected", pa.float64()),
    pa.field("witness_bits", pa.float64()),
    pa.field("column_bits", pa.map_(pa.string(), pa.float64())),
]


def explain(batches: Iterable[Any], model: bytes, names: Sequence[str], zone: str) -> Iterator[pa.Array]:
    """The reason of each row as a struct of `REASON_FIELDS`, counted in the rows of the fit."""
    for columns in batches:
        yield _explained(loaded(model), _rows_of(columns, names, zone))


def reason(batches: Iterable[Any], model: bytes, names: Sequence[str], zone: str) -> Iterator[pa.Array]:
    """The reason of each row in words."""
    for structs in explain(batches, model, names, zone):
        yield pc.struct_field(structs, [0])


def _explained(model: _core.Model, rows: _core.Rows) -> pa.Array:
    from ..explanations import Explanations

    scored = _core.score(model, rows, None, 1, None)
    found = Explanations(scored, model.columns, scored.explain(None, 1, None), _core.FindOptions(), None, 1)
    table = found.to_dict()
    ends = np.arange(len(found) + 1, dtype=np.int32) * len(found.columns)
    bits = pa.MapArray.from_arrays(pa.array(ends), pa.array(found.columns * len(found), pa.string()), pa.array(found.column_bits.ravel()))
    values = [pa.array(table[field.name], field.type) for field in REASON_FIELDS[:-1]]
    return pa.StructArray.from_arrays([*values, bits], fields=REASON_FIELDS)
