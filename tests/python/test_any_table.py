# SPDX-License-Identifier: Apache-2.0
"""A law: a model depends only on the values of a table, not on their container or its pieces."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from pidforest import PIDForest

NUMBERS = st.floats(-1e6, 1e6, width=32) | st.integers(-(2**53), 2**53).map(float)
COLUMNS = {
    "float": (NUMBERS, pa.float64()),
    "int": (st.integers(-(2**31), 2**31 - 1), pa.int32()),
    "bool": (st.booleans(), pa.bool_()),
    "text": (st.sampled_from(["", "a", "ä", "\U0001f418", "long " * 20]), pa.string()),
    "time": (st.datetimes(min_value=pd.Timestamp(1950, 1, 1), max_value=pd.Timestamp(2100, 1, 1)), pa.timestamp("us")),
}


@st.composite
def tables(draw):
    """Draw an Arrow table of one to four columns with some missing values."""
    n_rows = draw(st.integers(1, 40))
    kinds = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=4))
    arrays = []
    for kind in kinds:
        values, arrow_type = COLUMNS[kind]
        values = values if kind == "int" else st.none() | values
        arrays.append(pa.array(draw(st.lists(values, min_size=n_rows, max_size=n_rows)), arrow_type))
    return pa.table(arrays, names=[f"{kind}{i}" for i, kind in enumerate(kinds)])


def pieces(draw, table):
    """Draw the same table, cut at random places; each piece is a slice of the whole."""
    ends = sorted(draw(st.lists(st.integers(0, len(table)), max_size=3)))
    begins = [0, *ends]
    return pa.concat_tables([table.slice(begin, end - begin) for begin, end in zip(begins, [*ends, len(table)])])


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(table=tables(), data=st.data())
def test_a_table_is_its_values(table, data):
    expected = PIDForest(n_estimators=3, max_samples=16).fit(table)
    scores = expected.score_samples(table)
    assert np.isfinite(scores).all()
    cut = pieces(data.draw, table)
    batches = data.draw(st.integers(1, 50))
    for same in (
        lambda: cut,
        lambda: pa.RecordBatchReader.from_batches(cut.schema, cut.to_batches(max_chunksize=batches)),
        lambda: pl.from_arrow(cut, rechunk=False),
        lambda: table.to_pandas(),
        lambda: table.to_pandas(types_mapper=pd.ArrowDtype),
        lambda: cut.cast(pa.schema([(f.name, pa.large_string() if f.type == pa.string() else f.type) for f in cut.schema])),
    ):
        forest = PIDForest(n_estimators=3, max_samples=16).fit(same())
        assert forest._model.to_bytes() == expected._model.to_bytes(), json.dumps(forest.schema_)
        assert np.array_equal(forest.score_samples(same()), scores)
