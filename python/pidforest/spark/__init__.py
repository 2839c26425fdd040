# SPDX-License-Identifier: Apache-2.0
"""The estimator for Spark: fits and scores DataFrames, with the model of the plain fit, bit for bit.

Executors import this package too, so it loads neither Spark's classes nor its own before they are used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .estimator import PIDForest
    from .model import PIDForestModel
    from .streams import stream

__all__ = ["PIDForest", "PIDForestModel", "stream"]
_MODULE_OF = {"PIDForest": "estimator", "PIDForestModel": "model", "stream": "streams"}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(importlib.import_module(f".{_MODULE_OF[name]}", __name__), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pyspark", "pyarrow"):
            raise
        raise ModuleNotFoundError(f"pidforest.spark requires {error.name}: pip install 'pidforest[spark]'.", name=error.name) from error
