# SPDX-License-Identifier: Apache-2.0
"""The parts of docs/planted.md."""

from collections.abc import Callable
from importlib.metadata import version

from judge import Judgement, Summary, exactly_of, summary
from planted import PLANTS, ROWS_PER_KIND, TAILS, Planted

OURS = ("mean", "top", "odds")
METHODS = {
    "mean": "pidforest, `aggregate` mean",
    "top": "pidforest, `aggregate` top",
    "odds": "pidforest, `aggregate` odds",
    "shap": "SHAP on IsolationForest",
    "z": "z-score of one column",
}
PEERS = ("shap", "scikit-learn")
WORLDS = {False: "independent", True: "correlated"}
ASKED_COLUMNS = 50
HARDLY = 0.1
ASKED_NEAR_TOP = 0.5  # of each kind that only a combination of columns gives away
COMBINATIONS = ("pair", "context", "hour_in_context")
ASKED = {  # the requirements for the witness, as shares
    "exactly": ("names exactly the planted columns", 0.84),
    "one_extra": ("has no more than one extra condition", 0.95),
    "first": ("the first column by bits is planted", 0.90),
}

# By number of columns, correlated or not, and method: the judgement of each planted row, over all tables.
Judgements = dict[tuple[int, bool, str], list[Judgement]]
Seconds = dict[int, dict[str, float]]  # by number of columns and method: seconds per row


def table(head: list[str], rows: list[list]) -> list[str]:
    return ["", *(f"| {' | '.join(map(str, row))} |" for row in [head, ["---"] * len(head), *rows])]


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def chosen(judgements: Judgements, method: str, is_wanted: Callable[[int, bool, Planted], bool]) -> list[Judgement]:
    return [
        one
        for (columns, is_correlated, of), found in judgements.items()
        for one in found
        if of == method and is_wanted(columns, is_correlated, one.planted)
    ]


def is_asked(columns: int, _is_correlated: bool, planted: Planted) -> bool:
    return columns == ASKED_COLUMNS and len(planted.columns) <= 2


def witness_cells(found: Summary) -> list[str]:
    width = "–" if found.width is None else f"{found.width:.3f}"
    conditions = "–" if found.conditions is None else f"{found.conditions:.1f}"
    shares = (found.detected, found.near_top, found.exactly, found.at_least, found.one_extra, found.first)
    return [*map(percent, shares), width, conditions, percent(found.exactly_of_all)]


WITNESS_HEAD = ["detected", "in top 5 %", "exactly", "at least", "one extra at most", "first by bits", "width", "conditions"]
WITNESS_HEAD += ["exactly, of all"]


def verdict(found: Summary, name: str) -> str:
    what, least = ASKED[name]
    share = getattr(found, name)
    is_reached = share is not None and share >= least
    return f"{what}: {percent(share)}, asked are {percent(least)}, {'reached' if is_reached else 'NOT reached'}"


def asked_row(method: str, of_method: list[Judgement]) -> list[str]:
    found = summary(of_method)
    n_found = sum(one.is_detected for one in of_method)
    _, *cells = witness_cells(found) if method in OURS else peer_cells(found)
    return [METHODS[method], f"{percent(found.detected)} ({n_found} of {len(of_method)})", *cells]


def hardly_detected(of_method: list[Judgement]) -> str:
    """Describe the kinds on which the figures say nothing."""
    kinds = {one.planted.kind: [] for one in of_method}
    for one in of_method:
        kinds[one.planted.kind].append(one)
    rare = [f"`{kind}`" for kind, of_kind in kinds.items() if summary(of_kind).detected < HARDLY]
    return f"fewer than {percent(HARDLY)} are detected of {', '.join(rare) or 'no kind'}"


def combinations(of_method: list[Judgement]) -> str:
    parts = []
    for kind in COMBINATIONS:
        share = summary([one for one in of_method if one.planted.kind == kind]).near_top
        parts.append(f"{percent(share)} of `{kind}` ({'reached' if share >= ASKED_NEAR_TOP else 'NOT reached'})")
    return f"has in the top 5 %: {', '.join(parts)}; asked are {percent(ASKED_NEAR_TOP)} of each"


def by_number_of_columns(of_method: list[Judgement]) -> str:
    """Split by number of planted columns, so that the easy kinds do not hide the others."""
    parts = []
    for count, words in ((1, "one column"), (2, "two")):
        found = [one for one in of_method if one.is_detected and len(one.planted.columns) == count]
        share = summary(found).exactly if found else None
        parts.append(f"{percent(share)} of the {len(found)} detected rows planted in {words}")
    return f"names exactly {', '.join(parts)}"


def asked_lines(judgements: Judgements, method: str, methods: list[str]) -> list[str]:
    of_method = chosen(judgements, method, is_asked)
    if method in OURS:
        lines = [verdict(summary(of_method), name) for name in ASKED]
        lines += [by_number_of_columns(of_method), combinations(of_method), hardly_detected(of_method)]
    elif "top" in methods:
        ours = [one.is_detected for one in chosen(judgements, "top", is_asked)]
        lines = [f"names exactly {percent(exactly_of(of_method, ours))} of the rows that ours detects with `top`"]
    else:
        lines = []
    return [f"- {METHODS[method]}: {line}." for line in lines]


