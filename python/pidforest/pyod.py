# SPDX-License-Identifier: Apache-2.0
"""The forest as a PyOD detector."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from .estimator import PIDForest
from .fitted import FloatArray

try:
    from pyod.models.base import BaseDetector
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise ImportError("pidforest.pyod requires PyOD: pip install pyod. PIDForest itself does not require it.") from error

# The estimator declares the parameters; only contamination has PyOD's meaning.
_PARAMETERS = [parameter for name, parameter in inspect.signature(PIDForest).parameters.items() if name != "contamination"]


class PIDForestDetector(BaseDetector):
    """`PIDForest` as a PyOD detector: scores rise with rarity, labels are 0 and 1.

    The base class adds ``predict``, ``predict_proba``, ``predict_confidence``.

    Parameters
    ----------
    contamination : float, default=0.1
        The share of the fitted rows to flag, above 0 and at most 0.5, or a thresholder of PyThresh.
    **parameters
        The parameters of `PIDForest`, with the same names and defaults.

    Attributes
    ----------
    decision_scores_ : ndarray of shape (n_rows,)
        The bits of the fitted rows: the higher, the rarer.
    threshold_ : float
        The bits above which a row is an anomaly.
    labels_ : ndarray of shape (n_rows,)
        1 for the fitted rows that are anomalies, 0 for the others.
    forest_ : PIDForest
        The fitted forest, which explains rows.

    Examples
    --------
    >>> import numpy as np
    >>> from pidforest.pyod import PIDForestDetector
    >>> X = np.random.default_rng(0).normal(size=(1000, 3))
    >>> X[7, 1] = 9.0
    >>> detector = PIDForestDetector(contamination=0.01, n_estimators=200).fit(X)
    >>> int(detector.decision_scores_.argmax()), int(detector.labels_.sum())
    (7, 10)
    """

    def __init__(self, contamination: float = 0.1, **parameters: Any) -> None:
        unknown = [name for name in parameters if name not in {parameter.name for parameter in _PARAMETERS}]
        if unknown:
            raise TypeError(f"PIDForestDetector has no parameter {unknown[0]!r}; it takes contamination and the parameters of PIDForest.")
        super().__init__(contamination=contamination)
        for parameter in _PARAMETERS:
            setattr(self, parameter.name, parameters.get(parameter.name, parameter.default))

    # PyOD and scikit-learn read the parameter names from here.
    __init__.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*list(inspect.signature(__init__).parameters.values())[:2], *_PARAMETERS]
    )

    def fit(self, X: Any, y: Any = None) -> PIDForestDetector:
        """Fit the forest to X and flag the rarest of its rows.

        Parameters
        ----------
        X : array or data frame
            A table.
        y : ignored
            Present for pipelines; PyOD warns if it is given.

        Returns
        -------
        PIDForestDetector
            This detector.
        """
        if self.contamination is None or isinstance(self.contamination, str):
            raise ValueError(f"contamination must be a number above 0 and at most 0.5, as in PyOD; got {self.contamination!r}.")
        self._set_n_classes(y)
        parameters = {parameter.name: getattr(self, parameter.name) for parameter in _PARAMETERS}
        forest = PIDForest(contamination=None, **parameters)
        self.decision_scores_ = forest._bits_of(forest._fit(X))
        self.forest_ = forest
        self._process_decision_scores()
        return self

    def decision_function(self, X: Any) -> FloatArray:
        """The bits of the rows of X: the higher, the rarer."""
        check_is_fitted(self, "forest_")
        return np.negative(self.forest_.score_samples(X))


__all__ = ["PIDForestDetector"]
