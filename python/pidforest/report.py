# SPDX-License-Identifier: Apache-2.0
"""What a report is made of, from Python's tables, and the page that it is."""

from __future__ import annotations

import html
import pathlib
import shutil
import tempfile
import weakref
from typing import Any, Literal

import numpy as np

from . import _core
from .series import Shingles


class Page(type(pathlib.Path())):  # type: ignore[misc]
    """The path of a report, which notebooks show as the page itself."""

    @classmethod
    def temporary(cls) -> Page:
        """A path in a folder of its own, which is removed with the object."""
        folder = tempfile.mkdtemp(prefix="pidforest-")
        page = cls(folder, "report.html")
        weakref.finalize(page, shutil.rmtree, folder, ignore_errors=True)
        return page

    def _repr_html_(self) -> str:
        text = html.escape(self.read_text(encoding="utf-8"))
        return f'<iframe srcdoc="{text}" style="width: 100%; height: 800px; border: 0" title="pidforest report"></iframe>'


def reported_rows(X: Any, scored: _core.ScoredRows, align: Literal["end", "start", "max"]) -> _core.ScoredRows:
    """The rows of a report on X: if X is windows of series, their samples."""
    if not isinstance(X, Shingles):
        return scored
    return scored.samples(X._samples, X.windows_of_samples(-scored.bits, align))


def options_of(X: Any, dialect: str, **given: Any) -> _core.ReportOptions:
    """What was given, and what the windows of a series know by themselves."""
    known = {"time": X._time, "by": X._by} if isinstance(X, Shingles) else {}
    options = _core.ReportOptions()
    options.set_dialect(dialect)
    for name, value in given.items():
        if name in ("id", "time", "by") and not (value is None or isinstance(value, str)):
            raise TypeError(f"{name} must be the name of a column; got {value!r}.")
        if name == "title" and not (value is None or isinstance(value, str)):
            raise TypeError(f"title must be a text; got {value!r}.")
        chosen = known.get(name) if value is None else value
        if chosen is not None:
            setattr(options, name, chosen)
    return options


def labels_of(labels: Any, n_rows: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which rows are anomalies. Raises ValueError for what is neither true nor false, or not one per row."""
    given = np.asarray(labels)
    if given.shape != (n_rows,):
        raise ValueError(f"labels must have one value per row, the shape ({n_rows},); got {given.shape}.")
    wrong = np.flatnonzero(~((given == 0) | (given == 1)))
    if wrong.size:
        row = int(wrong[0])
        raise ValueError(f"labels must be booleans, true for anomalies, or 1 and 0; row {row + 1} has {given[row]!r}.")
    return np.ascontiguousarray(given == 1)
