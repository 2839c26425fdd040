# SPDX-License-Identifier: Apache-2.0
"""The estimator: feels like scikit-learn's, takes any data frame."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _core
from .base import BaseEstimator, NotFittedError, OutlierMixin
from .explanations import Explanations, Incident, Incidents, Witness
from .frames import Frame, is_arrow_stream, names_of_stream, other_columns, read, unnamed
from .progress import Shown
from .report import labels_of, options_of, reported_rows
from .settings import option_names, option_text, parameters_of, rules_text, schema_text, seed_of, threads_of, weights_of

FloatArray = np.ndarray[Any, np.dtype[np.float64]]


class PIDForest(OutlierMixin, BaseEstimator):
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
    axis_gain : {"variance", "relative"}, default="variance"
        gain that axes are chosen by: the variance of sparsity, or the explained share of the axis' own error
    axis_power : float, default=0.5
        an axis is drawn with probability ~ gain^power; infinity takes the best, 0 draws uniformly
    root_interval : {"range", "half_gap"}, default="range"
        where the root cube ends: at the smallest and largest value, or half a gap beyond them
    count_rows : int, "all" or "sample", default="all"
        rows counted in the leaves: all of them, each tree's own sample, or one random sample of this size
    aggregate : {"mean", "quantile", "max", "top", "vote"}, default="mean"
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
    x1 >= 2.8745: 47 % of the space, 2 of 1,000 rows (about 474 expected): 7.9 bits
    """

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_samples: int = 256,
        max_depth: int = 14,
        min_node_rows: int | str = "auto",
        cuts: str = "sampled",
        gate: float = 4.0,
        rounds: int = 3,
        max_children: int = 5,
        epsilon: float | str = "auto",
        axis_gain: str = "variance",
        axis_power: float = 0.5,
        root_interval: str = "range",
        count_rows: int | str = "all",
        aggregate: str = "mean",
        quantile: float = 0.75,
        top_share: float = 0.1,
        contamination: float | str | None = "auto",
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
        self.axis_gain = axis_gain
        self.axis_power = axis_power
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
    def preset(cls, name: str, **parameters: Any) -> PIDForest:
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

    def explain(
        self,
        X: Any,
        against: Any = None,
        *,
        impostors: int = 0,
        normal: bool = False,
        min_bits: float | None = None,
        suppress: Any = None,
    ) -> Explanations:
        """Why the rows of X are rare: for each a cube in the columns' own units, and how many rows are in it.

        Parameters
        ----------
        X : array or data frame
            A table with the columns of the fit.
        against : array or data frame, optional
            The rows among which the cubes are counted. Without it, the rows of the fit; for a forest with ``reasons=False``
            those of X itself.
        impostors : int, default=0
            How many other rows to find that the witness of a row holds: `Explanation.impostors`. Where `against` is given,
            they are rows of it.
        normal : bool, default=False
            Find for all anomalies at once what would make them normal, and include it in `Explanations.to_frame`. Without it
            `Explanation.normal_if` searches when it is called.
        min_bits : float, optional
            Rows with at least this many bits are anomalies; without it, those above the model's threshold.
        suppress : list, JSON or path, optional
            Known reasons: a list of witnesses or of lists of conditions, as JSON, or a ``pathlib.Path`` to a file that
            ``pidforest detect --suppress`` reads too. Rows that one holds are no anomalies.

        Returns
        -------
        Explanations
            One `Explanation` per row, in order.

        Raises
        ------
        ValueError
            If the columns are not those of the fit, a rule does not fit them, or `impostors` is negative.

        Examples
        --------
        >>> X = [[float(i % 10), float(i % 7)] for i in range(700)] + [[5.0, 60.0]]
        >>> forest = PIDForest().fit(X)
        >>> print(forest.explain([[5.0, 60.0]])[0])
        x1 > 6: 90 % of the space, 1 of 701 rows (about 630 expected): 9.3 bits
        """
        model = self._fitted()
        if impostors < 0:
            raise ValueError(f"impostors must be a number of rows; got {impostors}.")
        options = _core.FindOptions()
        options.min_bits, options.impostors, options.normal_if = min_bits, impostors, normal
        reference = None if against is None else self._rows(against)
        threads = threads_of(self.n_jobs)
        with Shown(self.verbose) as on_progress:
            scored = self._scored(X, suppress, on_progress)
            explained = scored.explain(reference, threads, on_progress)
            details = scored.details(reference, options, threads, on_progress) if impostors or normal else None
        return Explanations(scored, model.columns, explained, options, details)

    def incidents(self, X: Any, against: Any = None, *, min_bits: float | None = None, suppress: Any = None) -> Incidents:
        """The anomalies of X, grouped by the reasons that they share.

        The witness that holds most anomalies takes all that it holds, then the one that holds most of the rest, and so on.

        Parameters
        ----------
        X : array or data frame
            A table with the columns of the fit.
        against : array or data frame, optional
            The rows among which the cubes are counted, as in `explain`.
        min_bits : float, optional
            Rows with at least this many bits are anomalies; without it, those above the model's threshold.
        suppress : list, JSON or path, optional
            Known reasons, as in `explain`: rows that one holds are no anomalies.

        Returns
        -------
        Incidents
            The incident of the rarest anomaly comes first.

        Raises
        ------
        ValueError
            If neither ``contamination`` nor `min_bits` sets a threshold, the columns are not those of the fit, or a rule does
            not fit them.

        Examples
        --------
        >>> X = [[float(i % 10), float(i % 7)] for i in range(700)] + [[5.0, 60.0], [6.0, 61.0]]
        >>> forest = PIDForest().fit(X)
        >>> found = forest.incidents(X)
        >>> [(one.rows, one.conditions[0]["column"]) for one in found]
        [([700, 701], 'x1')]
        >>> forest.incidents(X, suppress=found)
        <Incidents: 0 of 0 anomalies, 2 suppressed>
        """
        if min_bits is None and self._fitted().threshold is None:
            raise ValueError("incidents needs a threshold, and contamination=None sets none; give min_bits.")
        reference = None if against is None else self._rows(against)
        threads = threads_of(self.n_jobs)
        with Shown(self.verbose) as on_progress:
            scored = self._scored(X, suppress, on_progress)
            witnesses, incidents, n_anomalies, n_suppressed = scored.incidents(reference, min_bits, threads, on_progress)
        return Incidents([Incident(witnesses, *one) for one in incidents], n_anomalies, n_suppressed)

    def matches(self, X: Any, conditions: Witness | Sequence[dict[str, Any]]) -> np.ndarray[Any, Any]:
        """Which rows of X lie in a cube: the count that an explanation states can be checked by it.

        Parameters
        ----------
        X : array or data frame
            A table with the columns of the fit.
        conditions : Explanation, Witness or list of dict
            The cube, or conditions as `Witness.conditions` has them.

        Returns
        -------
        ndarray of bool

        Examples
        --------
        >>> X = [[float(i)] for i in range(100)] + [[500.0]]
        >>> forest = PIDForest().fit(X)
        >>> reason = forest.explain(X)[100]
        >>> int(forest.matches(X, reason).sum()) == reason.n_inside
        True
        """
        given = conditions.conditions if isinstance(conditions, Witness) else list(conditions)
        return np.array(self._fitted().matches(self._rows(X), json.dumps(given)), dtype=bool)

    def report(
        self,
        X: Any,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        id: str | None = None,
        time: str | None = None,
        by: str | None = None,
        labels: Any = None,
        min_bits: float | None = None,
        align: str = "end",
        dialect: str = "standard",
        suppress: Any = None,
    ) -> Path:
        """Write a page on the anomalies of X: one HTML file that anyone can open, without a network.

        It shows which rows are rare and why, over the distributions of the columns, over pairs of them, and over time.

        Parameters
        ----------
        X : array, data frame or Shingles
            A table with the columns of the fit. For windows of series the report shows their samples.
        path : str or path
            The file. It is replaced as a whole or not at all.
        title : str, optional
            The heading of the page.
        id : str, optional
            The column that names rows; one that the model ignores will do. Without it rows are named by their number, from 1.
        time : str, optional
            The column of times. Without it the first one of kind time, and that of the windows of series.
        by : str, optional
            The column that tells several series apart; `Shingles` have their own.
        labels : array of bool, optional
            Known labels; the page shows them beside the scores.
        min_bits : float, optional
            Rows with at least this many bits are anomalies. By default: rows above the model's threshold.
        align : {"end", "start", "max"}, default="end"
            For windows of series, the window that gives a sample its score: the window that ends with the sample, that
            starts with it, or the rarest of all windows that contain it.
        dialect : {"standard", "sqlite"}
            What the queries of the page are written for: PostgreSQL and DuckDB, or SQLite.
        suppress : list, JSON or path, optional
            Known reasons, as in `explain`: rows that one holds are no anomalies.

        Returns
        -------
        pathlib.Path
            The path of the page.

        Raises
        ------
        ValueError
            If the columns are not those of the fit, a column that is named is lacking, or labels are not one per row.
        OSError
            If the file cannot be written.
        NotFittedError
            If there is no model yet.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> X = [[float(i % 10), float(i % 7)] for i in range(700)] + [[5.0, 60.0]]
        >>> page = PIDForest().fit(X).report(X, pathlib.Path(tempfile.mkdtemp(), "report.html"), title="One of 701")
        >>> page.name, "x1 > 6" in page.read_text()
        ('report.html', True)
        """
        self._fitted()
        options = options_of(X, dialect, title=title, id=id, time=time, by=by, min_bits=min_bits)
        with Shown(self.verbose) as on_progress:
            scored = reported_rows(X, self._scored(X, suppress, on_progress), align)
            if labels is not None:
                options.set_labels(labels_of(labels, len(scored.bits)))
            _core.write_report(scored, os.fspath(path), options, threads_of(self.n_jobs), on_progress)
        return Path(path)

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

    @property
    def schema_(self) -> dict[str, Any]:
        schema: dict[str, Any] = json.loads(self._fitted().schema)
        return schema

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

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

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

    def _labels(self, bits: FloatArray) -> np.ndarray[Any, Any]:
        flags = _core.flags(self._fitted(), bits)
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
