# SPDX-License-Identifier: Apache-2.0
"""A fit in parts: law 19 through Python, for all kinds of columns and options, and what is refused."""

import datetime
import decimal
import json
import pickle

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pidforest import PIDForest, _core

DAYS = st.dates(datetime.date(1950, 1, 1), datetime.date(2100, 1, 1))
TIMES = st.datetimes(datetime.datetime(1950, 1, 1), datetime.datetime(2100, 1, 1))
COLUMNS = {
    "bool": (st.booleans(), pa.bool_()),
    "int8": (st.integers(-128, 127), pa.int8()),
    "int64": (st.integers(-(2**60), 2**60), pa.int64()),
    "float32": (st.floats(-1e6, 1e6, width=32), pa.float32()),
    "float64": (st.floats(-1e6, 1e6) | st.integers(-3, 3).map(float), pa.float64()),
    "decimal": (st.integers(-(10**8), 10**8).map(lambda n: decimal.Decimal(n) / 100), pa.decimal128(12, 2)),
    "text": (st.sampled_from(["", "a", "ä", "b", "long " * 20]), pa.string()),
    "number text": (st.sampled_from(["1", "2.5", "-3", "1e3"]), pa.large_string()),
    "time text": (st.sampled_from(["2026-01-02", "2026-03-04", "2025-12-31"]), pa.string()),
    "yes or no": (st.sampled_from(["yes", "no"]), pa.string()),
    "codes": (st.sampled_from(["low", "mid", "high"]), pa.dictionary(pa.int8(), pa.string())),
    "date": (DAYS, pa.date32()),
    "local time": (TIMES, pa.timestamp("us")),
    "time": (TIMES, pa.timestamp("us", tz="Europe/Berlin")),
    "duration": (st.integers(-(10**9), 10**9).map(lambda s: datetime.timedelta(seconds=s)), pa.duration("us")),
    "clock": (st.times(), pa.time64("us")),
    "nothing": (st.none(), pa.null()),
}
OPTIONS = st.fixed_dictionaries(
    {"n_estimators": st.integers(1, 6), "max_samples": st.integers(8, 64), "random_state": st.integers(0, 99)},
    optional={
        "cuts": st.just("optimal"),
        "count_rows": st.sampled_from(["sample", 10]),
        "contamination": st.sampled_from([None, 0.1]),
        "aggregate": st.sampled_from(["quantile", "max", "top", "vote", "odds"]),
        "root_interval": st.just("half_gap"),
        "related_share": st.sampled_from([0.0, 1.0]),
        "isolated": st.just(False),
        "rare_pairs": st.just(False),
        "reasons": st.just(False),
    },
)


def repeated(draw, values, n_rows):
    """Draw a few rows and repeat them, so that there are enough for trees and reasons."""
    some = draw(st.lists(values, min_size=1, max_size=12))
    order = np.random.default_rng(draw(st.integers(0, 2**32))).integers(0, len(some), n_rows)
    return [some[place] for place in order]


@st.composite
def tables(draw):
    n_rows = draw(st.sampled_from([1, 7, 300]))
    kinds = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=5))
    arrays = [pa.array(repeated(draw, st.none() | COLUMNS[kind][0], n_rows), COLUMNS[kind][1]) for kind in kinds]
    return pa.table(arrays, names=[f"{kind} {i}" for i, kind in enumerate(kinds)])


@st.composite
def pieces_of(draw, table):
    """Draw pieces of the table in any order, some of them empty, each with the number of its first row and its batch size."""
    cuts = sorted([0, len(table), *draw(st.lists(st.integers(0, len(table)), max_size=6))])
    ends = list(zip(cuts, cuts[1:]))
    return [(table.slice(begin, end - begin), begin, draw(st.integers(1, 400))) for begin, end in draw(st.permutations(ends))]


def rows_of(piece, batch_size):
    cut = pa.Table.from_batches(piece.to_batches(max_chunksize=batch_size), piece.schema)
    return _core.Rows.from_arrow(cut.__arrow_c_stream__())


def merged(draw, parts):
    """Merge parts in any order; some of them travel."""
    while len(parts) > 1:
        last = parts.pop()
        parts[draw(st.integers(0, len(parts) - 1))].merge(pickle.loads(pickle.dumps(last)) if draw(st.booleans()) else last)
    return type(parts[0]).from_bytes(parts[0].to_bytes())


def options_of(parameters):
    model = PIDForest(**parameters).fit([[0.0]])._model
    return model.options


def fit_in_parts(draw, table, schema, options):
    pieces = [(rows_of(piece, size), begin) for piece, begin, size in draw(pieces_of(table))]
    all_facts = [_core.Facts(schema) for _ in pieces]
    for facts, (rows, begin) in zip(all_facts, pieces):
        facts.add(rows, begin)
    facts = merged(draw, all_facts)
    surveys = [_core.Survey(facts.schema(), facts.n_rows, options) for _ in pieces]
    for survey, (rows, begin) in zip(surveys, pieces):
        survey.add(rows, begin)
    survey = merged(draw, surveys)
    forest = _core.grow(survey)
    if forest.needs_marks:
        marks = merged(draw, [forest.marks(rows, begin) for rows, begin in pieces])
        forest = forest.with_marks(marks, survey)
    forest = _core.GrownForest.from_bytes(forest.to_bytes())
    counts = np.array([forest.count(rows) for rows, _ in draw(st.permutations(pieces))])
    n_sums = forest.n_sums
    assert counts.shape[1] == forest.n_counts
    return forest.finish(np.concatenate([counts[:, :n_sums].sum(axis=0), counts[:, n_sums:].max(axis=0)]), survey)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(table=tables(), parameters=OPTIONS, data=st.data())
