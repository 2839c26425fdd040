# SPDX-License-Identifier: Apache-2.0
"""Saves and loads estimators and models through Spark's own readers and writers, so that any file system of Spark works.

A folder has `metadata`, one line of JSON as Spark's own classes write it, and of a model `model`, its bytes as one row of Parquet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReader, MLWriter

from .. import __version__


class Writer(MLWriter):
    """Writes the parameters of an instance, and the bytes of its model if it has one."""

    def __init__(self, instance: Any, model: bytes | None) -> None:
        super().__init__()
        self._instance = instance
        self._model = model

    def save(self, path: str) -> None:
        mode = "overwrite" if self.shouldOverwrite else "error"
        spark = self.sparkSession
        metadata = DefaultParamsWriter._get_metadata_to_save(self._instance, spark, {"pidforestVersion": __version__})
        if self._model is not None:
            spark.createDataFrame([(bytearray(self._model),)], "model binary").coalesce(1).write.mode(mode).parquet(f"{path}/model")
        spark.createDataFrame([(metadata,)], "value string").coalesce(1).write.mode(mode).text(f"{path}/metadata")


class Reader(MLReader[Any]):
    """Reads what a `Writer` has written. `make` makes an instance from the bytes of the model, or from None."""

    def __init__(self, of_class: str, make: Callable[[bytes | None], Any]) -> None:
        super().__init__()
        self._class = of_class
        self._make = make

    def load(self, path: str) -> Any:
        """Raises ValueError if the folder has something else."""
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        if metadata["class"] != self._class:
            raise ValueError(f"{path} has a {metadata['class']}; load it with that class. Expected {self._class}.")
        instance = self._make(self._model_at(path) if self._class.endswith("Model") else None)
        instance._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(instance, metadata)
        return instance

    def _model_at(self, path: str) -> bytes:
        rows = self.sparkSession.read.parquet(f"{path}/model").collect()
        if len(rows) != 1:
            raise ValueError(f"{path}/model must have one row, the bytes of the model; it has {len(rows)}.")
        return bytes(rows[0][0])
