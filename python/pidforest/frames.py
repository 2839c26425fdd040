# SPDX-License-Identifier: Apache-2.0
"""Converts tables of other libraries to rows of this library: views if the layout allows it, copies if not."""

from __future__ import annotations

import datetime
import decimal
import numbers
from typing import Any, NamedTuple

import numpy as np

from . import _core

_TIME_UNITS = {"D", "h", "m", "s", "ms", "us", "ns"}
_ALWAYS_MISSING = {"NoneType", "NAType", "NaTType"}


class Frame(NamedTuple):
    """Rows for the library, and the column names given by the caller; None if there are none."""

    rows: _core.Rows
    names: list[str] | None

    @property
    def n_columns(self) -> int:
        return len(self.rows.columns)


def read(X: Any) -> Frame:
    """The rows of any table, for any number of passes.

    Raises TypeError if X is not a table or has values that no column can hold, and ValueError if it has no columns.
    """
    if isinstance(X, np.ndarray):
        return _of_array(X)
    if isinstance(getattr(X, "_rows", None), _core.Rows):  # windows of a series
        return _named(X._rows)
    if _is_pandas(X):
        return _of_pandas(X)
    _refuse_what_is_no_table(X)
    if hasattr(X, "__arrow_c_stream__"):
        take = _core.Rows.from_arrow if is_in_memory(X) else _core.Rows.copy_stream
        return _named(take(X.__arrow_c_stream__()))
    if hasattr(X, "__arrow_c_array__"):
        return _named(_core.Rows.from_arrow_array(*X.__arrow_c_array__()))
    return _of_array(_as_array(X))


def table_of_row(X: Any) -> Any:
    """A table with the one row that X is: a dict, a series of pandas, or an array of one dimension. Other values as they are."""
    if isinstance(X, np.ndarray) and X.ndim == 1 and X.dtype.names is None:
        return X.reshape(1, -1)
    is_series = _package(X) == "pandas" and hasattr(X, "iloc") and not hasattr(X, "columns")
    if not is_series and not isinstance(X, dict):
        return X
    names = [str(name) for name in X.keys()]
    values = tuple(None if _is_missing(value) else value for value in (X.values() if isinstance(X, dict) else X))
    return np.array([values], dtype=[(name, object) for name in names])


def index_of(X: Any) -> Any:
    """The index of a frame of pandas, else None."""
    return X.index if _is_pandas(X) else None


def is_arrow_stream(X: Any) -> bool:
    """Whether X is scored batch by batch, with each batch released before the next."""
    return hasattr(X, "__arrow_c_stream__") and not _is_pandas(X)


def is_in_memory(X: Any) -> bool:
    """Whether the batches of an Arrow stream are already in memory and can be requested again."""
    return hasattr(X, "__len__") and _package(X) not in ("duckdb", "_duckdb")


def names_of_stream(X: Any) -> list[str] | None:
    """The column names, or None if they are unknown before the stream is read."""
    names = getattr(getattr(X, "schema", None), "names", None)
    if callable(names):  # polars
        names = names()
    if names is None:
        names = getattr(X, "columns", None)
    names = list(names) if names is not None else []
    return names if names and all(isinstance(name, str) for name in names) else None


def other_columns(fitted: list[str], names: list[str]) -> str:
    """The error message for a table whose columns are not those of the fit."""
    known, given = set(fitted), set(names)
    unseen = [name for name in names if name not in known]
    missing = [name for name in fitted if name not in given]
    lines = ["The feature names should match those that were passed during fit."]
    for title, some in (("Feature names unseen at fit time:", unseen), ("Feature names seen at fit time, yet now missing:", missing)):
        if some:
            lines += [title, *(f"- {name}" for name in some[:5]), *(["- ..."] if len(some) > 5 else [])]
    if not unseen and not missing:
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(lines) + "\n"


def unnamed(n_columns: int) -> list[str]:
    """The names of columns without names: x0, x1, ..."""
    return [f"x{i}" for i in range(n_columns)]


def _is_pandas(X: Any) -> bool:
    return _package(X) == "pandas" and hasattr(X, "iloc") and hasattr(X, "columns")


def _package(X: Any) -> str:
    return type(X).__module__.partition(".")[0]


def _named(rows: _core.Rows) -> Frame:
    names = rows.columns
    _check_columns(rows.n_rows, len(names))
    return Frame(rows, names)


