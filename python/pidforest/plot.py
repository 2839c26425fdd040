# SPDX-License-Identifier: Apache-2.0
"""Pictures of scores, reasons and columns. Each function draws with matplotlib, which is imported when it is called.

>>> import numpy as np
>>> from pidforest import PIDForest, plot
>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(1000, 3))
>>> X[7, 1] = 9.0
>>> axes = plot.anomalies(PIDForest().fit(X), X)
>>> axes.get_ylabel()
'bits'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .estimator import PIDForest
from .explanations import Explanation
from .series import Shingles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACCENT, SOFT, BAR, TINT = "#b83a06", "#535c66", "#8390a0", "#f6d9c9"
"""The colours of the report."""
MOST_COLUMNS = 12
"""How many columns are drawn one by one; the others are drawn as one bar."""


def anomalies(forest: PIDForest, X: Any, *, time: Any = None, min_bits: float | None = None, ax: Axes | None = None) -> Axes:
    """The score of each row in bits, with the threshold; anomalies are marked.

    Parameters
    ----------
    forest : PIDForest
        Fitted.
    X : array, data frame or Shingles
        A table with the columns of the fit. For windows of series, the score of each sample is that of the window that ends with it.
    time : array, optional
        What the rows are drawn over, one value per row; without it, their places from 0.
    min_bits : float, optional
        Rows with at least this many bits are anomalies; without it, those above the threshold of the forest.
    ax : matplotlib Axes, optional
        Where to draw; without it, in a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from pidforest import PIDForest, plot
    >>> X = [[float(i % 10)] for i in range(700)] + [[60.0]]
    >>> plot.anomalies(PIDForest().fit(X), X).get_title(loc="left")
    '1 anomaly among 701 rows'
    """
    bits, flags = _bits_and_flags(forest, X, min_bits)
    places = np.arange(len(bits)) if time is None else np.asarray(time)
    if len(places) != len(bits):
        raise ValueError(f"time must have one value per row, {len(bits)}; got {len(places)}.")
    ax = _axes(ax)
    ax.plot(places[~flags], bits[~flags], ".", color=BAR, markersize=3, alpha=0.6, rasterized=len(bits) > 20_000)
    ax.plot(places[flags], bits[flags], "o", color=ACCENT, markersize=5)
    limit = forest._fitted().threshold if min_bits is None else min_bits
    if limit is not None:
        ax.axhline(limit, color=SOFT, linewidth=1, linestyle="--")
        ax.annotate(f"threshold {limit:.2f}", (1, limit), xycoords=("axes fraction", "data"), ha="right", va="bottom", color=SOFT)
    ax.set_xlabel("row" if time is None else "time")
    ax.set_ylabel("bits")
    n = int(flags.sum())
    ax.set_title(f"{n} {'anomaly' if n == 1 else 'anomalies'} among {len(bits):,} rows", loc="left")
    return ax


def columns(forest: PIDForest, X: Any, *, min_bits: float | None = None, ax: Axes | None = None) -> Axes:
    """How many bits each column gives the anomalies of X, in the mean: `PIDForest.column_importances` as bars.

    Parameters
    ----------
    forest : PIDForest
        Fitted.
    X : array or data frame
        A table with the columns of the fit.
    min_bits : float, optional
        Rows with at least this many bits are anomalies; without it, those above the threshold of the forest.
    ax : matplotlib Axes, optional
        Where to draw; without it, in a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from pidforest import PIDForest, plot
    >>> X = [[float(i % 10), float(i % 7)] for i in range(700)] + [[5.0, 60.0]]
    >>> [label.get_text() for label in plot.columns(PIDForest().fit(X), X).get_yticklabels()]
    ['x0', 'x1']
    """
    names = forest._fitted().columns
    mean_bits = forest.column_importances(X, min_bits=min_bits)
    return _bars(dict(zip(names, mean_bits.tolist())), "bits that a column gives an anomaly, mean", _axes(ax))


def explanation(e: Explanation, X: Any = None, *, fig: Figure | None = None) -> Figure:
    """One row: the bits of its columns, and the conditions of its reason over the distributions of their columns.

    Parameters
    ----------
    e : Explanation
        One of those that `PIDForest.explain` gives.
    X : array or data frame, optional
        The table that was explained. Without it, the bits alone are drawn. If the reason has two conditions on numbers, both columns
        are drawn together with the cube.
    fig : matplotlib Figure, optional
        Where to draw; without it, a new figure.

    Returns
    -------
    matplotlib Figure

    Examples
    --------
    >>> import numpy as np
    >>> from pidforest import PIDForest, plot
    >>> X = np.array([[float(i % 10), float(i % 7)] for i in range(700)] + [[5.0, 60.0]])
    >>> figure = plot.explanation(PIDForest().fit(X).explain(X)[700], X)
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['bits', 'x1']
    """
    names = list(e.column_bits)
    shown = [] if X is None else [c for c in e.conditions if "derivation" not in c and c.get("missing") is None][:3]
    as_pair = len(shown) == 2 and all("in" not in condition for condition in shown)
    n_panels = 1 + (1 if as_pair else len(shown))
    fig = _figure(fig, width=4.2 * n_panels)
    panels = fig.subplots(1, n_panels, squeeze=False)[0]
    _bars({name: e.column_bits[name] for name in names}, "bits", panels[0])
    panels[0].set_title(f"row {e.row}: {e.score:.2f} bits", loc="left")
    if as_pair:
        _draw_pair(panels[1], shown, [_values(X, c["column"], e) for c in shown], e.row)
    else:
        for panel, condition in zip(panels[1:], shown):
            _draw_condition(panel, condition, _values(X, condition["column"], e), e.row)
    fig.suptitle(e.text, x=0.01, ha="left", fontsize="medium", wrap=True)
    return fig


def series(
    forest: PIDForest, X: Any, metrics: Any = None, *, time: Any = None, min_bits: float | None = None, fig: Figure | None = None
) -> Figure:
    """Scores and metrics over time, with the anomalies shaded.

    Parameters
    ----------
    forest : PIDForest
        Fitted.
    X : array, data frame or Shingles
        A table with the columns of the fit, or windows of series.
    metrics : data frame or dict, optional
        The numbers to draw, one value per row or sample; without it, the columns of X that are numbers. Windows need it.
    time : array, optional
        The times of the rows or samples; without them, their places from 0.
    min_bits : float, optional
        Rows with at least this many bits are anomalies; without it, those above the threshold of the forest.
    fig : matplotlib Figure, optional
        Where to draw; without it, a new figure.

    Returns
    -------
    matplotlib Figure

    Examples
    --------
    >>> import numpy as np
    >>> from pidforest import PIDForest, Shingles, plot
    >>> load = np.sin(np.arange(2000) * 0.1)
    >>> load[1200] = -load[1200]
    >>> windows = Shingles(load.reshape(-1, 1), window=3)
    >>> figure = plot.series(PIDForest().fit(windows), windows, {"load": load})
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['bits', 'load']
    """
    bits, flags = _bits_and_flags(forest, X, min_bits)
    if metrics is None and isinstance(X, Shingles):
        raise ValueError("metrics must name what to draw, because windows keep no columns of their own: plot.series(forest, windows, df).")
    drawn = _numbers(X if metrics is None else metrics)
    for name, values in drawn.items():
        if len(values) != len(bits):
            raise ValueError(f"metrics must have one value per row, {len(bits)}; '{name}' has {len(values)}.")
    places = np.arange(len(bits)) if time is None else np.asarray(time)
    if len(places) != len(bits):
        raise ValueError(f"time must have one value per row, {len(bits)}; got {len(places)}.")
    fig = _figure(fig, width=9, height=1.6 * (1 + len(drawn)))
    panels = fig.subplots(1 + len(drawn), 1, sharex=True, squeeze=False)[:, 0]
    panels[0].plot(places, bits, color=SOFT, linewidth=0.8)
    limit = forest._fitted().threshold if min_bits is None else min_bits
    if limit is not None:
        panels[0].axhline(limit, color=SOFT, linewidth=1, linestyle="--")
    panels[0].set_ylabel("bits")
    for panel, (name, values) in zip(panels[1:], drawn.items()):
        panel.plot(places, values, color=SOFT, linewidth=0.8)
        panel.plot(places[flags], values[flags], "o", color=ACCENT, markersize=3)
        panel.set_ylabel(name)
    for begin, end in _runs(flags):
        for panel in panels:
            panel.axvspan(places[begin], places[end], color=TINT, linewidth=1, zorder=0)
    panels[-1].set_xlabel("row" if time is None else "time")
    return fig


def _axes(ax: Axes | None) -> Axes:
    return ax if ax is not None else _figure(None, width=7).subplots()


def _figure(fig: Figure | None, *, width: float, height: float = 4.0) -> Figure:
    if fig is not None:
        return fig
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("pidforest.plot draws with matplotlib, which is not installed: pip install matplotlib.") from error
    return plt.figure(figsize=(width, height), layout="constrained")


def _bits_and_flags(forest: PIDForest, X: Any, min_bits: float | None) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The bits of rows, or of the samples of windows, and which of them are anomalies. Samples without a window have NaN."""
    bits = forest.bits(X)
    found = forest._flags(bits, min_bits)
    flags = np.zeros(len(bits), dtype=bool) if found is None else found
    if not isinstance(X, Shingles):
        return bits, flags
    windows = X.windows_of_samples(-bits)
    known = windows >= 0
    return np.where(known, bits[windows], np.nan), known & flags[windows]


