# SPDX-License-Identifier: Apache-2.0
"""The parts of docs/wild.md."""

from importlib.metadata import version
from statistics import fmean, median

from errors import KINDS, PLANTED
from judge import Figures
from methods import MOST_ONE_HOT, OURS, OURS_BEFORE
from quiet import POISSON_RATES, SIZES, WITHOUT_PARTS, Found, Quiet
from tables import RECIPES

LARGE = ("x3 max", "x10 max", "x100")  # the kinds of error with a required recall
ASKED = 0.85
PACKAGES = {"IsolationForest": "scikit-learn", "ECOD": "pyod", "COPOD": "pyod", "HBOS": "pyod"}

Measures = dict[tuple[str, str, str], list[Figures]]  # by table, kind of error and method: one per seed
Beyond = dict[tuple[str, str], list[float]]  # by table and kind: share of planted rows beyond the range of a column
QuietMeasures = dict[Quiet, Found]


def table(head: list[str], rows: list[list]) -> list[str]:
    lines = [[str(cell).replace("|", "\\|") for cell in row] for row in [head, ["---"] * len(head), *rows]]
    return ["", *(f"| {' | '.join(line)} |" for line in lines)]


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def chosen(measures: Measures, kinds: tuple[str, ...], method: str) -> list[Figures]:
    return [one for (_, kind, who), found in measures.items() if kind in kinds and who == method for one in found]


def reached(is_reached: bool) -> str:
    return "reached" if is_reached else "NOT reached"


def recall_line(measures: Measures, kinds: tuple[str, ...], words: str, method: str = OURS) -> list[str]:
    found = chosen(measures, kinds, method)
    if not found:
        return []
    share = fmean(one.top for one in found)
    return [f"- {words}: {percent(share)} in the top k, asked are {percent(ASKED)}: {reached(share >= ASKED)}."]


def quiet_line(quiet: QuietMeasures) -> list[str]:
    found = [one.parts for which, one in quiet.items() if which.shape in WITHOUT_PARTS]
    words = f"- No isolated part in {', '.join(WITHOUT_PARTS)} tables"
    if not found:
        return []
    if None in found:
        return [f"{words}: not measured, because `pidforest inspect --json` of this build has no key `isolated`."]
    return [f"{words}: {sum(found)} parts in {len(found)} tables: {reached(sum(found) == 0)}."]


def requirements(measures: Measures, quiet: QuietMeasures) -> list[str]:
    lines = recall_line(measures, LARGE, "Errors of the kinds " + ", ".join(LARGE) + " together")
    for kind in LARGE:
        lines += recall_line(measures, (kind,), f"`{kind}`")
    lines += recall_line(measures, LARGE, f"The three kinds together, {OURS_BEFORE}", OURS_BEFORE)
    return ["", "## Requirements", "", *lines, *quiet_line(quiet)]


def kind_rows(measures: Measures, kind: str, methods: list[str]) -> list[list]:
    rows = []
    for method in methods:
        found = chosen(measures, (kind,), method)
        shares = [percent(fmean(one.top for one in found)), percent(fmean(one.top_five for one in found))]
        rows.append([f"`{kind}`", method, *shares, f"{median(one.above for one in found):.0f}"])
    return rows


def errors_part(measures: Measures, beyond: Beyond, methods: list[str]) -> list[str]:
    kinds = [kind for kind in KINDS if any(of == kind for _, of, _ in measures)]
    rows = [row for kind in kinds for row in kind_rows(measures, kind, methods)]
    shares = {kind: fmean(share for (_, of), found in beyond.items() if of == kind for share in found) for kind in kinds}
    told = [[f"`{kind}`", KINDS[kind].words, KINDS[kind].where, percent(shares[kind])] for kind in kinds]
    return [
        "",
        "## Planted errors",
        "",
        f"Each table gets {PLANTED} errors of one kind at a time (k = {PLANTED}), each in another row. The column is drawn",
        "at random among the eligible columns of numbers, then the row. The last column says how often the planted value",
        "lies beyond the range of its clean column; an error within the range looks like an ordinary value of this column.",
        *table(["error", "the cell becomes", "eligible", "beyond the range"], told),
        "",
        "Means over tables and seeds of the share of the planted rows in the top k and the top 5k; and the number of ordinary",
        "rows that rank above the median planted row, the median over tables and seeds.",
        *table(["error", "who", "in the top k", "in the top 5k", "ordinary rows above"], rows),
    ]