def _refuse_what_is_no_table(X: Any) -> None:
    if hasattr(X, "tocsr") or hasattr(X, "tocoo"):
        raise TypeError(
            "Sparse data was passed, but dense data is required: values that are not stored count like any other. "
            "Use X.toarray() if it fits into memory."
        )
    if type(X).__name__ == "LazyFrame":
        raise TypeError("X is a lazy frame; use X.collect().")
    if isinstance(X, (str, bytes, dict, set)) or X is None:
        raise TypeError(
            f"X must be a table: a two-dimensional array, a data frame or anything with __arrow_c_stream__; got {type(X).__name__}."
        )
    is_series = hasattr(X, "__arrow_c_stream__") and type(X).__name__ in ("Series", "ChunkedArray")
    if is_series or _package(X) == "pandas":
        raise ValueError(f"Expected a table, got one column ({type(X).__name__}). Reshape your data: a frame of this column alone.")


def _as_array(X: Any) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise ValueError(f"the rows of X have different lengths: {error}") from error
    # numpy converts numbers to texts if there are texts beside them; objects keep both.
    return np.asarray(X, dtype=object) if array.dtype.kind in "US" else array


def _check_columns(n_rows: int, n_columns: int) -> None:
    if n_columns == 0:
        raise ValueError(f"0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is required.")


def _of_array(X: np.ndarray[Any, Any]) -> Frame:
    if X.dtype.names is not None and X.ndim == 1:
        rows = _core.Rows(len(X))
        for name in X.dtype.names:
            _add_array(rows, name, X[name])
        return Frame(rows, list(X.dtype.names))
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: array.reshape(-1, 1) if it has a single "
            "feature, array.reshape(1, -1) if it is a single sample."
        )
    _check_columns(*X.shape)
    rows = _core.Rows(X.shape[0])
    names = unnamed(X.shape[1])
    if X.dtype.kind in "fiub" and not isinstance(X, np.ma.MaskedArray):
        rows.add_matrix(names, _viewable(X))
    else:
        for i, name in enumerate(names):
            _add_array(rows, name, X[:, i])
    return Frame(rows, None)


def _viewable(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """These numbers in a layout that can be viewed; usually the array itself."""
    if values.dtype.kind == "f" and values.dtype.itemsize > 8:
        return values.astype(np.float64)
    if not values.dtype.isnative or any(stride % values.dtype.itemsize for stride in values.strides):
        return values.astype(values.dtype.newbyteorder("="))
    return values


def _add_array(rows: _core.Rows, name: str, values: np.ndarray[Any, Any]) -> None:
    kind = values.dtype.kind
    missing = None
    if isinstance(values, np.ma.MaskedArray):
        missing = np.ascontiguousarray(np.ma.getmaskarray(values))
        values = values.data
        if kind not in "fiub":
            values = values.astype(object)
            values[missing] = None
            kind = "O"
    if kind in "fiub":
        rows.add_numbers(name, _viewable(values), missing)
    elif kind in "mM":
        _add_times(rows, name, values, "")
    elif kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r} is {values.dtype}. Use its real and imaginary parts as two columns.")
    elif kind in "OUST":
        _add_objects(rows, name, values.astype(object))
    else:
        raise TypeError(f"column {name!r} is {values.dtype}; {_ALLOWED}")


_ALLOWED = "a column may contain numbers, booleans, strings, categories, times or durations."


def _add_times(rows: _core.Rows, name: str, values: np.ndarray[Any, Any], zone: str) -> None:
    unit, count = np.datetime_data(values.dtype)
    kind = values.dtype.kind
    if count != 1 or unit not in _TIME_UNITS or not values.dtype.isnative:
        values, unit = values.astype(f"{kind}8[us]"), "us"
    integers = _viewable(values).view(np.int64)
    if kind == "M":
        rows.add_times(name, integers, unit, zone)
    else:
        rows.add_durations(name, integers, unit)


def _is_missing(value: Any) -> bool:
    return type(value).__name__ in _ALWAYS_MISSING or (isinstance(value, (float, np.floating)) and value != value)


def _add_objects(rows: _core.Rows, name: str, values: np.ndarray[Any, Any]) -> None:
    """A column of Python objects, which must be of one kind, but for those that are missing."""
    kinds = {kind for kind in set(map(type, values)) if kind.__name__ not in _ALWAYS_MISSING}
    if len(kinds) > 1 and any(issubclass(kind, (float, np.floating)) for kind in kinds):
        kinds = {type(value) for value in values if not _is_missing(value)}

    def are(*classes: type) -> bool:
        return all(issubclass(kind, classes) for kind in kinds)

    if are(bool, np.bool_) and kinds:
        missing = np.fromiter((_is_missing(value) for value in values), bool, len(values))
        rows.add_numbers(name, np.where(missing, False, values).astype(bool), missing)
    elif are(bool, np.bool_, numbers.Real, decimal.Decimal):
        rows.add_numbers(name, np.fromiter((np.nan if _is_missing(value) else float(value) for value in values), float, len(values)), None)
    elif are(str):
        rows.add_texts(name, [value if isinstance(value, str) else None for value in values])
    elif are(datetime.date, np.datetime64):
        _add_date_objects(rows, name, values)
    else:
        _refuse_mixture(name, values)


