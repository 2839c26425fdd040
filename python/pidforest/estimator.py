# SPDX-License-Identifier: Apache-2.0
"""The estimator: feels like scikit-learn's, takes any data frame."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from . import _core
from .base import BaseEstimator, OutlierMixin
from .fitted import FloatArray
from .frames import read, unnamed
from .progress import Shown
from .reasons import Reasons
from .settings import option_names, option_text, parameters_of, schema_text, seed_of, threads_of, weights_of


class PIDForest(Reasons, OutlierMixin, BaseEstimator):
    """A forest that finds rows which a few attribute values set apart.

    Tables may be numpy arrays, frames of pandas or polars, tables and readers of pyarrow, relations of DuckDB, and anything
    with ``__arrow_c_stream__``. Columns may be numbers, booleans, texts, categories and times; values may be missing. What
    columns mean follows from their types unless ``schema`` says it.

    Equal data, parameters and seeds give equal models and scores, on any number of threads.

    Parameters
    ----------
    n_estimators : int, default=100
        number of trees
    max_samples : int, default=256
        number of rows that each tree is grown on
    max_depth : int, default=14
        maximum depth of a tree; the root has depth 0
    min_node_rows : int or "auto", default="auto"
        a node with at most this many sample rows is a leaf; auto is 16, or a quarter of the sample if less
    cuts : {"sampled", "optimal"}, default="sampled"
        how an axis is split: at a random cut that passes a test, or in the best way
    gate : float, default=4.0
        sampled cuts: required significance of a cut, as a chi-square statistic; 4 is about 5 %
    rounds : int, default=3
        sampled cuts: number of draws before a node becomes a leaf
    max_children : int, default=5
        optimal cuts: maximum number of intervals that an axis is cut into
    epsilon : float or "auto", default="auto"
        optimal cuts: allowed error of the one-pass split; 0 is exact; auto is exact up to the size from which one pass is
        faster
    related_share : float, default=0.5
        sampled cuts: share of the trees that look only where columns go together; 0 is none
    axis_gain : {"variance", "relative"}, default="variance"
        gain that axes are chosen by: the variance of sparsity, or the explained share of the axis' own error
    axis_power : float, default=0.5
        an axis is drawn with probability ~ gain^power; infinity takes the best, 0 draws uniformly
    isolated : bool, default=True
        whether a few values far beyond all others are set apart and get a score of their own
    rare_pairs : bool, default=True
        whether two values of related columns that hardly ever occur together score as a pair
    root_interval : {"range", "half_gap"}, default="range"
        where the root cube ends: at the smallest and largest value, or half a gap beyond them
    count_rows : int, "all" or "sample", default="all"
        rows counted in the leaves: all of them, each tree's own sample, or one random sample of this size
    aggregate : {"mean", "quantile", "max", "top", "vote", "odds"}, default="mean"
        how the bits of a row in the trees are combined into its score
    quantile : float, default=0.75
        for aggregate quantile: which quantile to take; 0.75 is the paper's, 0.5 is the median
    top_share : float, default=0.1
        for aggregate top: the share of trees to average, those with the most bits
    contamination : float, "auto" or None, default="auto"
        share of the fitted rows to flag as anomalies; auto flags the rows that stand out, if any; none sets no threshold
    reasons : bool, default=True
        whether the model keeps the counts of the cubes that explain rows, so that explanations need no other rows
    schema : dict, str or path, optional
        What the columns mean, as a document (docs/schema.md): a dict, JSON, or a ``pathlib.Path``. Columns that it does not
        name are not used.
    random_state : int, numpy generator or None, default=None
        seed of the random numbers; equal seeds give equal models; None is seed 0, and a generator gives the next number
        that it draws
    n_jobs : int, optional
        The number of threads; None and -1 are one per processor. It changes no result.
    verbose : bool or callable, default=False
        Show a bar on standard error where that is a terminal, or call ``verbose(stage, done, total)`` now and then; what it
        raises stops the work.

    Attributes
    ----------
    offset_ : float
        Minus the threshold in bits; ``decision_function`` is ``score_samples - offset_``. 0 if there is no threshold.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if they had any.
    schema_ : dict
        What the columns mean, complete.
    relations_ : list of (str, str, float)
        The columns that go together, the strongest pair first, with their mutual information in nats; at most 1024 pairs.
    isolated_ : list of dict
        The isolated values: a few values far beyond all others of their column, as witnesses.
    rare_pairs_ : list of dict
        The rare pairs: two values of related columns that hardly ever occur together, as witnesses, the rarest first.

    Examples
    --------
    >>> import numpy as np
    >>> from pidforest import PIDForest
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(1000, 3))
    >>> X[7, 1] = 9.0
    >>> forest = PIDForest(contamination=0.001).fit(X)
    >>> np.flatnonzero(forest.predict(X) == -1).tolist()
    [7]
    >>> print(forest.explain(X)[7])
    x1 = 9: only 1 of 1,000 rows is above 3 (52 % of the range, 9.0 bits)
    """

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_samples: int = 256,
        max_depth: int = 14,
        min_node_rows: int | Literal["auto"] = "auto",
        cuts: Literal["sampled", "optimal"] = "sampled",
        gate: float = 4.0,
        rounds: int = 3,
        max_children: int = 5,
        epsilon: float | Literal["auto"] = "auto",
        related_share: float = 0.5,
        axis_gain: Literal["variance", "relative"] = "variance",
        axis_power: float = 0.5,
        isolated: bool = True,
        rare_pairs: bool = True,
        root_interval: Literal["range", "half_gap"] = "range",
        count_rows: int | Literal["all", "sample"] = "all",
        aggregate: Literal["mean", "quantile", "max", "top", "vote", "odds"] = "mean",
        quantile: float = 0.75,
        top_share: float = 0.1,
        contamination: float | Literal["auto"] | None = "auto",
        reasons: bool = True,
        schema: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: bool | Callable[[str, int, int], Any] = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_depth = max_depth
        self.min_node_rows = min_node_rows
        self.cuts = cuts
        self.gate = gate
        self.rounds = rounds
        self.max_children = max_children
        self.epsilon = epsilon
        self.related_share = related_share
        self.axis_gain = axis_gain
        self.axis_power = axis_power
        self.isolated = isolated
        self.rare_pairs = rare_pairs
        self.root_interval = root_interval
        self.count_rows = count_rows
        self.aggregate = aggregate
        self.quantile = quantile
        self.top_share = top_share
        self.contamination = contamination
        self.reasons = reasons
        self.schema = schema
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @classmethod
    def preset(cls, name: Literal["default", "authors", "paper"], **parameters: Any) -> PIDForest:
        """An estimator with the options of a preset.

        Parameters
        ----------
        name : {"default", "paper", "authors"}
            ``paper`` is what the text of the paper says, ``authors`` what their code does.
        **parameters
            Parameters that differ from the preset.

        Returns
        -------
        PIDForest
            It is not fitted yet.

        Examples
        --------
        >>> PIDForest.preset("paper", n_estimators=20).cuts
        'optimal'
        """
        of_preset = parameters_of(_core.preset(name))
        return cls(**{**of_preset, "random_state": None, **parameters})

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PIDForest:
        """Grow a forest on the rows of X and count them.

        Parameters
        ----------
        X : array or data frame
            A table.
        y : ignored
            For scikit-learn's pipelines.
        sample_weight : array of whole numbers, optional
            How often each row counts; 0 leaves it out. The model is that of the table with the rows repeated.

        Returns
        -------
        PIDForest
            This estimator.

        Raises
        ------
        ValueError
            If a parameter, the schema or a weight is wrong, or if X has no rows, no columns, infinite numbers, or values that its
            schema does not allow. Messages count rows from 1.
        TypeError
            If X is no table, is sparse, or has values of types that no column may have.

        Examples
        --------
        >>> table = [[1.0, "a"], [2.0, "a"], [3.0, "b"]]
        >>> forest = PIDForest().fit(table, sample_weight=[5, 5, 1])
        >>> [column["kind"] for column in forest.schema_["columns"]]
        ['continuous', 'category']
        """
        self._fit(X, sample_weight)
        return self

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> np.ndarray[Any, Any]:
        """Fit to X and predict it: -1 for anomalies, 1 for the others.

        Parameters and errors are those of `fit` and `predict`. X is read once, so it may be a reader.
        """
        rows = self._fit(X, sample_weight)
        return self._labels(self._bits_of(rows))

    def _fit(self, X: Any, sample_weight: Any = None) -> _core.Rows:
        """The rows of X, after the fit to them: a reader cannot be asked for them again."""
        options = {name: option_text(name, getattr(self, name)) for name in option_names() if name != "seed"}
        options["seed"] = seed_of(self.random_state)
        _core.check_options(options)
        threads = threads_of(self.n_jobs)
        schema = schema_text(self.schema)
        frame = read(X)
        weights = None if sample_weight is None else weights_of(sample_weight, frame.rows.n_rows)
        with Shown(self.verbose) as on_progress:
            model = _core.Model.fit(frame.rows, schema, options, weights, threads, on_progress)
        self._take(model, frame.names)
        return frame.rows

    def score_samples(self, X: Any) -> FloatArray:
        """Minus the bits of each row: the lower, the rarer.

        Parameters
        ----------
        X : array or data frame
            A table with the columns of the fit. A reader of batches is scored batch by batch.

        Returns
        -------
        ndarray of shape (n_rows,)

        Raises
        ------
        ValueError
            If the columns are not those of the fit, or a value is not what its column holds.
        NotFittedError
            If there is no model yet.

        Examples
        --------
        >>> forest = PIDForest().fit([[float(i % 10)] for i in range(1000)])
        >>> normal, beyond, far_beyond = forest.score_samples([[5.0], [20.0], [200.0]])
        >>> bool(normal > beyond > far_beyond)
        True
        """
        bits = self._bits(X)
        return np.negative(bits, out=bits)

    def bits(self, X: Any) -> FloatArray:
        """The score of each row in bits, as everywhere else in pidforest: the higher, the rarer. It is minus `score_samples`.

        Parameters
        ----------
        X : array or data frame
            A table with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_rows,)

        Examples
        --------
        >>> forest = PIDForest().fit([[float(i % 10)] for i in range(1000)])
        >>> normal, beyond = forest.bits([[5.0], [20.0]])
        >>> bool(normal < beyond)
        True
        """
        return self._bits(X)

    def decision_function(self, X: Any) -> FloatArray:
        """`score_samples` minus `offset_`: negative for anomalies.

        Parameters
        ----------
        X : array or data frame
            A table with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        scores = self.score_samples(X)
        return np.subtract(scores, self.offset_, out=scores)

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """-1 for anomalies, the rows with more bits than the threshold, and 1 for the others.

        Parameters
        ----------
        X : array or data frame
            A table with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_rows,)

        Raises
        ------
        ValueError
            If ``contamination=None`` has set no threshold.
        """
        return self._labels(self._bits(X))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a .pidf file, which the command line and C++ read too; it holds no code.

        Parameters
        ----------
        path : str or path
            The file. It is replaced as a whole or not at all.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        self._fitted().save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PIDForest:
        """Read a model that `save` or the command line has written.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        PIDForest
            Fitted, with the parameters of the fit; ``schema`` is None, as `schema_` has it.

        Raises
        ------
        ValueError
            If the file is damaged or holds no model.
        FileNotFoundError
            If there is no such file.
        OSError
            If it cannot be read.
        """
        return cls._of_model(_core.Model.load(os.fspath(path)))

    @classmethod
    def _of_model(cls, model: _core.Model) -> PIDForest:
        forest = cls(**parameters_of(model.options))
        names = model.columns
        forest._take(model, None if names == unnamed(len(names)) else names)
        return forest

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags
