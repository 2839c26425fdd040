# SPDX-License-Identifier: Apache-2.0
"""The part of the page on generated data: masking, mixtures, the sine, and the hyperparameters."""

from statistics import fmean

import numpy as np
import published
from experiments import HYPER, MASKING, MIXTURE, NOISES, NOISY_COLUMNS, SAMPLES, SERIES, mixture_name
from judges import REPORTED_SHARES
from markdown import listed, picture, table
from results import Results, best_of, level_with_best, spread

MASKING_WHO = ("default", "authors", "paper", "iForest")
MIXTURE_WHO = ("default", "authors", "paper", "iForest", "iForest 100x256", "EM", "LOF", "RRCF", "SVM", "kNN", "PCA")
SHOWN_COLUMNS = (0, 1, 2, 4, 6, 8, 10, 12, 15, 19)
SERIES_WHO = ("default", "authors", "paper", "iForest", "iForest 100x256", "RRCF", "LOF", "SVM", "kNN", "PCA")
SHOWN_SHARES = (0.01, 0.02, 0.04, 0.06)


def options_in_words(options: dict) -> str:
    return ", ".join(f"`{name}` {value}" for name, value in options.items())


def masking_cell(results: Results, who: str, samples: int) -> str:
    found = results.mean("masking", "zeros", f"{who} max_samples={samples}", "found")
    return "" if found is None else f"{found:.2f}"


def masking(results: Results) -> list[str]:
    if not results.has("masking"):
        return []
    paper = dict(zip(SAMPLES, published.MASKING_IFOREST))
    rows = [[m, *(masking_cell(results, who, m) for who in MASKING_WHO), "1.0", f"{paper[m]:.1f}"] for m in SAMPLES]
    head = ["max_samples", *MASKING_WHO, "PIDForest in the notebook", "iForest in the notebook"]
    return [
        "",
        "## Masking",
        "",
        "970 random rows of {-1, 1}^10 and 30 rows of zeros: which share of the zeros is in the top 5 %? Means",
        "over the seeds, each of which draws other rows. `authors` with the settings of the notebook",
        f"({options_in_words(MASKING)}); iForest with 20 trees.",
        *table(head, rows),
        *picture("masking", "Share of the masked outliers found, by sample size"),
        "",
        "Zeros mask each other: a large sample holds several of them, and isolating them takes as many cuts as any",
        "other row. Their cube stays sparse in every sample. The notebook has one draw of the rows.",
    ]


def mixture_cell(results: Results, noise: int, columns: int, who: str) -> str:
    found = results.mean("mixture", mixture_name(noise, columns), who, "found")
    if found is None:
        return ""
    stored = f" ({published.MIXTURE[who][columns]})" if noise == 2 and who in published.MIXTURE else ""
    return f"{100 * found:.0f}{stored}"


def in_short(numbers: list[int]) -> str:
    is_run = len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1
    return f"{numbers[0]} to {numbers[-1]}" if is_run else ", ".join(map(str, numbers))


def best_by_columns(results: Results, noise: int) -> str:
    """Return the algorithm with the highest mean for each number of noise columns."""
    best: dict[str, list[int]] = {}
    for columns in NOISY_COLUMNS:
        name = mixture_name(noise, columns)
        found = {who: results.values("mixture", name, who, "found") for who in MIXTURE_WHO}
        found = {who: values for who, values in found.items() if values}
        if found:
            best.setdefault(best_of(found).name, []).append(columns)
    return "; ".join(f"{who} with {in_short(columns)}" for who, columns in best.items())


def mixture_table(results: Results, noise: int) -> list[str]:
    run = results.data("mixture", [mixture_name(noise, columns) for columns in SHOWN_COLUMNS])
    rows = [
        [columns, *(mixture_cell(results, noise, columns, who) for who in MIXTURE_WHO)]
        for columns in SHOWN_COLUMNS
        if mixture_name(noise, columns) in run
    ]
    if not rows:
        return []
    return [
        "",
        f"Noise in [-{noise}, {noise}]:",
        *table(["noisy columns", *MIXTURE_WHO], rows),
    ]