def by_table_part(measures: Measures, method: str) -> list[str]:
    kinds = [kind for kind in KINDS if any(of == kind for _, of, _ in measures)]
    names = [name for name in RECIPES if any(of == name for of, _, _ in measures)]
    rows = [
        [name, RECIPES[name].rows, len(RECIPES[name].columns)]
        + [percent(fmean(one.top for one in measures[name, kind, method])) for kind in kinds]
        for name in names
    ]
    head = ["table", "rows", "columns", *(f"`{kind}`" for kind in kinds)]
    return ["", "## By table", "", f"The share of the planted rows that {method} has in the top k.", *table(head, rows)]


def quiet_row(quiet: QuietMeasures, shape: str, rows: int, columns: int) -> list:
    found = [one for which, one in quiet.items() if (which.shape, which.rows, which.columns) == (shape, rows, columns)]
    parts = "–" if any(one.parts is None for one in found) else f"{fmean(one.parts for one in found):.1f}"
    return [shape, rows, columns, parts, f"{100 * fmean(one.flagged for one in found):.2f} %"]


def quiet_part(quiet: QuietMeasures) -> list[str]:
    if not quiet:
        return []
    keys = dict.fromkeys((which.shape, which.rows, which.columns) for which in quiet)
    rates = ", ".join(map(str, POISSON_RATES))
    return [
        "",
        "## Tables without errors",
        "",
        f"Independent columns of one shape, {len(SIZES)} sizes, means over the seeds: isolated parts of the model, and rows",
        f"flagged by the automatic threshold. Poisson columns have the rates {rates} in turn.",
        *table(
            ["shape", "rows", "columns", "isolated parts", "rows flagged"],
            [quiet_row(quiet, *key) for key in keys],
        ),
    ]


def introduction(seeds: range, methods: list[str]) -> list[str]:
    packages = dict.fromkeys(PACKAGES[name] for name in methods if name in PACKAGES)
    others = ", ".join(f"{name} {version(name)}" for name in packages) or "none in this run"
    return [
        "# One wrong cell in tables that look like real ones",
        "",
        "Written by `make wild` (`.venv/bin/python benchmarks/wild/wild.py`); do not edit.",
        f"{len(RECIPES)} tables of our own making (benchmarks/wild/tables.py): numbers, whole numbers, categories, times and",
        "missing cells; log-normal, Pareto, zero-inflated, bimodal and bounded columns that depend on each other.",
        f"Seeds {seeds[0]} to {seeds[-1]}, each for table, errors and model. Choices were made on other seeds (0 to 4).",
        "",
        f"`pidforest detect` has its default configuration and reads the CSV file; `{OURS_BEFORE}` scores it by a model of another",
        "table of the same recipe, without errors. The peers have their default",
        f"configurations, on numbers: a category of at most {MOST_ONE_HOT} levels becomes one column of 0 and 1 per level, one",
        "with more levels the rank of its level by frequency, a time its day and its hour; a missing number becomes the",
        f"median, a missing category the most common level. max |z| sees the numbers alone. Peers: {others}.",
    ]


def document(measures: Measures, beyond: Beyond, quiet: QuietMeasures, seeds: range, methods: list[str]) -> str:
    lines = introduction(seeds, methods) + requirements(measures, quiet)
    if measures:
        lines += errors_part(measures, beyond, methods) + by_table_part(measures, methods[0])
    return "\n".join(lines + quiet_part(quiet)) + "\n"