def _add_date_objects(rows: _core.Rows, name: str, values: np.ndarray[Any, Any]) -> None:
    zones = {str(value.tzinfo) for value in values if getattr(value, "tzinfo", None) is not None}
    naive = [getattr(value, "tzinfo", None) is None for value in values if not _is_missing(value)]
    if zones and any(naive):
        raise TypeError(f"column {name!r} has times with a time zone and times without one; give all of them a zone.")

    def in_utc(value: Any) -> np.datetime64:
        if _is_missing(value):
            return np.datetime64("NaT", "us")
        if getattr(value, "tzinfo", None) is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return np.datetime64(value, "us")

    times = np.array([in_utc(value) for value in values], dtype="M8[us]")
    _add_times(rows, name, times, zones.pop() if len(zones) == 1 else "UTC" if zones else "")


def _refuse_mixture(name: str, values: np.ndarray[Any, Any]) -> None:
    of_column = (str, numbers.Real, decimal.Decimal, bool, np.bool_, datetime.date, np.datetime64)
    first: tuple[int, Any] | None = None
    for row, value in enumerate(values, start=1):
        if _is_missing(value):
            continue
        if isinstance(value, (complex, np.complexfloating)):
            raise ValueError(f"Complex data not supported: column {name!r}, row {row} has {value!r}.")
        if not isinstance(value, of_column):
            raise TypeError(
                f"column {name!r}, row {row}: the argument must be a string, a number, a boolean or a time; got {type(value).__name__} {_excerpt(value)}."
            )
        if first is None:
            first = (row, value)
        elif isinstance(value, str) != isinstance(first[1], str) or isinstance(value, datetime.date) != isinstance(first[1], datetime.date):
            raise ValueError(
                f"column {name!r} contains values of several types: row {first[0]} has {_excerpt(first[1])} ({type(first[1]).__name__}), "
                f"row {row} has {_excerpt(value)} ({type(value).__name__}). Make them all numbers or all strings."
            )


def _excerpt(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _of_pandas(X: Any) -> Frame:
    labels = list(X.columns)
    _check_columns(*X.shape)
    is_text = [isinstance(label, str) for label in labels]
    if any(is_text) and not all(is_text):
        types = sorted({type(label).__name__ for label in labels})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{types} as feature name / column name types. If you want feature names to be stored and validated, you must convert "
            "them all to strings, by using X.columns = X.columns.astype(str) for example."
        )
    names = labels if all(is_text) else unnamed(len(labels))
    rows = _core.Rows(len(X))
    for i, name in enumerate(names):
        _add_series(rows, name, X.iloc[:, i])
    return Frame(rows, names if all(is_text) else None)


def _add_series(rows: _core.Rows, name: str, series: Any) -> None:
    dtype = series.dtype
    kind = type(dtype).__name__
    if isinstance(dtype, np.dtype):
        _add_array(rows, name, series.to_numpy())
    elif kind == "CategoricalDtype":
        _add_categories(rows, name, series, dtype)
    elif kind == "DatetimeTZDtype":
        zone = str(dtype.tz)
        _add_times(rows, name, series.dt.tz_convert(None).to_numpy(), zone.removeprefix("UTC") or "UTC")
    elif kind == "ArrowDtype" or getattr(dtype, "storage", "") == "pyarrow":
        rows.add_arrow(name, series.array.__arrow_array__().__arrow_c_stream__())
    elif kind == "StringDtype":
        _add_objects(rows, name, series.to_numpy(dtype=object))
    elif isinstance(getattr(dtype, "numpy_dtype", None), np.dtype):  # nullable numbers and booleans
        values = series.to_numpy(dtype=dtype.numpy_dtype, na_value=dtype.numpy_dtype.type(0))
        rows.add_numbers(name, values, np.ascontiguousarray(series.isna().to_numpy()))
    elif kind == "SparseDtype":
        raise TypeError(f"column {name!r} is sparse, but dense data is required: use X.sparse.to_dense().")
    else:
        raise TypeError(f"column {name!r} is {dtype}; {_ALLOWED}")


def _add_categories(rows: _core.Rows, name: str, series: Any, dtype: Any) -> None:
    codes = series.cat.codes.to_numpy()
    levels = dtype.categories.to_numpy()
    if levels.dtype.kind in "fiub":
        rows.add_codes(name, codes, [float(level) for level in levels], bool(dtype.ordered))
    elif all(isinstance(level, str) for level in levels):
        rows.add_codes(name, codes, [str(level) for level in levels], bool(dtype.ordered))
    elif not dtype.ordered:  # times, or objects of one kind
        _add_array(rows, name, np.asarray(series.astype(levels.dtype)))
    else:
        raise TypeError(f"column {name!r} has ordered categories of type {levels.dtype}; they must be strings or numbers.")
