# SPDX-License-Identifier: Apache-2.0
"""A fitted model, and the tables that are given to it."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core
from .base import NotFittedError
from .frames import Frame, is_arrow_stream, names_of_stream, other_columns, read
from .progress import Shown
from .settings import rules_text, threads_of

FloatArray = np.ndarray[Any, np.dtype[np.float64]]


class Fitted:
    """What an estimator has after its fit: the model, and the columns that it knows."""

    n_jobs: int | None
    verbose: bool | Callable[[str, int, int], Any]

    @property
    def schema_(self) -> dict[str, Any]:
        schema: dict[str, Any] = json.loads(self._fitted().schema)
        return schema

    @property
    def relations_(self) -> list[tuple[str, str, float]]:
        return self._fitted().relations

    @property
    def isolated_(self) -> list[dict[str, Any]]:
        return [json.loads(witness) for witness in self._fitted().isolated]

    @property
    def rare_pairs_(self) -> list[dict[str, Any]]:
        return [json.loads(witness) for witness in self._fitted().rare_pairs]

    def _take(self, model: _core.Model, names: list[str] | None) -> None:
        self._model = model
        self.n_features_in_ = len(model.columns)
        self.offset_ = 0.0 if model.threshold is None else -model.threshold
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _fitted(self) -> _core.Model:
        try:
            return self._model
        except AttributeError:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator."
            ) from None

    def _bits(self, X: Any) -> FloatArray:
        model = self._fitted()
        threads = threads_of(self.n_jobs)
        is_plain = type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2 and X.flags.aligned
        if is_plain and X.shape[1] == self.n_features_in_ and not self.verbose and not hasattr(self, "feature_names_in_"):
            return model.score_matrix(X, threads, None)
        if is_arrow_stream(X):
            names = names_of_stream(X)
            renamed = self._check_columns(names, len(names)) if names is not None else []
            with Shown(self.verbose) as on_progress:
                return model.score_stream(X.__arrow_c_stream__(), renamed, threads, on_progress)
        return self._bits_of(self._rows(X))

    def _bits_of(self, rows: _core.Rows) -> FloatArray:
        with Shown(self.verbose) as on_progress:
            return self._fitted().score(rows, threads_of(self.n_jobs), on_progress)

    def _scored(self, X: Any, suppress: Any, on_progress: Any) -> _core.ScoredRows:
        return _core.score(self._fitted(), self._rows(X), rules_text(suppress), threads_of(self.n_jobs), on_progress)

    def _flags(self, bits: FloatArray, min_bits: float | None) -> np.ndarray[Any, Any] | None:
        """Which rows are anomalies; None without a threshold."""
        return _core.flags(self._fitted(), bits) if min_bits is None else bits >= min_bits

    def _labels(self, bits: FloatArray) -> np.ndarray[Any, Any]:
        flags = self._flags(bits, None)
        if flags is None:
            raise ValueError("predict requires a threshold, and contamination=None sets none; use score_samples instead.")
        return np.where(flags, -1, 1)

    def _rows(self, X: Any) -> _core.Rows:
        """The rows of a table that must have the columns of the fit."""
        self._fitted()
        frame: Frame = read(X)
        renamed = self._check_columns(frame.names, frame.n_columns)
        return frame.rows.renamed(renamed) if renamed else frame.rows

    def _check_columns(self, names: list[str] | None, n_columns: int) -> list[str]:
        """The names of the fit if columns are to be taken by their place, else none. Raises ValueError for other columns."""
        me = type(self).__name__
        fitted = getattr(self, "feature_names_in_", None)
        if fitted is not None and names is None:
            warnings.warn(f"X does not have valid feature names, but {me} was fitted with feature names", UserWarning, stacklevel=4)
        elif fitted is None and names is not None:
            warnings.warn(f"X has feature names, but {me} was fitted without feature names", UserWarning, stacklevel=4)
        elif fitted is not None and names is not None and list(fitted) != names:
            raise ValueError(other_columns(list(fitted), names))
        if n_columns != self.n_features_in_:
            raise ValueError(f"X has {n_columns} features, but {me} is expecting {self.n_features_in_} features as input.")
        return [] if fitted is not None and names is not None else self._model.columns
