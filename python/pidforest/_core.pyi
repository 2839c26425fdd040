"""
The library that pidforest is made of. Use the classes of pidforest instead.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray
from typing_extensions import CapsuleType


version: str = '0.1.0'

class OptionSpec:
    """The declaration of an option."""

    @property
    def name(self) -> str: ...

    @property
    def symbol(self) -> str: ...

    @property
    def help(self) -> str: ...

    @property
    def type(self) -> str: ...

    @property
    def allowed(self) -> str: ...

def option_specs() -> list[OptionSpec]:
    """Every option, in the order in which people meet them."""

def preset(name: str) -> dict[str, str]:
    """The options of a preset as texts."""

def check_options(options: dict[str, str]) -> None:
    """Raises ValueError for the first option that is out of its range."""

class Rows:
    """
    A table as the library reads it: views of arrays, or the copy of a stream.
    """

    def __init__(self, n_rows: int) -> None: ...

    @staticmethod
    def from_arrow(stream: CapsuleType) -> Rows: ...

    @staticmethod
    def from_arrow_array(schema: CapsuleType, array: CapsuleType) -> Rows: ...

    @staticmethod
    def copy_stream(stream: CapsuleType) -> Rows: ...

    def add_numbers(self, name: str, values: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], missing: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def add_matrix(self, names: Sequence[str], values: Annotated[NDArray, dict(shape=(None, None), device='cpu', writable=False)]) -> None: ...

    def add_texts(self, name: str, texts: Sequence) -> None: ...

    def add_times(self, name: str, values: Annotated[NDArray[numpy.int64], dict(shape=(None,), device='cpu', writable=False)], unit: str, zone: str) -> None: ...

    def add_durations(self, name: str, values: Annotated[NDArray[numpy.int64], dict(shape=(None,), device='cpu', writable=False)], unit: str) -> None: ...

    def add_codes(self, name: str, codes: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], levels: Sequence[str] | Sequence[float], are_ordered: bool) -> None: ...

    def add_arrow(self, name: str, stream: CapsuleType) -> None: ...

    def renamed(self, names: Sequence[str]) -> Rows: ...

    @property
    def n_rows(self) -> int: ...

    @property
    def columns(self) -> list[str]: ...

class Witnesses:
    """Cubes with the rows they hold."""

    def __len__(self) -> int: ...

    def words(self, i: int) -> str: ...

    def json(self, i: int) -> str: ...

    def sql(self, i: int, dialect: str) -> str: ...

class Model:
    """A fitted forest and the counts of the rows that it has seen."""

    @staticmethod
    def fit(rows: Rows, schema: str | None, options: dict, weights: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, threads: int, on_progress: object | None) -> Model: ...

    def score(self, rows: Rows, threads: int, on_progress: object | None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def score_matrix(self, matrix: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], threads: int, on_progress: object | None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def score_stream(self, stream: CapsuleType, names: Sequence[str], threads: int, on_progress: object | None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def explain(self, rows: Rows, reference: Rows | None, threads: int, on_progress: object | None) -> tuple[Witnesses, Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))]]: ...

    def normal_if(self, rows: Rows, row: int, threshold: float) -> str | None: ...

    def matches(self, rows: Rows, conditions: str) -> list[bool]: ...

    def save(self, path: str) -> None: ...

    @staticmethod
    def load(path: str) -> Model: ...

    def to_bytes(self) -> bytes: ...

    @staticmethod
    def from_bytes(bytes: bytes) -> Model: ...

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    @property
    def threshold(self) -> float | None: ...

    @property
    def schema(self) -> str: ...

    @property
    def columns(self) -> list[str]: ...

    @property
    def options(self) -> dict[str, str]: ...

def exact(rows: Rows, schema: str | None, numbers: Sequence[int], ends: str, seconds: float | None, threads: int, on_progress: object | None) -> tuple[Witnesses, Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """The sparsest cubes that hold rows, by definition."""

class SeriesRows(Rows):
    """Windows of the samples of series, as rows."""

    def __init__(self, samples: Rows, window: int | None, time: str, by: str, max_gap: int | None, means: Sequence[int], calendar: bool) -> None: ...

    @property
    def n_samples(self) -> int: ...

    def windows_of_samples(self, align: str, bits: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