def against_the_paper(results: Results) -> list[str]:
    """Compare the paper's statements about mixtures with our results."""
    found = {
        (noise, columns, who): results.mean("mixture", mixture_name(noise, columns), who, "found")
        for noise in NOISES
        for columns in NOISY_COLUMNS
        for who in MIXTURE_WHO
    }
    found = {key: 100 * share for key, share in found.items() if share is not None}
    isolated = [share for (_, columns, who), share in found.items() if who == "iForest" and columns >= 6]
    most = max((columns for noise, columns, _ in found if noise == NOISES[-1]), default=None)
    if most is None or not isolated:
        return []
    last = {who: share for (noise, columns, who), share in found.items() if (noise, columns) == (NOISES[-1], most)}
    ranked = [f"{who} {last[who]:.0f}" for who in sorted(last, key=last.get, reverse=True)]
    return [
        "",
        f"- Paper: iForest is no better than chance from 6 columns of noise on. Here it finds {min(isolated):.0f}",
        f"  to {max(isolated):.0f}; chance is 10.",
        f"- Paper: EM is best with at most 2. Here, noise in [-2, 2]: {best_by_columns(results, 2)}.",
        f"- Paper: in [-10, 10] all but PIDForest and iForest collapse. Here, with {most} columns:",
        f"  {', '.join(ranked)}.",
    ]


def mixtures(results: Results) -> list[str]:
    if not results.has("mixture"):
        return []
    return [
        "",
        "## Mixtures of Gaussians",
        "",
        "1000 points of two Gaussians in the plane (variances 1 and 2 along random axes) and columns of uniform",
        "noise. How many of the 100 points of least likelihood are in the top 100? Means over the seeds, each of",
        f"which draws other rows. `authors` with the settings of the notebook ({options_in_words(MIXTURE)}),",
        "iForest too (20 trees of 100 rows) and once with its defaults; LOF with 10 neighbours. In brackets: the",
        "single run that the authors' notebook has stored, which has noise in 100 steps and other covariances than",
        "the text says; there is none for [-10, 10].",
        *(line for noise in NOISES for line in mixture_table(results, noise)),
        *picture("mixture", "How many of the 100 rarest points are found, by number of noisy columns"),
        *against_the_paper(results),
    ]


def reported(results: Results, who: str, share: float) -> str:
    """Return precision / recall, and those of the notebook."""
    at = int(np.argmin(abs(REPORTED_SHARES - share)))
    curves = [results.curve("series", "sine", who, f"reported_{figure}") for figure in ("precision", "recall")]
    if curves[0] is None:
        return ""
    stored = published.SERIES.get(who, {}).get(share)
    text = " / ".join(f"{curve[at]:.2f}" for curve in curves)
    return text + (f" ({stored[0]:.2f} / {stored[1]:.2f})" if stored else "")


def best_on_series(results: Results, figure: str) -> str:
    found = {who: results.values("series", "sine", who, figure) for who in results.algorithms("series", SERIES_WHO)}
    return listed(sorted(level_with_best(found), key=lambda who: -fmean(found[who])))


def series(results: Results) -> list[str]:
    if not results.has("series"):
        return []
    rows = []
    for who in results.algorithms("series", SERIES_WHO):
        figures = [spread(results.values("series", "sine", who, figure)) for figure in ("auc", "precision")]
        rows.append([who, *figures, *(reported(results, who, share) for share in SHOWN_SHARES)])
    head = ["who", "AUC", "average precision", *(f"{100 * share:.0f} % reported" for share in SHOWN_SHARES)]
    return [
        "",
        "## Time series",
        "",
        "2000 points of a noisy sine of period 40 that stands still for 20 points in ten places, in windows of 10.",
        "AUC and average precision: a window is an anomaly if it touches such a place. To the right precision /",
        "recall as the authors' notebook counts them: of the reported windows, how many are near a place (from 30",
        "windows before to 19 behind); of the ten places, how many have a reported window near them. In brackets:",
        "the notebook's. Means over the seeds, each of which makes another series. `authors` with the settings of",
        f"the notebook ({options_in_words(SERIES)}), iForest too (30 trees of 100 rows) and once with its defaults.",
        *table(head, rows),
        *picture("series", "ROC curves of the windows, and precision by recall of the places"),
        "",
        f"Best by AUC, up to chance: {best_on_series(results, 'auc')}; by average precision:",
        f"{best_on_series(results, 'precision')}.",
    ]


def hyper(results: Results) -> list[str]:
    if not results.has("hyper"):
        return []
    rows = []
    for option, values in HYPER.items():
        for preset in ("authors", "default"):
            found = [results.values("hyper", "sine", f"{preset} {option}={value}", "auc") for value in values]
            cells = [f"{value}: {fmean(one):.3f}" for value, one in zip(values, found) if one]
            if cells:
                rows.append([option, preset, ", ".join(cells)])
    return [
        "",
        "## Hyperparameters",
        "",
        "AUC of the windows of the sine, with one option changed; `authors` otherwise with the settings of the",
        "notebook. The paper has no figures for this: it says that `max_children` 2 is too little, and that above",
        "moderate values nothing changes much.",
        *table(["option", "preset", "AUC by value"], rows),
        *picture("hyper", "AUC on the series, by hyperparameter"),
    ]