def _values(X: Any, name: str, e: Explanation) -> np.ndarray[Any, Any]:
    """A column of the table that was explained."""
    if isinstance(X, np.ndarray):
        return X[:, e._explanations.columns.index(name)]
    try:
        return np.asarray(X[name])
    except (KeyError, TypeError, IndexError) as error:
        raise TypeError(f"X must be an array or a data frame with the column '{name}'; got {type(X).__name__}.") from error


def _numbers(table: Any) -> dict[str, np.ndarray[Any, Any]]:
    """The columns of a table that are numbers."""
    if isinstance(table, np.ndarray):
        return {f"x{i}": column for i, column in enumerate(np.atleast_2d(table.T))}
    arrays = {str(name): np.asarray(table[name]) for name in (table.keys() if isinstance(table, dict) else table.columns)}
    return {name: values for name, values in arrays.items() if values.dtype.kind in "fiu"}


def _runs(flags: np.ndarray[Any, Any]) -> list[tuple[int, int]]:
    """The first and the last place of each run of anomalies."""
    steps = np.diff(np.concatenate([[0], flags.astype(np.int8), [0]]))
    return list(zip(np.flatnonzero(steps == 1).tolist(), (np.flatnonzero(steps == -1) - 1).tolist()))


def _bars(bits: dict[str, float], label: str, ax: Axes) -> Axes:
    """Bars of bits, the largest on top; the columns with the fewest together."""
    ordered = sorted(bits.items(), key=lambda item: item[1])
    if len(ordered) > MOST_COLUMNS:
        rest = ordered[: len(ordered) - MOST_COLUMNS + 1]
        ordered = [(f"{len(rest)} other columns", sum(value for _, value in rest)), *ordered[len(rest) :]]
    values = [value for _, value in ordered]
    ax.barh(range(len(ordered)), values, color=[ACCENT if value == max(values) and value > 0 else BAR for value in values])
    ax.set_yticks(range(len(ordered)), [name for name, _ in ordered])
    ax.axvline(0, color=SOFT, linewidth=0.8)
    ax.set_xlabel(label)
    return ax


