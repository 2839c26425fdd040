# SPDX-License-Identifier: Apache-2.0
"""PIDScore by its definition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np

from . import _core
from .explanations import Witness
from .frames import read
from .progress import Shown
from .settings import schema_text, threads_of


class ExactScores:
    """The sparsest cubes that hold the given rows, and bounds for them.

    Attributes
    ----------
    bits : ndarray
        log2(volume * n / rows inside) of the sparsest cube found for each row. Its PIDScore is ``2**bits / n``.
    upper_bound : ndarray
        No cube that holds the row has more bits than this.
    is_optimal : ndarray of bool
        Whether the cube is proved to be the sparsest: ``bits`` equals ``upper_bound``.
    cubes : list of Witness
        The sparsest cube found for each row.
    """

    def __init__(self, witnesses: _core.Witnesses, bits: np.ndarray[Any, Any], upper_bound: np.ndarray[Any, Any]) -> None:
        self.bits = bits
        self.upper_bound = upper_bound
        self.is_optimal = bits == upper_bound
        self.cubes = [Witness(witnesses, i) for i in range(len(witnesses))]

    def __len__(self) -> int:
        return len(self.cubes)

    def __repr__(self) -> str:
        return f"<ExactScores of {len(self)} rows, {int(self.is_optimal.sum())} of them optimal>"


def exact_pid_score(
    X: Any,
    rows: Iterable[int] | None = None,
    *,
    schema: Any = None,
    ends: Literal["any", "halfway"] = "any",
    seconds: float | None = None,
    n_jobs: int | None = None,
    verbose: bool | Callable[[str, int, int], Any] = False,
) -> ExactScores:
    """Find the sparsest of all cubes that hold a row: PIDScore by its definition, for small tables.

    Parameters
    ----------
    X : array or data frame
        A table.
    rows : iterable of int, optional
        Numbers of the rows to score, from 0; all rows by default.
    schema : dict, str or path, optional
        The meaning of the columns; inferred by default.
    ends : {"any", "halfway"}
        Where intervals of numbers may end: anywhere, or halfway between neighbouring values.
    seconds : float, optional
        Time limit of the search; ``upper_bound`` tells how far it got.
    n_jobs : int, optional
        The number of threads; one per processor by default.
    verbose : bool or callable
        Show a progress bar, or call ``verbose(stage, done, total)``.

    Returns
    -------
    ExactScores

    Examples
    --------
    A white elephant: neither white animals nor elephants are rare.

    >>> from pidforest import exact_pid_score
    >>> zoo = [["elephant", "grey"]] * 20 + [["rabbit", "white"]] * 20 + [["elephant", "white"]]
    >>> found = exact_pid_score(zoo, rows=[40])
    >>> print(found.cubes[0])
    x0 = elephant and x1 = white: only 1 of 41 rows (25 % of the space, 3.4 bits)
    """
    frame = read(X)
    numbers = list(range(frame.rows.n_rows)) if rows is None else [int(row) for row in rows]
    if rows is not None and (not numbers or min(numbers) < 0):
        raise ValueError(f"rows must be numbers between 0 and {frame.rows.n_rows - 1}; got {numbers}.")
    with Shown(verbose) as on_progress:
        return ExactScores(*_core.exact(frame.rows, schema_text(schema), numbers, ends, seconds, threads_of(n_jobs), on_progress))
