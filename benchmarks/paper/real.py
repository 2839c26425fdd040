# SPDX-License-Identifier: Apache-2.0
"""The part of the page on the paper's twelve data sets: tables 1, 2 and 3, how we compare, and the speed."""

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean
from typing import NamedTuple

import published
from algorithms import PRESETS, RIVALS, TODAY
from experiments import NOISY, SHINGLE, TWELVE, real_set
from markdown import listed, picture, table
from results import Best, Results, best_of, is_tie, level_with_best, spread

OURS = tuple(PRESETS)
OF_THE_PAPER = tuple(RIVALS)
FIGURES = {"auc": "AUC", "precision": "average precision"}


def error_of_auc(area: float, anomalies: int, normal: int) -> float:
    """Return the standard error of an AUC that is due to the sampling of rows (Hanley and McNeil 1982)."""
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    both = area * (1 - area) + (anomalies - 1) * (first - area**2) + (normal - 1) * (second - area**2)
    return sqrt(both / (anomalies * normal))


def table_1(names: list[str]) -> list[str]:
    rows = []
    for name in names:
        labels = real_set(name).labels
        n, d = real_set(name).rows.shape
        error = error_of_auc(0.9, labels.sum(), n - labels.sum())
        cells = (
            f"{mine} ({paper})" if mine != paper else mine
            for mine, paper in zip((n, d, labels.sum()), published.SETS[name])
        )
        rows.append([name, *cells, f"{100 * labels.mean():.2f} %", f"{error:.3f}"])
    head = ["data set", "rows", "columns", "outliers", "share", "standard error of an AUC of 0.9"]
    return [
        "",
        "## Table 1: the data",
        "",
        f"The paper's figure is in brackets where it differs. Series are cut into windows of {SHINGLE}, which take",
        "the label of their first point, so they have a few rows less than points. The last column is the standard error of",
        "an AUC that comes from the small number of outliers (Hanley and McNeil); it is",
        "shared by all detectors and is not part of the deviations below.",
        *table(head, rows),
    ]


def cell(results: Results, experiment: str, name: str, who: str, figure: str, level: list[str]) -> str:
    text = spread(results.values(experiment, name, who, figure))
    text = f"**{text}**" if who in level and text else text
    column = "PIDForest" if who == "authors" else who
    if figure == "auc" and text and column in published.COLUMNS:
        text += f" ({published.AUC[name][published.COLUMNS.index(column)]:.3f})"
    return text


def figures_table(
    results: Results, experiment: str, names: list[str], who: list[str], figure: str, averaged: Iterable[str] = TWELVE
) -> list[str]:
    """In bold: the best of the row among `who`, up to chance. Means come last, if all sets of `averaged` are there."""
    rows = []
    for name in names:
        found = {one: results.values(experiment, name, one, figure) for one in who}
        level = level_with_best({one: values for one, values in found.items() if values})
        rows.append([name, *(cell(results, experiment, name, one, figure, level) for one in who)])
    if set(names) == set(averaged):
        means = [[results.mean(experiment, name, one, figure) for name in names] for one in who]
        rows.append(["mean", *(f"{fmean(mean):.3f}" if None not in mean else "" for mean in means)])
    return table(["data set", *who], rows)


def table_2(results: Results, names: list[str]) -> list[str]:
    ours = results.algorithms("table 2", (*OURS, *OF_THE_PAPER))
    today = results.algorithms("table 2", TODAY)
    return [
        "",
        "## Table 2: AUC",
        "",
        "Mean and standard deviation over the seeds; methods without one draw nothing at random. In brackets: the",
        "figure of the paper. In bold: the best of the row, and all that are within two standard errors of the",
        "difference to it. The SVM cannot be fitted on http in reasonable time: see the last section.",
        *figures_table(results, "table 2", names, ours, "auc"),
        "",
        "Newer detectors on these rows: the SVM with the `gamma` that is now scikit-learn's default, isotree, and",
        "three detectors of PyOD. Bold type is used as above, among all detectors of this table.",
        *figures_table(results, "table 2", names, ["default", *today], "auc"),
        "",
        "Average precision, which judges only the top of the ranking; the paper does not report it.",
        *figures_table(results, "table 2", names, [*ours, *today], "precision"),
        *picture("roc", "ROC curves of the twelve data sets"),
    ]


def table_3(results: Results) -> list[str]:
    names = results.data("table 3", NOISY)
    if not names:
        return []
    who = results.algorithms("table 3", (*OURS, *OF_THE_PAPER, *TODAY))
    return [
        "",
        "## Table 3: AUC with 50 columns of noise",
        "",
        "Uniform on [0, 1]. The noise is drawn again, so rivals that draw nothing at random differ from the paper too.",
        *figures_table(results, "table 3", names, who, "auc"),
    ]


class Verdict(NamedTuple):
    word: str
    gap: float
    best: Best  # of the rivals


