# SPDX-License-Identifier: Apache-2.0
"""The plots of the page, as SVG files that are reproducible from the results."""

from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("svg")

import matplotlib.pyplot as plt
import published
from agreement import COMPARED, PRESET_TOLERANCE, RIVAL_TOLERANCE
from experiments import HYPER, NOISES, NOISY, NOISY_COLUMNS, SAMPLES, TWELVE, mixture_name
from judges import FALSE_POSITIVE_RATES
from made_up import MASKING_WHO, MIXTURE_WHO, SERIES_WHO
from results import Results

# Okabe and Ito's colours, which colour-blind people can distinguish; lines and markers differ as well.
STYLES = {
    "default": {"color": "#D55E00", "linewidth": 2.4, "marker": "o"},
    "authors": {"color": "#0072B2", "linewidth": 2.4, "marker": "s"},
    "paper": {"color": "#56B4E9", "linewidth": 1.8, "marker": "D"},
    "iForest": {"color": "#000000", "linestyle": "--", "marker": "^"},
    "iForest 100x256": {"color": "#000000", "linestyle": ":", "marker": "v"},
    "RRCF": {"color": "#009E73", "linestyle": "--", "marker": "P"},
    "LOF": {"color": "#E69F00", "linestyle": "-.", "marker": "X"},
    "SVM": {"color": "#CC79A7", "linestyle": "-.", "marker": "<"},
    "kNN": {"color": "#666666", "linestyle": (0, (5, 1)), "marker": ">"},
    "PCA": {"color": "#9A8700", "linestyle": ":", "marker": "*"},
    "EM": {"color": "#7A4B1E", "linestyle": (0, (3, 1, 1, 1)), "marker": "d"},
}
ROC_WHO = ("default", "authors", "paper", "iForest", "RRCF", "LOF", "SVM", "kNN", "PCA")


def style(who: str, with_marker: bool = True) -> dict:
    chosen = {"linewidth": 1.4, "markersize": 5} | STYLES[who]
    return chosen if with_marker else chosen | {"marker": ""}


def finish(axes, title: str | None, x: str | None, y: str) -> None:
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)


def legend_below(figure, panels, columns: int) -> None:
    """Use the legend of the panel with the most lines."""
    handles, labels = max((axes.get_legend_handles_labels() for axes in panels), key=lambda one: len(one[0]))
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False, handlelength=3.2)


def save(figure, folder: Path, name: str) -> None:
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


def roc(results: Results, folder: Path) -> None:
    figure, panels = plt.subplots(4, 3, figsize=(10, 13.5), layout="constrained")
    for axes, name in zip(panels.flat, TWELVE):
        for order, who in enumerate(ROC_WHO):
            curve = results.curve("table 2", name, who, "roc")
            if curve is not None:
                # The first ones are drawn last, so that ours stay visible where all run along the edge.
                axes.plot(FALSE_POSITIVE_RATES, curve, label=who, zorder=20 - order, **style(who, with_marker=False))
        finish(axes, name, "false positive rate", "true positive rate")
        axes.set_xlim(-0.03, 1.03)
        axes.set_ylim(-0.03, 1.03)
        axes.set_visible(axes.has_data())
    legend_below(figure, panels.flat, len(ROC_WHO))
    save(figure, folder, "roc")