def test_a_fit_in_parts_gives_the_bytes_of_the_plain_fit(table, parameters, data):
    plain = PIDForest(**parameters).fit(table)._model
    assert fit_in_parts(data.draw, table, None, plain.options).to_bytes() == plain.to_bytes()


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(table=tables(), data=st.data())
def test_the_law_holds_with_a_schema(table, data):
    inferred = PIDForest(n_estimators=1).fit(table).schema_
    named = [column for column in inferred["columns"] if data.draw(st.booleans())] or inferred["columns"][:1]
    schema = json.dumps({**inferred, "columns": named})
    plain = PIDForest(n_estimators=3, schema=schema).fit(table)._model
    assert fit_in_parts(data.draw, table, schema, plain.options).to_bytes() == plain.to_bytes()


def related_rows(n_rows=4000):
    """Two related columns, and rows that break the relation and are far out in both: rare values that occur together."""
    rng = np.random.default_rng(5)
    first = rng.normal(size=n_rows)
    table = np.column_stack([first, first + 0.1 * rng.normal(size=n_rows), rng.standard_cauchy(n_rows).round(2)])
    table[rng.choice(n_rows, 12, replace=False), 1] *= -1
    table[rng.choice(n_rows, 9, replace=False), ::2] += 30
    return pa.table({name: table[:, i] for i, name in enumerate("abc")})


@settings(max_examples=8, deadline=None, derandomize=True, database=None)
@given(data=st.data())
def test_the_law_holds_where_marks_are_needed(data):
    table = related_rows()
    plain = PIDForest().fit(table)._model
    survey = _core.Survey(plain.schema, len(table), plain.options)
    survey.add(_core.Rows.from_arrow(table.__arrow_c_stream__()), 0)
    assert _core.grow(survey).needs_marks
    assert fit_in_parts(data.draw, table, None, plain.options).to_bytes() == plain.to_bytes()


def whole(table):
    return _core.Rows.from_arrow(table.__arrow_c_stream__())


def survey_of(table, options):
    survey = _core.Survey(PIDForest(n_estimators=1).fit(table)._model.schema, len(table), options)
    survey.add(whole(table), 0)
    return survey


def test_the_drawn_rows_do_not_grow_with_the_table():
    options = options_of({})
    drawn = _core.rows_to_draw(10**12, options)
    assert len(drawn) < 100_000
    assert (np.diff(drawn.astype(np.int64)) > 0).all()
    assert drawn[-1] < 10**12


def test_fits_that_draw_too_many_rows_are_refused_by_name():
    options = {**options_of({}), "n_estimators": "1000", "max_samples": "1000000"}
    with pytest.raises(ValueError, match=r"n_estimators times max_samples must be at most 16777216 in a fit in parts"):
        _core.rows_to_draw(10**9, options)
    with pytest.raises(ValueError, match=r"count_rows must be all, sample or at most 16777216 in a fit in parts"):
        _core.rows_to_draw(10**9, {**options_of({}), "count_rows": "20000000"})


def test_a_refused_value_is_named_by_its_row_in_the_whole_table():
    facts = _core.Facts(json.dumps({"columns": [{"name": "a", "kind": "continuous"}]}))
    more = _core.Facts(json.dumps({"columns": [{"name": "a", "kind": "continuous"}]}))
    facts.add(whole(pa.table({"a": ["1", "many"]})), 100)
    more.add(whole(pa.table({"a": ["much", "2"]})), 40)
    facts.merge(more)
    with pytest.raises(ValueError, match="row 41, column 'a': .*'much'"):
        facts.schema()


def test_parts_of_another_fit_are_refused():
    table = related_rows()
    options = options_of({"n_estimators": 2})
    survey = survey_of(table, options)
    forest = _core.grow(survey)
    with pytest.raises(ValueError, match="its options differs"):
        survey_of(table, options_of({"n_estimators": 3})).merge(survey)
    with pytest.raises(ValueError, match="needs marks before its rows can be counted"):
        forest.count(whole(table))
    with pytest.raises(ValueError, match="row 1 was added twice"):
        survey.merge(survey_of(table, options))
    with pytest.raises(ValueError, match="must have"):
        plain = _core.grow(survey_of(table, options_of({"n_estimators": 2, "reasons": False})))
        plain.finish(np.zeros(plain.n_counts - 1, dtype=np.int64), survey_of(table, options_of({"n_estimators": 2, "reasons": False})))


@pytest.mark.parametrize("part", ["Facts", "Survey", "Marks", "GrownForest"])
def test_bytes_of_parts_are_checked(part):
    for foreign in (b"", b"not a part", PIDForest(n_estimators=1).fit([[0.0]])._model.to_bytes()):
        with pytest.raises(ValueError, match="not such a part|it is not a pidforest"):
            getattr(_core, part).from_bytes(foreign)


def test_a_grown_forest_is_no_model():
    forest = _core.grow(survey_of(related_rows(), options_of({"n_estimators": 2})))
    with pytest.raises(ValueError, match="model"):
        _core.Model.from_bytes(forest.to_bytes())
