# SPDX-License-Identifier: Apache-2.0
"""What a fitted model says of rows beyond their scores: reasons, incidents, and the page with both."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from . import _core
from .changes import Operated
from .explanations import Explanations, Incident, Incidents, Witness
from .fitted import FloatArray
from .frames import index_of, table_of_row
from .progress import Shown
from .report import Page, labels_of, options_of, reported_rows
from .settings import count_of, number_or_none, threads_of, truth_of


class Reasons(Operated):
    """The part of an estimator that explains."""

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
        X : array, data frame, or one row
            A table with the columns of the fit. One row may be an array of one dimension, a dict or a series of pandas.
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
            Known reasons: a list of witnesses or of lists of conditions, one list of conditions, JSON, or a ``pathlib.Path`` to a file that
            ``pidforest detect --suppress`` reads too. Rows that one holds are no anomalies.

        Returns
        -------
        Explanations
            One `Explanation` per row, in order.

        Raises
        ------
        ValueError
            If the columns are not those of the fit, a rule does not fit them, or `impostors` is negative.
        TypeError
            If a parameter has a value of another type.

        Examples
        --------
        >>> from pidforest import PIDForest
        >>> X = [[float(i % 10), float(i % 7)] for i in range(700)] + [[5.0, 60.0]]
        >>> forest = PIDForest().fit(X)
        >>> print(forest.explain([[5.0, 60.0]])[0])
        x1 = 60: only 1 of 701 rows is above 6 (90 % of the range, 9.3 bits)
        """
        model = self._fitted()
        options = _core.FindOptions()
        options.min_bits = number_or_none("min_bits", min_bits)
        options.impostors = count_of("impostors", impostors)
        options.normal_if = truth_of("normal", normal)
        reference = None if against is None else self._rows(against)
        threads = threads_of(self.n_jobs)
        index = index_of(X)
        with Shown(self.verbose) as on_progress:
            scored = self._scored(table_of_row(X), suppress, on_progress)
            explained = scored.explain(reference, threads, on_progress)
            wants_details = options.impostors > 0 or options.normal_if
            details = scored.details(reference, options, threads, on_progress) if wants_details else None
        return Explanations(scored, model.columns, explained, options, details, threads, index)

    def column_importances(self, X: Any, *, min_bits: float | None = None) -> FloatArray:
        """How many bits each column gives the anomalies of X, in the mean: the columns that make these rows rare.

        Parameters
        ----------
        X : array or data frame
            A table with the columns of the fit.
        min_bits : float, optional
            Rows with at least this many bits are anomalies; without it, those above the model's threshold.

        Returns
        -------
        ndarray of shape (n_columns,)
            In the order of the columns of the fit; all 0 if no row is an anomaly. Columns that are more ordinary than an even spread
            have negative bits.

        Raises
        ------
        ValueError
            If neither ``contamination`` nor `min_bits` sets a threshold, or the columns are not those of the fit.

        Examples
        --------
        >>> from pidforest import PIDForest
        >>> X = [[float(i % 10), float(i % 7)] for i in range(700)] + [[5.0, 60.0]]
        >>> int(PIDForest().fit(X).column_importances(X).argmax())
        1
        """
        found = self.explain(X, min_bits=min_bits)
        flags = self._flags(found.scores, min_bits)
        if flags is None:
            raise ValueError("column_importances needs a threshold, and contamination=None sets none; give min_bits.")
        if not flags.any():
            return np.zeros(len(found.columns))
        importances: FloatArray = found.column_bits[flags].mean(axis=0)
        return importances

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
        >>> from pidforest import PIDForest
        >>> X = [[float(i % 10), float(i % 7)] for i in range(700)] + [[5.0, 60.0], [6.0, 61.0]]
        >>> forest = PIDForest().fit(X)
        >>> found = forest.incidents(X)
        >>> [(one.rows, one.conditions[0]["column"]) for one in found]
        [([701, 700], 'x1')]
        >>> forest.incidents(X, suppress=found)
        <Incidents: 0 of 0 anomalies, 2 suppressed>
        """
        min_bits = number_or_none("min_bits", min_bits)
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
        >>> from pidforest import PIDForest
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
        path: str | os.PathLike[str] | None = None,
        *,
        title: str | None = None,
        id: str | None = None,
        time: str | None = None,
        by: str | None = None,
        labels: Any = None,
        min_bits: float | None = None,
        align: Literal["end", "start", "max"] = "end",
        dialect: Literal["standard", "sqlite"] = "standard",
        suppress: Any = None,
    ) -> Page:
        """Write a page on the anomalies of X: one HTML file that anyone can open, without a network.

        It shows which rows are rare and why, over the distributions of the columns, over pairs of them, and over time.

        Parameters
        ----------
        X : array, data frame or Shingles
            A table with the columns of the fit. For windows of series the report shows their samples.
        path : str or path, optional
            The file. It is replaced as a whole or not at all. Without it, a temporary file that lives as long as the result.
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
            The path of the page. A notebook shows the page itself.

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
        >>> from pidforest import PIDForest
        >>> import pathlib, tempfile
        >>> X = [[float(i % 10), float(i % 7)] for i in range(700)] + [[5.0, 60.0]]
        >>> page = PIDForest().fit(X).report(X, pathlib.Path(tempfile.mkdtemp(), "report.html"), title="One of 701")
        >>> page.name, "x1 > 6" in page.read_text()
        ('report.html', True)
        """
        self._fitted()
        options = options_of(X, dialect, title=title, id=id, time=time, by=by, min_bits=number_or_none("min_bits", min_bits))
        with Shown(self.verbose) as on_progress:
            scored = reported_rows(X, self._scored(X, suppress, on_progress), align)
            if labels is not None:
                options.set_labels(labels_of(labels, len(scored.bits)))
            page = Page.temporary() if path is None else Page(path)
            _core.write_report(scored, os.fspath(page), options, threads_of(self.n_jobs), on_progress)
        return page