def agreement(results: Results, folder: Path) -> None:
    """Plot the distance of every algorithm from the paper, by data set."""
    experiments = {name: "table 3" if name in NOISY else "table 2" for name in (*TWELVE, *NOISY)}
    names = [name for name, experiment in experiments.items() if results.data(experiment, [name])]
    figure, axes = plt.subplots(figsize=(10, 5), layout="constrained")
    axes.axhspan(-RIVAL_TOLERANCE, RIVAL_TOLERANCE, color="#EEEEEE", zorder=0)
    axes.axhspan(-PRESET_TOLERANCE, PRESET_TOLERANCE, color="#DDDDDD", zorder=0)
    axes.axhline(0, color="#999999", linewidth=1, zorder=1)
    for place, who in enumerate(COMPARED):
        points = []
        for x, name in enumerate(names):
            mean = results.mean(experiments[name], name, who, "auc")
            if mean is not None:
                points.append((x + 0.1 * (place - len(COMPARED) // 2), mean - published.AUC[name][place]))
        if points:
            axes.plot(*zip(*points), label=who, **style(who) | {"linestyle": "", "markersize": 6})
    finish(axes, None, None, "AUC here minus AUC in the paper")
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_xlim(-0.6, len(names) - 0.4)
    lowest, highest = axes.get_ylim()
    axes.set_ylim(min(lowest, -1.3 * RIVAL_TOLERANCE), max(highest, 1.3 * RIVAL_TOLERANCE))
    legend_below(figure, [axes], len(COMPARED))
    save(figure, folder, "agreement")


def masking(results: Results, folder: Path) -> None:
    figure, axes = plt.subplots(figsize=(7, 4.6), layout="constrained")
    for width, who in zip((6, 3.5, 1.5, 1.5), MASKING_WHO):  # so that equal lines are all visible
        found = [(m, results.mean("masking", "zeros", f"{who} max_samples={m}", "found")) for m in SAMPLES]
        found = [point for point in found if point[1] is not None]
        if found:
            axes.plot(*zip(*found), label=who, **style(who) | {"linewidth": width, "markersize": 3 + 1.5 * width})
    look = {"color": "#999999", "linestyle": "--", "marker": "^", "markersize": 4, "linewidth": 1}
    axes.plot(SAMPLES, published.MASKING_IFOREST, label="iForest, notebook", **look)
    finish(axes, "30 masked outliers among 1000 rows", "rows per tree (max_samples)", "share of them in the top 5 %")
    axes.set_ylim(-0.05, 1.1)
    legend_below(figure, [axes], 5)
    save(figure, folder, "masking")


def mixture(results: Results, folder: Path) -> None:
    figure, panels = plt.subplots(1, len(NOISES), figsize=(11, 5.6), sharey=True, layout="constrained")
    for axes, noise in zip(panels, NOISES):
        for who in MIXTURE_WHO:
            found = [(n, results.mean("mixture", mixture_name(noise, n), who, "found")) for n in NOISY_COLUMNS]
            found = [(n, 100 * share) for n, share in found if share is not None]
            if found:
                axes.plot(*zip(*found), label=who, **style(who))
        finish(axes, f"noise in [-{noise}, {noise}]", "columns of noise", "found of the 100 rarest, in the top 100")
        axes.set_xticks(range(0, len(NOISY_COLUMNS), 2))
        axes.set_ylim(0, 100)
    panels[1].set_ylabel("")
    legend_below(figure, panels, 6)
    save(figure, folder, "mixture")


def series(results: Results, folder: Path) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5.6), layout="constrained")
    for order, who in enumerate(SERIES_WHO):
        curve = results.curve("series", "sine", who, "roc")
        if curve is None:
            continue
        left.plot(FALSE_POSITIVE_RATES, curve, label=who, zorder=20 - order, **style(who, with_marker=False))
        precision, recall = (results.curve("series", "sine", who, f"reported_{one}") for one in ("precision", "recall"))
        right.plot(recall, precision, zorder=20 - order, **style(who))
    finish(left, "windows that touch a flat stretch", "false positive rate", "true positive rate")
    finish(
        right,
        "0.5 % to 6.5 % of the windows reported",
        "recall of the ten stretches",
        "precision of the reported windows",
    )
    right.set_xlim(0, 1.02)
    right.set_ylim(0, 1.03)
    legend_below(figure, [left], 5)
    save(figure, folder, "series")


def hyper(results: Results, folder: Path) -> None:
    figure, panels = plt.subplots(2, 2, figsize=(10, 7.4), sharey=True, layout="constrained")
    for axes, (option, values) in zip(panels.flat, HYPER.items()):
        for preset in ("authors", "default"):
            found = [(value, results.values("hyper", "sine", f"{preset} {option}={value}", "auc")) for value in values]
            found = [(value, np.mean(one), np.std(one)) for value, one in found if one]
            if found:
                x, mean, deviation = (np.array(one) for one in zip(*found))
                axes.errorbar(x, mean, deviation, capsize=3, elinewidth=1, label=preset, **style(preset))
        finish(axes, None, option, "AUC of the windows")
        if option in ("max_samples", "n_estimators"):
            axes.set_xscale("log")
            axes.set_xticks(values, [str(value) for value in values])
            axes.minorticks_off()
        else:
            axes.set_xticks(values)
    legend_below(figure, panels.flat, 2)
    save(figure, folder, "hyper")


DRAWN = {
    "table 2": (roc, agreement),
    "masking": (masking,),
    "mixture": (mixture,),
    "series": (series,),
    "hyper": (hyper,),
}


def draw_all(results: Results, folder: Path) -> None:
    # The salt makes the identifiers inside the files reproducible.
    with plt.rc_context({"svg.hashsalt": "pidforest", "font.size": 9, "axes.labelsize": 9}):
        for experiment, pictures in DRAWN.items():
            if results.has(experiment):
                for draw in pictures:
                    draw(results, folder)
