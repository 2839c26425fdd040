# SPDX-License-Identifier: Apache-2.0
"""What a fitted model says to an operator: incidents in time, and what changed since the fit."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from . import _core
from .fitted import Fitted
from .progress import Shown
from .report import reported_rows
from .series import Shingles
from .settings import number_or_none, threads_of, truth_of


@dataclasses.dataclass(frozen=True)
class TimedIncident:
    """Consecutive anomalies of one series.

    Attributes
    ----------
    key : str
        The series; empty if there is only one.
    is_open : bool
        Whether the table ends within the cool-down.
    begin, end, worst : numpy.datetime64
        The times, in UTC, of the first, the last and the rarest anomaly.
    score : float
        The bits of the rarest.
    first_row, last_row, worst_row : int
        The places of these rows in the table, from 0.
    n_rows, n_anomalies : int
        The rows of the series from the first to the last anomaly, and the anomalies among them.
    metrics : dict of str to float
        The metrics to blame, at most ten, and their bits; the most bits first.
    reason : str
        Why the rarest anomaly is rare.
    """

    key: str
    is_open: bool
    begin: np.datetime64
    end: np.datetime64
    worst: np.datetime64
    score: float
    first_row: int
    last_row: int
    worst_row: int
    n_rows: int
    n_anomalies: int
    metrics: dict[str, float]
    reason: str


class TimedIncidents(Sequence[TimedIncident]):
    """The incidents in time of a table; the one with the rarest anomaly comes first.

    Attributes
    ----------
    n_anomalies : int
        The anomalies of all incidents.
    threshold : float or None
        The score from which on rows are anomalies: that of the model, `min_bits`, or what keeps the budget.
    """

    def __init__(self, incidents: list[TimedIncident], n_anomalies: int, threshold: float | None) -> None:
        self._incidents = incidents
        self.n_anomalies = n_anomalies
        self.threshold = threshold

    def __len__(self) -> int:
        return len(self._incidents)

    @overload
    def __getitem__(self, index: int) -> TimedIncident: ...

    @overload
    def __getitem__(self, index: slice) -> list[TimedIncident]: ...

    def __getitem__(self, index: int | slice) -> TimedIncident | list[TimedIncident]:
        return self._incidents[index]

    def to_frame(self) -> Any:
        """A frame of pandas with a row per incident; `metrics` has the names, joined by commas."""
        import pandas

        names = [field.name for field in dataclasses.fields(TimedIncident)]
        rows = [{name: getattr(one, name) for name in names} | {"metrics": ", ".join(one.metrics)} for one in self]
        return pandas.DataFrame(rows, columns=names)

    def __repr__(self) -> str:
        lines = [f"{one.key + ' ' if one.key else ''}{one.begin} to {one.end}: {one.n_anomalies} anomalies, {one.score:.2f} bits: {one.reason}" for one in self[:10]]
        more = [f"({len(self) - 10} more)"] if len(self) > 10 else []
        return "\n".join([f"<TimedIncidents: {len(self)} of {self.n_anomalies} anomalies>", *lines, *more])


class Changes(Sequence[_core.ColumnChange]):
    """The columns of a fit beside those of other rows, the strongest change first.

    An element has the attributes column, words, is_changed, p, missing_then, missing_now, range_then, range_now,
    n_beyond_range, n_new_levels and vanished; docs/compare.md describes them.

    Attributes
    ----------
    n_then, n_now : int
        The rows of the fit, and the other rows.
    n_changed : int
        The columns that have changed.
    anomalies_now : float or None
        The share of the other rows above the model's threshold.
    """

    def __init__(self, found: _core.TableComparison) -> None:
        self._columns = found.columns
        self.n_then = found.n_then
        self.n_now = found.n_now
        self.anomalies_now = found.anomalies_now
        self.n_changed = sum(one.is_changed for one in self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @overload
    def __getitem__(self, index: int) -> _core.ColumnChange: ...

    @overload
    def __getitem__(self, index: slice) -> list[_core.ColumnChange]: ...

    def __getitem__(self, index: int | slice) -> _core.ColumnChange | list[_core.ColumnChange]:
        return self._columns[index]

    def to_frame(self) -> Any:
        """A frame of pandas with a row per column."""
        import pandas

        names = ["column", "is_changed", "words", "p", "missing_then", "missing_now", "range_then", "range_now", "n_beyond_range", "n_new_levels", "vanished"]
        return pandas.DataFrame([{name: getattr(one, name) for name in names} for one in self], columns=names)

    def __repr__(self) -> str:
        lines = [f"{one.column}: {one.words}" for one in self if one.is_changed]
        return "\n".join([f"<Changes: {self.n_changed} of {len(self)} columns>", *lines])


def moment(microseconds: int) -> np.datetime64:
    return np.datetime64(microseconds, "us")


class Operated(Fitted):
    """The part of an estimator for operators."""

    def timed_incidents(
        self,
        X: Any,
        time: str | None = None,
        by: str | None = None,
        *,
        cool_down: datetime.timedelta | None = None,
        alerts_per_day: float | None = None,
        per_key: bool = False,
        min_bits: float | None = None,
        suppress: Any = None,
        align: Literal["end", "start", "max"] = "end",
    ) -> TimedIncidents:
        """The anomalies of X, joined in time: those with no more than the cool-down between two of them.

        Parameters
        ----------
        X : data frame or Shingles
            A table with the columns of the fit, or windows of series.
        time : str, optional
            The column of times. `Shingles` have their own.
        by : str, optional
            The column that tells several series apart; each has incidents of its own.
        cool_down : timedelta, optional
            By default 24 usual steps between the rows of a series, and at least an hour.
        alerts_per_day : float, optional
            A budget instead of the threshold: the lowest score from which on no more incidents open per day.
        per_key : bool, default=False
            Whether each key has that budget.
        min_bits : float, optional
            Rows with at least this many bits are anomalies; without it, those above the model's threshold.
        suppress : list, JSON or path, optional
            Known reasons, as in `explain`: rows that one holds are no anomalies.
        align : {"end", "start", "max"}, default="end"
            For windows, the window that gives a sample its score.

        Returns
        -------
        TimedIncidents

        Raises
        ------
        ValueError
            If there is no column of times, or a parameter is out of its range.

        Examples
        --------
        >>> import pandas as pd
        >>> from pidforest import PIDForest, Shingles
        >>> load = [i % 24 + 0.1 * (i * i % 7) for i in range(500)]
        >>> load[300:303] = [60.0, 70.0, 65.0]
        >>> frame = pd.DataFrame({"at": pd.date_range("2026-03-02", periods=500, freq="h"), "load": load})
        >>> windows = Shingles(frame, window=3, time="at")
        >>> found = PIDForest().fit(windows).timed_incidents(windows, alerts_per_day=0.1)
        >>> print(found[0].begin, list(found[0].metrics))
        2026-03-14T12:00:00.000000 ['load']
        """
        if isinstance(X, Shingles):
            time, by = time or X._time, by or X._by
        if not isinstance(time, str) or not time:
            raise ValueError("timed_incidents needs time, the column of times.")
        options = _core.IncidentOptions()
        if cool_down is not None:
            if not isinstance(cool_down, datetime.timedelta):
                raise TypeError(f"cool_down must be a datetime.timedelta; got {type(cool_down).__name__}.")
            options.cool_down = cool_down // datetime.timedelta(microseconds=1)
        options.alerts_per_day = number_or_none("alerts_per_day", alerts_per_day)
        options.is_budget_per_key = truth_of("per_key", per_key)
        min_bits = number_or_none("min_bits", min_bits)
        if alerts_per_day is not None and min_bits is not None:
            raise ValueError("alerts_per_day and min_bits cannot be combined: each sets the threshold.")
        if alerts_per_day is None and min_bits is None and self._fitted().threshold is None:
            raise ValueError("timed_incidents needs a threshold, and contamination=None sets none; give min_bits or alerts_per_day.")
        with Shown(self.verbose) as on_progress:
            scored = reported_rows(X, self._scored(X, suppress, on_progress), align)
            found, n_anomalies, threshold = _core.timed_incidents(scored, time, by or "", options, min_bits, threads_of(self.n_jobs), on_progress)
        incidents = [
            TimedIncident(key, is_open, moment(begin), moment(end), moment(worst), score, first, last, rarest, n_rows, n, dict(metrics), reason)
            for key, is_open, begin, end, worst, score, first, last, rarest, n_rows, n, metrics, reason in found
        ]
        return TimedIncidents(incidents, n_anomalies, threshold)

    def compare(self, X: Any, level: float = 0.01) -> Changes:
        """Which columns of X differ from the rows of the fit: missing values, levels, ranges and distributions.

        Parameters
        ----------
        X : array or data frame
            A table with the columns of the fit.
        level : float, default=0.01
            The chance of a false alarm over all columns, for rows that are drawn independently.

        Returns
        -------
        Changes
            The strongest change comes first.

        Raises
        ------
        ValueError
            If the model has no profile (``reasons=False``, or a file of an earlier version), the columns are not those of the
            fit, or `level` is not between 0 and 1.

        Examples
        --------
        >>> from pidforest import PIDForest
        >>> X = [[float(i % 10), float(i % 7)] for i in range(700)]
        >>> forest = PIDForest().fit(X)
        >>> forest.compare([[float(i % 10), float(i % 7) if i % 2 else None] for i in range(700)])
        <Changes: 1 of 2 columns>
        x1: missing 50 %, was 0 %
        """
        with Shown(self.verbose) as on_progress:
            return Changes(_core.compare(self._fitted(), self._rows(X), float(level), threads_of(self.n_jobs), on_progress))
