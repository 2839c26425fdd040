# SPDX-License-Identifier: Apache-2.0
"""The parts of docs/mixed.md. The sentences about the figures are written here by hand."""

from importlib.metadata import version
from statistics import fmean, stdev

from figures import Figures
from methods import PEERS, WITH_MAX_SAMPLES
from mixed_sets import ANIMAL_ROWS, ANIMALS, MUSHROOM_ROWS, Animals

MIXED = (2, 4, 6, 11)
MAX_SAMPLES = (256, 1024)
DEMAND = 0.99  # the share of the rows above which rare combinations must rank

Measures = dict[tuple, list[Figures]]  # by spread, max_samples (or None) and method: one per seed

MUSHROOMS_SEEN = """\
The default preset ranks the typical mixture above 99 % of the rows unless only two values are foreign, but never all
mixtures: the lowest 5 % fall short at every difficulty. isotree with its own defaults, which are 500 trees of all
rows, is better than our default at every difficulty. With equally few rows per tree the order is reversed: isotree and
scikit-learn on 256 rows find little, and our default on 1024 rows has the best average precision of the table."""

ANIMALS_SEEN = """\
Among six species and colours the default preset ranks all ten first or nearly so; no peer and no other preset comes
near in average precision, though `paper` has a high AUC where the levels are uneven. With ten even levels it does not
find them: an even spread would put only two or three white elephants into 256 rows, and with 1024 rows it depends on
the seed.
isotree's own sample size (10,000 rows, 500 trees) is left out because it takes long; larger samples may help it, as they do on
the mushrooms."""


def column(found: list[Figures], name: str) -> list[float]:
    return [getattr(one, name) for one in found]


def spread_of(values: list[float]) -> str:
    deviation = f" ± {stdev(values):.3f}" if len(values) > 1 else ""
    return f"{fmean(values):.3f}{deviation}"


def percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def auc_and_precision(found: list[Figures]) -> list[str]:
    return [spread_of(column(found, name)) for name in ("auc", "precision")]


def table(head: list[str], rows: list[list]) -> list[str]:
    return ["", *(f"| {' | '.join(map(str, row))} |" for row in [head, ["---"] * len(head), *rows])]


def mushroom_row(mixed: int, method: str, measures: Measures) -> list:
    found = measures[mixed, None, method]
    shares = [percent(fmean(column(found, name))) for name in ("below_typical", "below_lowest")]
    return [mixed, method, *auc_and_precision(found), *shares]


def verdict(measures: Measures, name: str, which: str) -> str:
    """Return for which numbers of mixed columns the default preset ranks the anomaly as high as required."""
    shares = {mixed: fmean(column(measures[mixed, None, "default"], name)) for mixed in MIXED}
    reached = ", ".join(str(mixed) for mixed, share in shares.items() if share >= DEMAND)
    missed = ", ".join(f"{mixed} ({percent(share)})" for mixed, share in shares.items() if share < DEMAND)
    return f"- {which}: reached with {reached or 'none'}; NOT reached with {missed or 'none'}."


def verdicts(measures: Measures) -> list[str]:
    return [
        "",
        f"The default preset is required to rank rare combinations above {100 * DEMAND:.0f} % of the rows. By mixed columns:",
        "",
        verdict(measures, "below_typical", "the median anomaly"),
        verdict(measures, "below_lowest", "all but the lowest 5 % of the anomalies"),
    ]


def mushroom_text(measures: Measures, methods: list[str], rows: int | None) -> list[str]:
    head = ["mixed columns", "who", "AUC", "average precision", "normal rows below the median anomaly"]
    head += ["below all but the lowest 5 % of the anomalies"]
    return [
        "",
        "## Mushrooms: 22 categories",
        "",
        f"{rows or MUSHROOM_ROWS} rows with 2 to 12 levels per column, as UCI's mushrooms have. Each of 20 species has",
        "one to three levels in a column, with uneven shares and no stray values. One row in a hundred is an anomaly: a",
        "row of one species in which the given number of columns (mixed) has values of another species that it never has.",
        "Every level is in at least 2 % of the normal rows, so no value is rare by itself.",
        "",
        "All detectors have their own default sizes: scikit-learn and our default preset 100 trees of 256 rows, `paper` and",
        "`authors` 50 trees of 100 rows, isotree 500 trees of all rows. A number behind the name is another size:",
        "100 trees of this many rows.",
        "`isotree density` has the options that isotree's documentation advises for categories: single_categ, scores by density.",
        *table(head, [mushroom_row(mixed, method, measures) for mixed in MIXED for method in methods]),
        *(verdicts(measures) if "default" in methods else []),
        "",
        MUSHROOMS_SEEN,
    ]


def animal_row(spread: Animals, method: str, measures: Measures) -> list:
    found = [measures[spread, max_samples, method] for max_samples in MAX_SAMPLES]
    return [spread.name(), method, *(cell for one in found for cell in auc_and_precision(one))]


def animal_text(measures: Measures, methods: list[str], rows: int | None) -> list[str]:
    head = [f"{what}, {max_samples}" for max_samples in MAX_SAMPLES for what in ("AUC", "average precision")]
    names = [method for method in methods if method in WITH_MAX_SAMPLES]
    return [
        "",
        "## Animals: ten white elephants",
        "",
        f"{rows or ANIMAL_ROWS} rows of a species, a colour, and 20 columns without information: 10 uniform numbers, and",
        "10 categories of 10 even levels. Elephants (the second species) and white (the second colour) are common; the",
        "table has ten white elephants. Uneven levels have the weights 1, 1/2, 1/3 ... Every tree has 256 or 1024 rows,",
        "for every detector (and for the presets `paper` and `authors`), and isotree has 100 trees.",
        *table(
            ["species and colours", "who", *head],
            [animal_row(spread, method, measures) for spread in ANIMALS for method in names],
        ),
        "",
        ANIMALS_SEEN,
    ]


def document(measures: Measures, sets: list[str], methods: list[str], seeds: int, rows: int | None) -> str:
    peers = ", ".join(f"{name} {version(name)}" for name in PEERS if any(name in method for method in methods))
    over = f"seeds 0 to {seeds - 1}, each for data and model: mean and standard deviation" if seeds > 1 else "seed 0"
    lines = [
        "# Rare combinations of categories",
        "",
        "Written by `make mixed` (`.venv/bin/python benchmarks/mixed/mixed.py`); do not edit.",
        "Every detector fits and scores the whole set, without labels, in one run;",
        f"{over}.",
        "pidforest infers the kinds of the columns from the CSV file, scikit-learn gets a column of 0 and 1 for each level,",
        f"isotree gets pandas' categories (ndim=1). Peers: {peers or 'none in this run'}.",
    ]
    lines += mushroom_text(measures, methods, rows) if "mushrooms" in sets else []
    lines += animal_text(measures, methods, rows) if "animals" in sets else []
    return "\n".join(lines) + "\n"
