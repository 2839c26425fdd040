# SPDX-License-Identifier: Apache-2.0
"""Equal data gives equal scores in any container, and objects that are not tables are rejected."""

import datetime
import decimal
import json
import subprocess

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from tables import TOOL, numbers, orders

from pidforest import PIDForest

pytestmark = pytest.mark.filterwarnings("error")


def reader(table):
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=700))


def chunked(table):
    return pa.concat_tables([table.slice(0, 1000), table.slice(1000, 17), table.slice(1017)])


class CStream:
    """Has only the Arrow stream interface."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class CArray:
    """One record batch, with only the Arrow array interface."""

    def __init__(self, batch):
        self._batch = batch

    def __arrow_c_array__(self, requested_schema=None):
        return self._batch.__arrow_c_array__(requested_schema)


def arrow(frame):
    return pa.Table.from_pandas(frame, preserve_index=False)


FRAMES = {
    "pandas": lambda frame: frame,
    "pandas objects": lambda frame: frame.astype(object),
    "pandas nullable": lambda frame: frame.convert_dtypes(),
    "pandas on arrow": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
    "pandas nanoseconds": lambda frame: frame.assign(placed_at=frame["placed_at"].astype("datetime64[ns, UTC]")),
    "polars": pl.from_pandas,
    "polars chunked": lambda frame: pl.concat([pl.from_pandas(frame[:900]), pl.from_pandas(frame[900:])], rechunk=False),
    "pyarrow": arrow,
    "pyarrow chunked": lambda frame: chunked(arrow(frame)),
    "pyarrow reader": lambda frame: reader(arrow(frame)),
    "pyarrow batch": lambda frame: arrow(frame).combine_chunks().to_batches()[0],
    "large strings": lambda frame: arrow(frame).cast(pa.schema([f.with_type(pa.large_string()) if pa.types.is_string(f.type) else f for f in arrow(frame).schema])),
    "string views": lambda frame: arrow(frame).cast(pa.schema([f.with_type(pa.string_view()) if pa.types.is_string(f.type) else f for f in arrow(frame).schema])),
    "C stream": lambda frame: CStream(chunked(arrow(frame))),
    "C array": lambda frame: CArray(arrow(frame).combine_chunks().to_batches()[0]),
    "duckdb": lambda frame: duckdb.from_arrow(arrow(frame)),
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES.keys())
def test_every_frame_gives_the_same_scores(make):
    frame = orders()
    expected = PIDForest().fit(frame)
    forest = PIDForest().fit(make(frame))
    assert list(forest.feature_names_in_) == list(frame.columns)
    assert np.array_equal(forest.score_samples(make(frame)), expected.score_samples(frame))
    assert np.array_equal(expected.score_samples(make(frame)), expected.score_samples(frame))
    assert [str(e) for e in forest.explain(make(frame)).top(5)] == [str(e) for e in expected.explain(frame).top(5)]


def test_the_command_line_gives_the_same_scores(tmp_path):
    frame = orders()
    forest = PIDForest().fit(frame)
    forest.save(tmp_path / "orders.pidf")
    frame.to_csv(tmp_path / "orders.csv", index=False)
    printed = subprocess.run(
        [TOOL, "score", tmp_path / "orders.pidf", tmp_path / "orders.csv", "--json"], capture_output=True, text=True, check=True
    ).stdout
    assert [json.loads(line)["score"] for line in printed.splitlines()] == (-forest.score_samples(frame)).tolist()

    subprocess.run([TOOL, "fit", tmp_path / "orders.csv", "-o", tmp_path / "cli.pidf", "--quiet"], check=True)
    assert np.array_equal(PIDForest.load(tmp_path / "cli.pidf").score_samples(frame), forest.score_samples(frame))


X = numbers()
ARRAYS = {
    "C": X,
    "Fortran": np.asfortranarray(X),
    "strided": np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards": np.ascontiguousarray(X[::-1])[::-1],
    "other byte order": X.astype(X.dtype.newbyteorder()),
    "long double": X.astype(np.longdouble),
    "objects": X.astype(object),
    "decimals": np.vectorize(lambda x: decimal.Decimal(str(x)), otypes=[object])(X),
    "masked": np.ma.masked_array(X, mask=np.zeros_like(X, dtype=bool)),
    "lists": X.tolist(),
    "unnamed frame": pd.DataFrame(X),
    "unaligned": np.frombuffer(b"x" + X.tobytes(), dtype=np.float64, offset=1).reshape(X.shape),
}
ARRAYS["read-only"] = X.copy()
ARRAYS["read-only"].flags.writeable = False


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS.keys())
def test_every_layout_gives_the_same_scores(array):
    expected = PIDForest().fit(X)
    forest = PIDForest().fit(array)
    assert not hasattr(forest, "feature_names_in_")
    assert np.array_equal(forest.score_samples(array), expected.score_samples(X))
    assert np.array_equal(expected.score_samples(array), expected.score_samples(X))


@pytest.mark.parametrize("dtype", ["f2", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_elements_of_any_type_are_the_same_numbers(dtype):
    some = np.clip(X * 10, 0, 100).astype(dtype)
    expected = PIDForest().fit(some.astype(float)).score_samples(some.astype(float))
    for array in (some, np.asfortranarray(some), some[::-1][::-1]):
        assert np.array_equal(PIDForest().fit(array).score_samples(array), expected)


def test_a_structured_array_has_named_columns():
    frame = orders()[["amount", "items", "gift"]]
    array = frame.to_records(index=False)
    forest = PIDForest().fit(np.asarray(array))
    assert list(forest.feature_names_in_) == ["amount", "items", "gift"]
    assert np.array_equal(forest.score_samples(np.asarray(array)), PIDForest().fit(frame).score_samples(frame))


def test_masked_values_are_missing():
    holes = X.copy()
    holes[3, 2] = np.nan
    mask = np.isnan(holes)
    masked = np.ma.masked_array(np.where(mask, 0.0, holes), mask=mask)
    assert np.array_equal(PIDForest().fit(masked).score_samples(masked), PIDForest().fit(holes).score_samples(holes))


def kinds(table):
    return {column["name"]: column for column in PIDForest().fit(table).schema_["columns"]}


def test_types_give_the_schema():
    n = 400
    rng = np.random.default_rng(3)
    sizes = pd.Categorical(rng.choice(["S", "M", "L"], n), categories=["XS", "S", "M", "L"], ordered=True)
    frame = pd.DataFrame(
        {
            "size": sizes,
            "colour": pd.Categorical(rng.choice(["red", "blue"], n), categories=["red", "green", "blue"]),
            "grade": pd.Categorical(rng.choice([10, 20, 30], n)),
            "at": pd.date_range("2026-01-01", periods=n, freq="11h", tz="Europe/Berlin"),
            "offset": pd.date_range("2026-01-01", periods=n, freq="11h", tz="+02:00"),
            "local": pd.date_range("2026-01-01", periods=n, freq="11h"),
            "took": pd.to_timedelta(rng.integers(1, 1000, n), unit="s"),
            "day": [datetime.date(2026, 1, 1) + datetime.timedelta(days=int(i)) for i in range(n)],
        }
    )
    found = kinds(frame)
    assert {name: column["kind"] for name, column in found.items()} == {
        "size": "ordinal",
        "colour": "category",
        "grade": "category",
        "at": "time",
        "offset": "time",
        "local": "time",
        "took": "continuous",
        "day": "time",
    }
    assert found["size"]["levels"] == ["XS", "S", "M", "L"]
    assert found["colour"]["levels"] == ["blue", "red"]
    assert found["grade"]["levels"] == [10, 20, 30]
    assert found["at"]["zone"] == "Europe/Berlin"
    assert found["offset"]["zone"] == "+02:00"
    assert found["took"]["unit"] == "s"
    # Arrow gives the same, with the ordered categories of pyarrow but not those of polars.
    again = kinds(pa.Table.from_pandas(frame, preserve_index=False))
    for name in ("size", "colour", "grade", "at", "took", "day"):
        assert {**again[name], "note": ""} == {**found[name], "note": ""}


def test_other_arrow_types():
    n = 300
    rng = np.random.default_rng(4)
    cents = rng.integers(100, 99999, n)
    table = pa.table(
        {
            "price": pa.array([decimal.Decimal(int(c)) / 100 for c in cents], pa.decimal128(12, 2)),
            "alarm": pa.array([datetime.time(int(h), 30) for h in rng.integers(0, 24, n)], pa.time64("us")),
            "day": pa.array([datetime.date(2026, 1, 1) + datetime.timedelta(days=int(i)) for i in range(n)], pa.date32()),
            "empty": pa.nulls(n),
            "small": pa.array(rng.random(n).astype(np.float16)),
        }
    )
    found = kinds(table)
    assert found["alarm"]["kind"] == "cyclic"
    assert found["alarm"]["period"] == 24
    assert found["day"]["kind"] == "time"
    prices = pa.table({"price": cents / 100})
    assert np.array_equal(PIDForest().fit(table.select(["price"])).score_samples(table.select(["price"])), PIDForest().fit(prices).score_samples(prices))


def test_a_schema_is_stronger_than_the_types():
    frame = orders()
    document = {"columns": [{"name": "items", "kind": "category"}, {"name": "amount", "kind": "continuous"}]}
    for schema in (document, json.dumps(document)):
        forest = PIDForest(schema=schema).fit(frame)
        assert [(column["name"], column["kind"]) for column in forest.schema_["columns"]] == [
            ("amount", "continuous"),
            ("country", "ignored"),
            ("gift", "ignored"),
            ("placed_at", "ignored"),
            ("items", "category"),
        ]
    with pytest.raises(ValueError, match="itemz"):
        PIDForest(schema={"columns": [{"name": "itemz", "kind": "category"}]}).fit(frame)


def test_times_without_a_zone_are_those_of_the_schema(tmp_path):
    frame = orders().assign(placed_at=pd.date_range("2026-03-20", periods=2000, freq="37min"))
    document = {"columns": [{"name": "placed_at", "kind": "time", "zone": "Europe/Berlin"}, {"name": "amount", "kind": "continuous"}]}
    with_zone = frame.assign(placed_at=frame["placed_at"].dt.tz_localize("Europe/Berlin", nonexistent=pd.Timedelta(hours=1)))
    expected = PIDForest(schema=document).fit(with_zone).score_samples(with_zone)
    as_texts = frame.assign(placed_at=frame["placed_at"].astype(str))
    for same in (frame, as_texts, arrow(frame), reader(arrow(frame)), frame.astype(object)):
        forest = PIDForest(schema=document).fit(same)
        assert np.array_equal(forest.score_samples(frame), expected)
    assert not np.array_equal(PIDForest().fit(frame[["placed_at"]]).score_samples(frame[["placed_at"]]), PIDForest(schema=document).fit(frame).score_samples(frame))


BAD = {
    "nothing": (None, TypeError, "must be a table"),
    "text": ("a,b", TypeError, "must be a table"),
    "one dimension": (np.zeros(3), ValueError, "Expected 2D array, got 1D array instead"),
    "three dimensions": (np.zeros((3, 3, 3)), ValueError, "Expected 2D array, got 3D array instead"),
    "a series": (pd.Series([1.0, 2.0]), ValueError, "got one column"),
    "a series of polars": (pl.Series([1.0, 2.0]), ValueError, "got one column"),
    "a lazy frame": (pl.LazyFrame({"a": [1]}), TypeError, "collect"),
    "no rows": (np.zeros((0, 3)), ValueError, "no rows"),
    "no rows of a frame": (pd.DataFrame({"a": [], "b": []}), ValueError, "no rows"),
    "no rows of a stream": (pa.table({"a": pa.array([], pa.float64())}), ValueError, "no rows"),
    "no batches": (reader(pa.table({"a": pa.array([], pa.float64())})), ValueError, "no rows"),
    "no columns": (np.zeros((3, 0)), ValueError, "0 feature"),
    "no columns of a frame": (pd.DataFrame(index=[1, 2]), ValueError, "0 feature"),
    "sparse": (scipy.sparse.csr_matrix(np.eye(3)), TypeError, "[Ss]parse.*toarray"),
    "sparse frame": (pd.DataFrame.sparse.from_spmatrix(scipy.sparse.eye(3)), TypeError, "sparse.*to_dense"),
    "complex": (np.zeros((3, 3), complex), ValueError, "Complex data not supported"),
    "complex object": (pd.DataFrame({"a": [1j, 2j]}, dtype=object), ValueError, "Complex data not supported: column 'a', row 1 has 1j"),
    "infinite": (np.array([[1.0], [np.inf]]), ValueError, "row 2.*inf|inf.*row 2"),
    "nested": (pa.table({"a": [[1, 2], [3]]}), ValueError, "column 'a'.*a list"),
    "struct": (pa.table({"s": [{"x": 1}]}), ValueError, "column 's'.*a struct"),
    "binary": (pa.table({"b": [b"x"]}), ValueError, "column 'b'.*bytes|column 'b'.*binary"),
    "nested in polars": (pl.DataFrame({"a": [[1, 2], [3]]}), ValueError, "column 'a'.*a list"),
    "mixed": (pd.DataFrame({"a": [1, "x"]}, dtype=object), ValueError, "column 'a'.*row 1 has 1 .int.*row 2 has 'x' .str"),
    "a dict": (pd.DataFrame({"a": ["x", {"y": 1}]}), TypeError, "column 'a', row 2.*string.*number.*dict"),
    "mixed names": (pd.DataFrame({"a": [1.0], 3: [2.0]}), TypeError, "string names"),
    "twice a name": (pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]), ValueError, "'a'"),
    "periods": (pd.DataFrame({"a": pd.period_range("2026-01", periods=3, freq="M")}), TypeError, "column 'a' is period"),
    "half zones": (
        pd.DataFrame({"a": [datetime.datetime(2026, 1, 1), datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)]}, dtype=object),
        TypeError,
        "column 'a'.*zone",
    ),
    "ragged": ([[1, 2], [3]], ValueError, "have different lengths"),
}


@pytest.mark.parametrize("table, error, words", BAD.values(), ids=BAD.keys())
def test_what_is_no_table_is_refused(table, error, words):
    with pytest.raises(error, match=words):
        PIDForest().fit(table)


@pytest.mark.filterwarnings("default")
def test_other_columns_than_those_of_the_fit_are_refused():
    frame = orders()
    forest = PIDForest().fit(frame)
    with pytest.raises(ValueError, match="yet now missing:\n- amount"):
        forest.score_samples(frame.drop(columns="amount"))
    with pytest.raises(ValueError, match="unseen at fit time:\n- more"):
        forest.score_samples(arrow(frame.assign(more=1)))
    with pytest.raises(ValueError, match="same order"):
        forest.score_samples(frame[frame.columns[::-1]])
    with pytest.raises(ValueError, match="same order"):
        forest.score_samples(reader(arrow(frame[frame.columns[::-1]])))
    with pytest.raises(ValueError, match="row 1, column 'amount': must be a number; got 'x'"):
        forest.score_samples(frame.assign(amount="x"))
    with pytest.raises(ValueError, match="X has 3 features, but PIDForest is expecting 4 features"):
        PIDForest().fit(X).score_samples(X[:, :3])


def test_columns_go_by_their_place_where_there_are_no_names():
    frame = pd.DataFrame(X, columns=list("abcd"))
    with_names = PIDForest().fit(frame)
    without = PIDForest().fit(X)
    with pytest.warns(UserWarning, match="X does not have valid feature names, but PIDForest was fitted with"):
        scores = with_names.score_samples(X)
    assert np.array_equal(scores, with_names.score_samples(frame))
    for other in (frame, pl.from_pandas(frame), reader(arrow(frame))):
        with pytest.warns(UserWarning, match="X has feature names, but PIDForest was fitted without"):
            scores = without.score_samples(other)
        assert np.array_equal(scores, without.score_samples(X))


def test_fit_predict_reads_a_reader_once():
    table = arrow(orders())
    assert np.array_equal(PIDForest().fit_predict(reader(table)), PIDForest().fit(table).predict(table))


def test_an_error_of_a_stream_is_told():
    def batches():
        yield pa.record_batch({"a": [1.0, 2.0]})
        raise RuntimeError("the disk is gone")

    with pytest.raises(ValueError, match="the disk is gone"):
        PIDForest().fit(pa.RecordBatchReader.from_batches(pa.schema({"a": pa.float64()}), batches()))


def test_a_column_without_values_may_have_any_type():
    table = pd.DataFrame({"colour": ["red", "blue"] * 50, "at": pd.date_range("2026-03-01", periods=100, freq="h"), "x": [1.0, 2.0] * 50})
    forest = PIDForest().fit(table)
    empty = pd.DataFrame({"colour": [None, None], "at": [None, None], "x": [1.0, 2.0]})
    expected = forest.bits(pd.DataFrame({"colour": pd.array([None] * 2, dtype="string"), "at": pd.array([None] * 2, dtype="M8[us]"), "x": [1.0, 2.0]}))
    np.testing.assert_array_equal(forest.bits(empty), expected)
    nulls = pa.table({"colour": pa.nulls(2), "at": pa.nulls(2), "x": [1.0, 2.0]})
    np.testing.assert_array_equal(forest.bits(nulls), expected)
    with pytest.raises(ValueError, match="column 'colour' must contain text, as in the fit; got numbers"):
        forest.bits(empty.assign(colour=[None, 3.0]))
