# SPDX-License-Identifier: Apache-2.0
"""Time series as tables of windows."""

from __future__ import annotations

import datetime
import numbers
import warnings
from collections.abc import Iterable
from typing import Any, Literal, TYPE_CHECKING

import numpy as np

from . import _core
from .frames import read

if TYPE_CHECKING:
    from .estimator import PIDForest


def _microseconds(max_gap: datetime.timedelta | None) -> int | None:
    if max_gap is not None and not isinstance(max_gap, datetime.timedelta):
        raise TypeError(f"max_gap must be a datetime.timedelta; got {type(max_gap).__name__}.")
    return None if max_gap is None else max_gap // datetime.timedelta(microseconds=1)


def _warn(words: str, stacklevel: int = 3) -> None:
    warnings.warn(words, UserWarning, stacklevel=stacklevel)


class Shingles:
    """The windows of the samples of one or several time series: a table that `PIDForest` fits, scores and explains.

    A row is a window of successive samples. Its columns are the metrics at fixed lags, the earliest first, and what the
    views derive from them. Lags are views of one copy of the samples, for any length of the window.

    Parameters
    ----------
    X : array or data frame
        The samples, in the order of time unless `time` says it. Every column except `time` and `by` is a metric and must
        hold numbers.
    window : int or "auto"
        The number of samples in a window; "auto" is the period of the samples, found by autocorrelation, or 10 with
        a warning if there is none.
    time : str, optional
        The time column. The samples of a series are sorted by it, with a warning if that changes their order; where a
        clock was set back, a new segment begins instead. Lags are named by time if all steps are equal.
    by : str, optional
        The column that separates several series.
    max_gap : timedelta, optional
        The longest step between samples inside a window.
    means : iterable of int
        Numbers of samples: for each, add the mean of every metric over the last samples of the window as a column.
    calendar : bool
        Whether to add the hour and weekday of the window's last sample as columns.
    views : iterable of {"lags", "changes", "scales", "residual"}
        What the trees look at, in turns: the values of the window; the last values and their rises; means and deviations
        over the last samples; or lags and scales of the values minus what is usual at their half hour of the week.
    like : PIDForest, optional
        A forest that was fitted on windows: these windows are made as those were, with the usual values of the fit.
        The other parameters must be left out. A forest fitted on the single view "lags" does not know its windows.

    Attributes
    ----------
    columns : list of str
        The names of the columns.
    n_samples : int
        The number of samples.
    window : int
        The number of samples in a window.
    n_late, n_set_back, n_repeated : int
        Samples that come after a later one, which were sorted; how often the clock was set back, so that samples
        have times that as many samples before them have; samples with the time of the sample before them.

    Raises
    ------
    ValueError
        If a column has the wrong type, a time is missing, or no series is as long as the window.

    Examples
    --------
    A beat that comes too early, with values that are all common:

    >>> import numpy as np
    >>> from pidforest import PIDForest, Shingles
    >>> beat = np.array([0.0, 1.0, 5.0, 2.0] * 250)
    >>> beat[401] = 5.0
    >>> windows = Shingles(beat.reshape(-1, 1), window=3)
    >>> windows.columns[:4]
    ['x0 2 samples earlier', 'x0 1 sample earlier', 'x0', 'mean of x0 over the last 4 samples']
    >>> forest = PIDForest().fit(windows)
    >>> scores = windows.per_sample(forest.score_samples(windows))
    >>> int(np.nanargmin(scores)) in (401, 402, 403)
    True
    """

    def __init__(
        self,
        X: Any,
        window: int | Literal["auto"] = "auto",
        *,
        time: str | None = None,
        by: str | None = None,
        max_gap: datetime.timedelta | None = None,
        means: Iterable[int] = (),
        calendar: bool = False,
        views: Iterable[str] = ("residual",),
        like: PIDForest | None = None,
    ) -> None:
        self._samples = read(X).rows  # for reports
        if like is not None:
            given = {"window": window != "auto", "time": time is not None, "by": by is not None, "max_gap": max_gap is not None}
            given |= {"means": len(tuple(means)) > 0, "calendar": calendar, "views": tuple(views) != ("residual",)}
            if any(given.values()):
                raise ValueError(f"like and {next(name for name, is_given in given.items() if is_given)} cannot be combined.")
            self._rows = _core.SeriesRows(self._samples, like._fitted())
            self._time, self._by = (name or None for name in _core.names_of_windows(like._fitted()))
            self._warn_of_order()
            return
        is_number = isinstance(window, numbers.Integral) and not isinstance(window, bool) and window >= 1
        if window != "auto" and not is_number:
            raise ValueError(f"window must be 'auto' or a number of samples of at least 1; got {window!r}.")
        gap = _microseconds(max_gap)
        self._time, self._by = time, by
        self._rows = _core.SeriesRows(
            self._samples,
            int(window) if is_number else None,
            time or "",
            by or "",
            gap,
            [int(span) for span in means],
            calendar,
            views if isinstance(views, str) else ",".join(views),
        )
        if window == "auto" and not self._rows.is_period:
            _warn(f"the samples have no period, so the windows have {self.window} of them; give `window` a number.")
        self._warn_of_order()

    def _warn_of_order(self) -> None:
        if self.n_late > 0:
            _warn(f"{self.n_late} of {self.n_samples} samples come after a later one: they were sorted by '{self._time}'.", 4)
        if self.n_set_back > 0:
            _warn(f"the clock was set back at {self.n_set_back} of {self.n_samples} samples: each of them begins a new segment.", 4)

    def __len__(self) -> int:
        """The number of windows."""
        return self._rows.n_rows

    def __repr__(self) -> str:
        return f"<Shingles: {len(self)} windows of {self.n_samples} samples, {len(self.columns)} columns>"

    @property
    def columns(self) -> list[str]:
        return self._rows.columns

    @property
    def n_samples(self) -> int:
        return self._rows.n_samples

    @property
    def window(self) -> int:
        return self._rows.window

    @property
    def n_late(self) -> int:
        return self._rows.n_late

    @property
    def n_set_back(self) -> int:
        return self._rows.n_set_back

    @property
    def n_repeated(self) -> int:
        return self._rows.n_repeated

    def windows_of_samples(self, scores: Any, align: Literal["end", "start", "max"] = "end") -> np.ndarray[Any, Any]:
        """The window that gives each sample its score.

        Parameters
        ----------
        scores : array of shape (n_windows,)
            The result of `PIDForest.score_samples` for the windows.
        align : {"end", "start", "max"}
            The window that ends with the sample, that starts with it, or the rarest of all that hold it.

        Returns
        -------
        ndarray of int
            Numbers of windows, from 0; -1 for samples without a window.
        """
        return self._rows.windows_of_samples(align, -np.asarray(scores, dtype=np.float64))

    def per_sample(self, scores: Any, align: Literal["end", "start", "max"] = "end") -> np.ndarray[Any, Any]:
        """The score of each sample, in the order of the input; NaN for samples without a window.

        Parameters
        ----------
        scores : array of shape (n_windows,)
            The result of `PIDForest.score_samples` for the windows.
        align : {"end", "start", "max"}
            As in `windows_of_samples`.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        windows = self.windows_of_samples(scores, align)
        return np.where(windows < 0, np.nan, np.asarray(scores, dtype=np.float64)[windows])


class Context:
    """The rows of a table with what came before them in their series: a table that `PIDForest` fits, scores and explains.

    For each column of numbers there are further columns: by how much it rose over 1, 2, 4 and 8 rows of its series, and its
    mean and standard deviation over the last 8 and 64 rows (4, 16, 64 and 256 if there is one such column). Trees take turns
    over three views: the rows as they are, the changes and the scales. The rows stay in their order.

    Parameters
    ----------
    X : array or data frame
        The rows.
    time : str
        The time column, which says what came before a row; with a warning if the rows are in another order.
    by : str, optional
        The column that separates several series.
    max_gap : timedelta, optional
        Rows after a longer step have no context from before it.
    like : PIDForest, optional
        A forest that was fitted on rows with context: these rows get theirs in the same way. The other parameters must be
        left out.

    Attributes
    ----------
    columns : list of str
        The names of the columns.
    n_late : int
        Rows that come after a later one of their series.

    Raises
    ------
    ValueError
        If a column or a time is missing, or there is no column of numbers.

    Examples
    --------
    A jump between values that are all common:

    >>> import numpy as np
    >>> import pandas as pd
    >>> from pidforest import Context, PIDForest
    >>> time = pd.date_range("2026-03-01", periods=1000, freq="min")
    >>> level = np.round(10 * np.sin(np.arange(1000) / 50), 2)
    >>> level[700] = -level[700]
    >>> rows = Context(pd.DataFrame({"time": time, "level": level}), time="time")
    >>> rows.columns[2]
    'rise of level within 1 min'
    >>> int(PIDForest().fit(rows).score_samples(rows).argmin())
    700
    """

    def __init__(
        self,
        X: Any,
        *,
        time: str | None = None,
        by: str | None = None,
        max_gap: datetime.timedelta | None = None,
        like: PIDForest | None = None,
    ) -> None:
        rows = read(X).rows
        if like is not None:
            if time is not None or by is not None or max_gap is not None:
                raise ValueError("like cannot be combined with time, by or max_gap.")
            self._rows = _core.ContextRows(rows, like._fitted())
            self._warn_of_order()
            return
        if time is None:
            raise ValueError("context requires time, the column that orders the rows; or like, a fitted forest.")
        self._rows = _core.ContextRows(rows, time, by or "", _microseconds(max_gap))
        self._warn_of_order()

    def _warn_of_order(self) -> None:
        if self.n_late > 0:
            _warn(f"{self.n_late} of {len(self)} rows come after a later one: their context is that of the order of time.", 4)

    def __len__(self) -> int:
        """The number of rows."""
        return self._rows.n_rows

    def __repr__(self) -> str:
        return f"<Context: {len(self)} rows, {len(self.columns)} columns>"

    @property
    def n_late(self) -> int:
        return self._rows.n_late

    @property
    def columns(self) -> list[str]:
        return self._rows.columns
