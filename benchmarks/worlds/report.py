# SPDX-License-Identifier: Apache-2.0
"""The parts of docs/worlds.md."""

from importlib.metadata import version
from statistics import fmean
from typing import NamedTuple

from making import APART, BETWEEN, CORRELATION, GROUPS, LEVELS, LINE, OFF, PLANTED, TAIL, WORLDS
from making import MIXTURE_NOISE, MIXTURE_RARE, MIXTURE_ROWS

ASKED = {
    "rare pair of 50": 0.95,
    "off y = x + 20 Gaussian": 0.93,
    "one tail of 50": 0.93,
    "never meet among 20 even": 0.93,
    "never meet among 20 uneven": 0.93,
}
DEFAULT = "mean"
PACKAGES = {"IsolationForest": "scikit-learn", "ECOD": "pyod"}


class Figures(NamedTuple):
    auc: float
    precision: float  # average precision
    recall: float  # share of the k planted rows in the top k


Measures = dict[tuple[str, str], list[Figures]]  # by world and method: one per seed


def table(head: list[str], rows: list[list]) -> list[str]:
    return ["", *(f"| {' | '.join(map(str, row))} |" for row in [head, ["---"] * len(head), *rows])]


def mean_of(found: list[Figures], name: str) -> str:
    return f"{fmean(getattr(one, name) for one in found):.3f}" if found else "–"


def verdict(measures: Measures, world: str) -> list[str]:
    found = measures.get((world, DEFAULT), [])
    if not found:
        return []
    auc = fmean(one.auc for one in found)
    is_reached = "reached" if auc >= ASKED[world] else "NOT reached"
    return [f"- {world}: AUC {auc:.3f}, asked is {ASKED[world]}: {is_reached}."]


def figure_table(measures: Measures, methods: list[str], name: str) -> list[str]:
    worlds = [world for world in WORLDS if any(of == world for of, _ in measures)]
    rows = [[world, *(mean_of(measures.get((world, method), []), name) for method in methods)] for world in worlds]
    return table(["world", *methods], rows)


def introduction(seeds: range, rows: int, methods: list[str], refused: list[str]) -> list[str]:
    peers = [f"{package} {version(package)}" for name, package in PACKAGES.items() if name in methods]
    told = [f"This build refuses `--aggregate {name}`; it is left out." for name in refused]
    return [
        "# Planted worlds",
        "",
        "Written by `make worlds` (`.venv/bin/python benchmarks/worlds/worlds.py`); do not edit.",
        f"Tables of {rows} rows, of which {100 * PLANTED:.0f} % are planted; means over the seeds {seeds[0]} to {seeds[-1]},",
        "each for table and model.",
        "Choices were made on other seeds (0 to 4). pidforest has its default configuration, with the aggregate that the",
        f"column names. Peers, with their default configurations: {', '.join(peers) or 'none in this run'}; categories as columns of 0 and 1.",
        *told,
        "",
        f"- rare pair: two of the Gaussian columns have a correlation of {CORRELATION}; a planted row is {APART[0]} to {APART[1]}",
        "  deviations up in one of them and down in the other.",
        f"- off y = x: two columns are equal but for noise of {LINE} deviations, beside 20 others of the shape named; a planted",
        f"  row has two independent values, at least {OFF} deviations apart.",
        f"- one tail: one value of a planted row, in any column, is {TAIL[0]} to {TAIL[1]} deviations out.",
        f"- between two groups: one column has two groups with centres at {-GROUPS} and {GROUPS} deviations; the value of a planted row",
        f"  lies between -{BETWEEN} and {BETWEEN}. The number is that of all columns.",
        f"- never meet: columns of {LEVELS} levels, even or with the weights 1, 1/2, 1/3 ...; level i of one column meets level i",
        "  of another only in planted rows.",
        f"- mixture: the paper's two Gaussians, with noise in [-{MIXTURE_NOISE}, {MIXTURE_NOISE}]; the {MIXTURE_RARE} rows of lowest",
        f"  likelihood among {MIXTURE_ROWS} are the anomalies.",
    ]


def document(measures: Measures, seeds: range, rows: int, methods: list[str], refused: list[str]) -> str:
    verdicts = [line for world in ASKED for line in verdict(measures, world)]
    lines = introduction(seeds, rows, methods, refused)
    lines += ["", f"## Requirements, with the aggregate `{DEFAULT}`", "", *(verdicts or ["Not measured in this run."])]
    headings = {"auc": "AUC", "precision": "Average precision", "recall": "Share of the k planted rows in the top k"}
    for name, words in headings.items():
        lines += ["", f"## {words}", *figure_table(measures, methods, name)]
    return "\n".join(lines) + "\n"
