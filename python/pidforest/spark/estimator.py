# SPDX-License-Identifier: Apache-2.0
"""The estimator of Spark ML."""

from __future__ import annotations

from typing import Any

from pyspark.ml.base import Estimator
from pyspark.ml.util import MLReadable, MLWritable

from .columns import chosen_columns
from .model import PIDForestModel
from .params import ColumnParams
from .passes import fit_model
from .storage import Reader, Writer


class PIDForest(Estimator[PIDForestModel], ColumnParams, MLWritable, MLReadable[Any]):
    """A forest that finds rows of a DataFrame which a few attribute values set apart.

    The model has the bytes of the plain fit of ``df.toArrow()`` with its points in time in the session's time zone: the same rows in the
    same order, parameters and seed give the same model for any number of partitions and executors. A DataFrame is read in three passes, or
    four; if it is not the same in each of them, the fit is refused.

    Parameters are those of `pidforest.PIDForest` in Spark's style (``maxDepth``, ``nEstimators``; ``random_state`` is ``seed``), and these.

    Parameters
    ----------
    inputCols : list of str, optional
        The columns to fit: numbers, booleans, strings, dates and times, with or without nulls. Without it, all columns but `idCol`.
    scoreCol : str, default="score"
        The column for the bits of each row.
    predictionCol : str, default="prediction"
        The column that is 1.0 for anomalies and 0.0 for other rows, or null if the model has no threshold. Empty for none.
    reasonCol : str, default=""
        The column for the reason of each row in words. Empty for none.
    idCol : str, optional
        A column that names rows.
    schema : str or dict, optional
        What the columns mean (docs/schema.md).

    Examples
    --------
    See docs/spark.md, whose examples are tests.
    """

    def __init__(self, **params: Any) -> None:
        super().__init__()
        self.setParams(**params)

    def _fit(self, dataset: Any) -> PIDForestModel:
        if dataset.isStreaming:
            raise ValueError("a streaming DataFrame has no last row to fit. Fit a DataFrame of a time span, and use the model's transform on the stream.")
        id_col = self._id_col()
        if id_col is not None and id_col not in dataset.columns:
            raise ValueError(f"the DataFrame has no column {id_col!r}, which idCol names. Set idCol to one of its columns.")
        names = chosen_columns(dataset, self._input_cols(), [] if id_col is None else [id_col])
        fitted = fit_model(dataset, names, self.getOrDefault("schema"), self._options())
        model = PIDForestModel(fitted.to_bytes())
        self._copyValues(model)
        model._resetUid(self.uid)
        return model.setParams(inputCols=names)

    def write(self) -> Writer:
        return Writer(self, None)

    @classmethod
    def read(cls) -> Reader:
        return Reader(f"{cls.__module__}.{cls.__name__}", lambda _: cls())
