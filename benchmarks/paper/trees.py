# SPDX-License-Identifier: Apache-2.0
"""The part of the page on how trees are grown and scored: depth as a score, and the split in one pass."""

from statistics import fmean

import published
from algorithms import PRESETS
from experiments import TWELVE
from histogram import SIZE
from markdown import table
from results import Results, is_tie, spread


def ablation(results: Results) -> list[str]:
    names = results.data("ablation", published.DEPTH_AUC)
    if not names:
        return []
    rows = []
    for name in names:
        for preset in PRESETS:
            found = [results.values(experiment, name, preset, "auc") for experiment in ("table 2", "ablation")]
            paper = ["", ""]
            if preset == "authors":
                paper = [f"{auc:.3f}" for auc in (published.AUC[name][0], published.DEPTH_AUC[name])]
            gap = f"{fmean(found[1]) - fmean(found[0]):+.3f}{' (tie)' if is_tie(*found) else ''}" if all(found) else ""
            rows.append([name, preset, *(spread(values) for values in found), gap, *paper])
    return [
        "",
        "## Sparsity or depth",
        "",
        "The trees are the same, but the score of a row is the depth of its leaf, as in Isolation Forest, instead of",
        "the sparsity of its cube.",
        *table(["data set", "preset", "sparsity", "depth", "difference", "paper: sparsity", "paper: depth"], rows),
    ]


def one_split(results: Results) -> list[str]:
    found = {way: results.values("one split", SIZE, way, "fit_seconds") for way in ("exact", "plain", "one_pass")}
    if not all(found.values()):
        return []
    errors = {way: results.mean("one split", SIZE, way, "error") for way in found}
    words = {
        "exact": "exact, vectorised (what we use)",
        "plain": "exact, plain C++",
        "one_pass": "in one pass, epsilon 0.1",
    }
    rows = []
    for way in found:
        paper = published.SPLIT_SECONDS.get(way)
        microseconds = 1e6 * found[way][0]
        rows.append([words[way], f"{microseconds:.3g}", f"{errors[way] / errors['exact']:.3f}", paper or ""])
    what = f"one split, {SIZE.replace('/', ' values into ')}"
    ratio = {way: found[way][0] / found["one_pass"][0] for way in ("exact", "plain")}
    return [
        *table([what, "us", "squared error, of the exact one's", "paper: s, Python"], rows),
        "",
        "The paper's exact split takes",
        f"{published.SPLIT_SECONDS['exact'] / published.SPLIT_SECONDS['one_pass']:.0f} times as long as its split",
        f"in one pass. In C++ the plain exact one takes {ratio['plain']:.1f} times as long as the pass, and the",
        f"vectorised one {ratio['exact']:.2f} times: at the sizes of the paper the approximation saves no time.",
    ]


def split(results: Results) -> list[str]:
    names = results.data("split", TWELVE)
    rows, level = [], []
    for name in names:
        found = [results.values("split", name, way, "auc") for way in ("exact", "one pass")]
        if all(found):
            level += [name] if is_tie(*found) else []
            milliseconds = [
                1000 * fmean(results.values("split", name, way, "fit_seconds")) for way in ("exact", "one pass")
            ]
            rows.append([name, *(spread(values) for values in found), *(f"{one:.3g}" for one in milliseconds)])
    if not rows:
        return []
    return [
        "",
        "## Exact split or one pass",
        "",
        "The preset `authors` with the exact split and with the paper's approximation of it (epsilon 0.1). They are",
        f"level on {len(level)} of {len(rows)} sets.",
        *table(["data set", "AUC, exact", "AUC, one pass", "fit, exact: ms", "fit, one pass: ms"], rows),
        *one_split(results),
    ]