def _draw_condition(ax: Axes, condition: dict[str, Any], values: np.ndarray[Any, Any], row: int) -> None:
    """The distribution of a column on a logarithmic scale of rows, with the condition shaded and the row marked."""
    if "in" in condition:
        levels, counts = np.unique(values.astype(str), return_counts=True)
        order = np.argsort(-counts)[:MOST_COLUMNS]
        inside = {str(level) for level in condition["in"]}
        ax.bar(levels[order], counts[order], color=[ACCENT if level in inside else BAR for level in levels[order]])
        ax.tick_params(axis="x", rotation=45)
    else:
        numbers = values.astype(float)
        finite = numbers[np.isfinite(numbers)]
        ax.hist(finite, bins=60, color=BAR)
        ax.axvspan(*_bounds(condition, finite), color=TINT, zorder=0)
        ax.axvline(numbers[row], color=ACCENT, linewidth=1.5)
    ax.set_yscale("log")
    ax.set_xlabel(condition["column"])
    ax.set_ylabel("rows")


def _draw_pair(ax: Axes, conditions: list[dict[str, Any]], values: list[np.ndarray[Any, Any]], row: int) -> None:
    """Two columns of numbers, with the cube of two conditions."""
    from matplotlib.patches import Rectangle

    x, y = (column.astype(float) for column in values)
    (left, right), (bottom, top) = (_bounds(c, v[np.isfinite(v)]) for c, v in zip(conditions, (x, y)))
    ax.plot(x, y, ".", color=BAR, markersize=3, alpha=0.6, rasterized=len(x) > 20_000)
    ax.add_patch(Rectangle((left, bottom), right - left, top - bottom, facecolor=TINT, edgecolor=ACCENT, zorder=0))
    ax.plot(x[row], y[row], "o", color=ACCENT)
    ax.set_xlabel(conditions[0]["column"])
    ax.set_ylabel(conditions[1]["column"])


def _bounds(condition: dict[str, Any], values: np.ndarray[Any, Any]) -> tuple[float, float]:
    """The ends of a condition on numbers; an open end lies at the end of the values."""
    return float(condition.get("at_least", values.min())), float(condition.get("below", values.max()))