def asked_text(judgements: Judgements, methods: list[str]) -> list[str]:
    return [
        "",
        f"## Requirements: {ASKED_COLUMNS} columns, planted in one or two",
        "",
        "All kinds but `tail3`, all tables together. The weight of a kind is the number of its rows that are detected.",
        *table(["who", *WITNESS_HEAD], [asked_row(one, chosen(judgements, one, is_asked)) for one in methods]),
        "",
        *(line for method in methods for line in asked_lines(judgements, method, methods)),
    ]


def peer_cells(found: Summary) -> list[str]:
    """A peer that is told the number of columns has no extra conditions and no ranges."""
    shares = percent(found.detected), percent(found.near_top), percent(found.exactly), "", "", percent(found.first)
    return [*shares, "", "", percent(found.exactly_of_all)]


def sizes(judgements: Judgements) -> list[int]:
    return sorted({columns for columns, _, _ in judgements})


def witness_text(judgements: Judgements, methods: list[str]) -> list[str]:
    rows = []
    for columns in sizes(judgements):
        for is_correlated, world in WORLDS.items():
            for kind in PLANTS:
                for method in methods:
                    of_cell = [one for one in judgements[columns, is_correlated, method] if one.planted.kind == kind]
                    rows.append([columns, world, kind, method, *witness_cells(summary(of_cell))])
    return ["", "## The witness", *table(["columns", "numbers", "planted", "aggregate", *WITNESS_HEAD], rows)]


def peers_text(judgements: Judgements, methods: list[str]) -> list[str]:
    head = ["columns", "planted"]
    head += [f"{method}: {what}" for method in methods for what in ("detected", "top 5 %", "exactly", "of all")]
    rows = []
    for columns in sizes(judgements):
        for kind in PLANTS:
            cells = []
            for method in methods:
                found = summary(chosen(judgements, method, lambda d, _, p, c=columns, k=kind: (d, p.kind) == (c, k)))
                cells += map(percent, (found.detected, found.near_top, found.exactly, found.exactly_of_all))
            rows.append([columns, kind, *cells])
    words = "All tables together; named exactly of the detected rows, and of all planted ones."
    return ["", "## Beside the peers", "", words, *table(head, rows)]


def seconds_text(seconds: Seconds) -> list[str]:
    names = list(next(iter(seconds.values())))
    head = ["columns", *(METHODS[name] for name in names)]
    rows = [[columns, *(f"{1000 * of[name]:.3f} ms" for name in names)] for columns, of in seconds.items()]
    words = [
        "One thread, the shortest of three runs, without the fit. pidforest is the whole of `pidforest explain --all`, with",
        "reading the table and writing the reasons, divided by its rows; SHAP's is `shap_values` alone.",
    ]
    return ["", "## Time to explain a row", "", *words, *table(head, rows)]


def far(count: int) -> str:
    low, high = TAILS[count]
    return f"{low:g} to {high:g}"


def introduction(rows: int, seeds: range, methods: list[str], extra: list[str]) -> list[str]:
    peers = ", ".join(f"{name} {version(name)}" for name in PEERS) if "shap" in methods else "none in this run"
    flags = f" Extra flags for our tool: `{' '.join(extra)}`." if extra else ""
    return [
        "# Does the witness name the planted columns?",
        "",
        "Written by `make explain` (`.venv/bin/python benchmarks/explain/explain.py`); do not edit.",
        f"Tables of {rows} rows, {ROWS_PER_KIND} of each kind planted; seeds {seeds[0]} to {seeds[-1]}, each for table",
        "and model. Each planted row has its own columns, drawn by the seed. All tables have one configuration, and no method sees",
        "the planted columns. The rule was chosen on tables with seeds below 100.",
        f"Peers: {peers}.{flags}",
        "",
        "A fifth of the columns are categories of 5 to 20 uneven levels, one is a time with a shift, the others are",
        "Gaussian, log-normal, exponential and uniform numbers. In correlated tables half of the numbers are in groups",
        "of four with a correlation of 0.8, and categories depend on each other in pairs. These rows are planted:",
        "",
        f"- `tail1`, `tail2`, `tail3`: one, two or three numbers far out, by {far(1)}, {far(2)} and {far(3)} deviations;",
        "- `pair`: two correlated numbers, one 1.5 deviations up and the other 1.5 deviations down;",
        "- `context`: two common levels of two categories that otherwise never occur together;",
        "- `hour`: at night, when nobody works; `hour_in_context`: the night shift at noon.",
        "",
        "A row is detected if its score is among the highest 1 %. The next figure is the share among the highest 5 %. All",
        "other figures are for the detected rows, except the last: how often the columns of any planted row are named exactly.",
        "Exactly, at least: the witness names exactly the planted columns, or the planted columns and others. Extra are",
        "conditions beyond one per planted column. Width is the share of a planted column's range, or of its levels,",
        "that the witness allows: the median.",
        "SHAP and the z-score are told the number of planted columns, and name that many columns, those they blame most.",
    ]


def document(judgements: Judgements, seconds: Seconds, introduced: list[str], methods: list[str]) -> str:
    ours = [method for method in methods if method in OURS]
    lines = [*introduced]
    if ASKED_COLUMNS in sizes(judgements):
        lines += asked_text(judgements, methods)
    if ours:
        lines += witness_text(judgements, ours)
    lines += peers_text(judgements, methods)
    if seconds:
        lines += seconds_text(seconds)
    return "\n".join(lines) + "\n"
