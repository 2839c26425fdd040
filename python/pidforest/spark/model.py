# SPDX-License-Identifier: Apache-2.0
"""The model of Spark ML: scores, reasons and reports of DataFrames."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.ml.base import Model
from pyspark.ml.util import MLReadable, MLWritable
from pyspark.sql import functions as F
from pyspark.sql.functions import arrow_udf

from .. import _core
from ..estimator import PIDForest as LocalForest
from .columns import check_columns, null_row, quoted, session_zone
from .params import ColumnParams
from .passes import used_columns
from .report import sample_rows, write_page
from .storage import Reader, Writer
from .tasks import loaded
from .wheel import on_executors

_REASON = "reason string, n_inside long, expected double, witness_bits double, column_bits map<string, double>"
_REASON_COLUMNS = ["reason", "n_inside", "expected", "witness_bits", "column_bits"]


class PIDForestModel(Model, ColumnParams, MLWritable, MLReadable[Any]):
    """A fitted forest that scores DataFrames. `PIDForest.fit`, `from_local` and `load` make it."""

    def __init__(self, model: bytes) -> None:
        super().__init__()
        self._bytes = model

    @classmethod
    def from_local(cls, model: LocalForest, **params: Any) -> PIDForestModel:
        """The model of a plain forest, which may have been fitted without Spark, or loaded from a .pidf file.

        Parameters
        ----------
        model : pidforest.PIDForest
            A fitted forest.
        **params
            Parameters such as scoreCol.

        Returns
        -------
        PIDForestModel
        """
        fitted = model._fitted()
        return cls(fitted.to_bytes()).setParams(inputCols=fitted.columns, **params)

    @property
    def local(self) -> LocalForest:
        """The plain forest: it saves a .pidf file, scores tables, explains and reports without Spark."""
        return LocalForest._of_model(self._model)

    @property
    def _model(self) -> _core.Model:
        return loaded(self._bytes)

    @property
    def threshold(self) -> float | None:
        """Rows with more bits are anomalies; None without a threshold."""
        return self._model.threshold

    def _transform(self, dataset: Any) -> Any:
        self._check_new_columns(dataset, [self.getOrDefault(name) for name in ("scoreCol", "predictionCol", "reasonCol")])
        scored = self._scored(dataset)
        if self.getPredictionCol():
            scored = scored.withColumn(self.getPredictionCol(), self._prediction())
        if self.getOrDefault("reasonCol"):
            self._check_reasons()
            scored = scored.withColumn(self.getOrDefault("reasonCol"), self._of_rows(dataset, "reason", "string"))
        return scored

    def explain(self, dataset: Any, minBits: float | None = None) -> Any:
        """The anomalies of a DataFrame and why they are rare, in the counts of the rows of the fit.

        Parameters
        ----------
        dataset : DataFrame
            It has the columns of the fit.
        minBits : float, optional
            Rows with at least this many bits are explained; without it, those above the model's threshold.

        Returns
        -------
        DataFrame
            The rows, with their score and the columns reason, n_inside, expected, witness_bits and column_bits.
        """
        self._check_reasons()
        self._check_new_columns(dataset, [self.getOrDefault("scoreCol"), *_REASON_COLUMNS, "__pidforest_reason"])
        rare = self._scored(dataset).where(self._is_anomaly(minBits))
        found = rare.withColumn("__pidforest_reason", self._of_rows(dataset, "explain", _REASON))
        kept = [*dataset.columns, self.getOrDefault("scoreCol")]
        return found.select(*map(quoted, kept), *(F.col(f"__pidforest_reason.{name}").alias(name) for name in _REASON_COLUMNS))

    def report(self, dataset: Any, path: str | os.PathLike[str], *, maxRows: int = 100_000, title: str | None = None, **options: Any) -> Path:
        """Write a page on a DataFrame: one HTML file that anyone can open. The rows that it shows come to the driver.

        Parameters
        ----------
        dataset : DataFrame
            It has the columns of the fit.
        path : str or path
            The file, on the driver.
        maxRows : int, default=100_000
            The page is about at most this many rows, drawn at random with the model's seed; it says how many of how many.
        title : str, optional
            The heading of the page.
        **options
            As in `pidforest.PIDForest.report`: time, by, min_bits, dialect, suppress. idCol names the rows.

        Returns
        -------
        pathlib.Path
            The path of the page.
        """
        id_col = self._id_col()
        shown = [name for name in (id_col, options.get("time"), options.get("by")) if name is not None]
        names = list(dict.fromkeys([*self._names(), *shown]))
        check_columns(dataset, names)
        table, n_rows = sample_rows(dataset.select(*map(quoted, names)), maxRows, self.getOrDefault("seed"), session_zone(dataset))
        return write_page(self._model, table, n_rows, path, title=title, id=id_col, **options)

    def _names(self) -> list[str]:
        return used_columns(self._model.schema, self._model.columns)

    def _of_rows(self, dataset: Any, task: str, returns: str) -> Any:
        """The column that a task computes from the columns of the model."""
        names = self._names()
        check_columns(dataset, names)
        zone = session_zone(dataset)
        self._model.score(_core.Rows.from_arrow(null_row(dataset, names, zone).__arrow_c_stream__()), 1, None)  # refuses other types
        compute = on_executors(task, self._bytes, names, zone)
        given: Any = Iterator[pa.Array] if len(names) == 1 else Iterator[tuple[pa.Array, ...]]
        compute.__annotations__ = {"batches": given, "return": Iterator[pa.Array]}  # Spark reads the kind of function from its types
        return arrow_udf(compute, returns)(*map(quoted, names))

    def _scored(self, dataset: Any) -> Any:
        return dataset.withColumn(self.getOrDefault("scoreCol"), self._of_rows(dataset, "score", "double"))

    def _is_anomaly(self, min_bits: float | None = None) -> Any:
        score = quoted(self.getOrDefault("scoreCol"))
        if min_bits is not None:
            return score >= F.lit(float(min_bits))
        if self.threshold is None:
            raise ValueError("the model has no threshold, as contamination=None sets none. Give minBits.")
        return score > F.lit(self.threshold)

    def _prediction(self) -> Any:
        if self.threshold is None:
            return F.lit(None).cast("double")
        return self._is_anomaly().cast("double")

    def _check_reasons(self) -> None:
        if not self._model.has_reasons:
            raise ValueError("the model has no counts for reasons: it was fitted with reasons=False. Fit it with reasons=True.")

    def _check_new_columns(self, dataset: Any, names: Sequence[str]) -> None:
        """Raises ValueError for a column that is to be written and exists, or is written twice."""
        new = [name for name in names if name]
        for name in new:
            if name in dataset.columns:
                raise ValueError(f"column {name!r} exists in the DataFrame. Rename it, or set scoreCol, predictionCol or reasonCol.")
            if new.count(name) > 1:
                raise ValueError(f"column {name!r} would be written twice. Set scoreCol, predictionCol and reasonCol to different names.")

    def write(self) -> Writer:
        return Writer(self, self._bytes)

    @classmethod
    def read(cls) -> Reader:
        return Reader(f"{cls.__module__}.{cls.__name__}", cls)
