# SPDX-License-Identifier: Apache-2.0
"""Time series as tables of windows."""

from __future__ import annotations

import datetime
import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _core
from .frames import read


class Shingles:
    """The windows of the samples of one or several time series: a table that `PIDForest` fits, scores and explains.

    A row is a window of successive samples; a column is a metric so many samples earlier, the earliest first. The windows
    view one copy of the samples, however long they are.

    Parameters
    ----------
    X : array or data frame
        The samples in the order of time. Every column besides `time` and `by` is a metric and must hold numbers.
    window : int or "auto"
        The samples of a window; "auto" is their period, by the autocorrelation.
    time : str, optional
        The column of times, which never go back within a series. Lags are named by it where all steps are the same.
    by : str, optional
        The column that tells several series apart.
    max_gap : timedelta, optional
        No window crosses a step between samples that is longer.
    means : iterable of int
        Over how many samples, up to the last of a window, each metric has its mean as a further column.
    calendar : bool
        Whether the hour and weekday of a window's last sample are features, too.

    Attributes
    ----------
    columns : list of str
        The names of the columns.
    n_samples : int
        The number of samples.

    Raises
    ------
    ValueError
        If a column is not what it is taken for, a time goes back, or no series is as long as the window.

    Examples
    --------
    A beat that comes too early, though no value of it is rare:

    >>> import numpy as np
    >>> from pidforest import PIDForest, Shingles
    >>> beat = np.array([0.0, 1.0, 5.0, 2.0] * 250)
    >>> beat[401] = 5.0
    >>> windows = Shingles(beat.reshape(-1, 1), window=3)
    >>> windows.columns
    ['x0 2 samples earlier', 'x0 1 sample earlier', 'x0']
    >>> forest = PIDForest().fit(windows)
    >>> scores = windows.per_sample(forest.score_samples(windows))
    >>> int(np.nanargmin(scores)) in (401, 402, 403)
    True
    """

    def __init__(
        self,
        X: Any,
        window: int | str = "auto",
        *,
        time: str | None = None,
        by: str | None = None,
        max_gap: datetime.timedelta | None = None,
        means: Iterable[int] = (),
        calendar: bool = False,
    ) -> None:
        is_number = isinstance(window, numbers.Integral) and not isinstance(window, bool) and window >= 1
        if window != "auto" and not is_number:
            raise ValueError(f"window must be 'auto' or a number of samples from 1 on; got {window!r}.")
        if max_gap is not None and not isinstance(max_gap, datetime.timedelta):
            raise TypeError(f"max_gap must be a datetime.timedelta; got {type(max_gap).__name__}.")
        gap = None if max_gap is None else max_gap // datetime.timedelta(microseconds=1)
        self._samples = read(X).rows  # for reports
        self._time, self._by = time, by
        self._rows = _core.SeriesRows(
            self._samples, int(window) if is_number else None, time or "", by or "", gap, [int(span) for span in means], calendar
        )

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

    def windows_of_samples(self, scores: Any, align: str = "end") -> np.ndarray[Any, Any]:
        """The window that each sample has its score from.

        Parameters
        ----------
        scores : array of shape (n_windows,)
            What `PIDForest.score_samples` says of the windows.
        align : {"end", "start", "max"}
            The window that ends with the sample, that starts with it, or the rarest of all that hold it.

        Returns
        -------
        ndarray of int
            From 0; -1 for samples that have no window.
        """
        return self._rows.windows_of_samples(align, -np.asarray(scores, dtype=np.float64))

    def per_sample(self, scores: Any, align: str = "end") -> np.ndarray[Any, Any]:
        """The score of each sample, in the order in which they were given; NaN for those that have no window.

        Parameters
        ----------
        scores : array of shape (n_windows,)
            What `PIDForest.score_samples` says of the windows.
        align : {"end", "start", "max"}
            As in `windows_of_samples`.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        windows = self.windows_of_samples(scores, align)
        return np.where(windows < 0, np.nan, np.asarray(scores, dtype=np.float64)[windows])