def verdict(results: Results, name: str, who: str, rivals: Sequence[str], figure: str) -> Verdict | None:
    """Compare `who` with the best of the rivals on one of the twelve sets; None if that is not possible."""
    found = {rival: results.values("table 2", name, rival, figure) for rival in rivals}
    found = {rival: values for rival, values in found.items() if values}
    ours = results.values("table 2", name, who, figure)
    if not ours or not found:
        return None
    best = best_of(found)
    gap = fmean(ours) - fmean(best.values)
    return Verdict("ties" if is_tie(ours, best.values) else "wins" if gap > 0 else "loses", gap, best)


def verdicts(results: Results, who: str, rivals: Sequence[str], figure: str) -> dict[str, Verdict]:
    every = {name: verdict(results, name, who, rivals, figure) for name in results.data("table 2", TWELVE)}
    return {name: one for name, one in every.items() if one}


def count_words(found: dict[str, Verdict], words: Sequence[str] = ("wins", "ties", "loses")) -> list[int]:
    return [sum(one.word == word for one in found.values()) for word in words]


def summary(results: Results, who: str, rivals: Sequence[str], figure: str) -> str:
    found = verdicts(results, who, rivals, figure)
    wins, ties, losses = count_words(found)
    worst = sorted((name for name, one in found.items() if one.word == "loses"), key=lambda name: found[name].gap)
    lost = listed([f"{name} ({found[name].gap:+.3f} to {found[name].best.name})" for name in worst])
    return f"- `{who}` by {FIGURES[figure]}: wins on {wins}, ties on {ties}, loses on {losses} of {len(found)}. Lost: {lost}."


def verdict_table(results: Results, figure: str) -> list[str]:
    rows = []
    for name in results.data("table 2", TWELVE):
        found = [verdict(results, name, who, OF_THE_PAPER, figure) for who in OURS]
        best = next((one.best for one in found if one), None)
        if best:
            cells = (f"{one.word} {one.gap:+.3f}" if one else "" for one in found)
            rows.append([name, f"{best.name} {spread(best.values)}", *cells])
    return table(["data set", f"best rival, {FIGURES[figure]}", *OURS], rows)


def one_by_one(results: Results) -> list[str]:
    rows = []
    for rival in results.algorithms("table 2", (*OURS[1:], *OF_THE_PAPER, *TODAY)):
        counts = (count_words(verdicts(results, "default", (rival,), figure)) for figure in FIGURES)
        rows.append([rival, *(" / ".join(map(str, one)) for one in counts)])
    return table(["rival", *(f"{words}: wins / ties / losses" for words in FIGURES.values())], rows)


def comparison(results: Results) -> list[str]:
    return [
        "",
        "## Where we win, tie and lose",
        "",
        "Each preset is compared with the best of the paper's six rivals on each set. The best",
        "rival differs from set to set, so nobody could have chosen it beforehand. A tie is a difference of at most two of its standard errors",
        "over the seeds.",
        "",
        *(summary(results, who, OF_THE_PAPER, figure) for figure in FIGURES for who in OURS),
        *(line for figure in FIGURES for line in verdict_table(results, figure)),
        "",
        "With newer detectors among the rivals, eleven in all:",
        "",
        *(summary(results, "default", (*OF_THE_PAPER, *TODAY), figure) for figure in FIGURES),
        "",
        "`default` against each rival, so that no rival is picked afterwards:",
        *one_by_one(results),
    ]


def seconds(results: Results, name: str, who: str) -> str:
    fits = results.values("table 2", name, who, "fit_seconds")
    scores = [one for one in results.values("table 2", name, who, "score_seconds") if one is not None]
    if not fits:
        return ""
    return f"{fmean(fits):.3g}" + (f" + {fmean(scores):.3g}" if scores else "")


def all_seconds(results: Results, names: list[str], who: str) -> str:
    """Return the time of fit and score on all sets; empty if one is missing."""
    runs = [[results.values("table 2", name, who, key) for key in ("fit_seconds", "score_seconds")] for name in names]
    if not all(fits for fits, _ in runs):
        return ""
    return f"{sum(fmean(fits) + fmean(one or 0 for one in scores) for fits, scores in runs):.3g}"


def speed(results: Results, names: list[str]) -> list[str]:
    who = results.algorithms("table 2", (*OURS, *OF_THE_PAPER, *TODAY))
    rows = [[name, *(seconds(results, name, one) for one in who)] for name in names]
    rows.append(["all of them", *(all_seconds(results, names, one) for one in who)])
    return [
        "",
        "## Speed",
        "",
        "CPU seconds of one thread: fit + score, means over the seeds; one number where the library scores while",
        "it fits. All of the tasks of table 2, by the same program on the same machine, which had other work too;",
        "[speed.md](speed.md) measures speed alone. RRCF is pure Python.",
        *table(["data set", *who], rows),
    ]
