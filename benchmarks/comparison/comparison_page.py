# SPDX-License-Identifier: Apache-2.0
"""Writes docs/comparison.md from the results. No figure of the page is typed in."""

import argparse
from collections.abc import Sequence
from statistics import fmean, median

from algorithms import release
from cache import Task
from detectors import DETECTORS, EXPLAINED_ROWS, ISOTREE_MOST_ROWS, ISOTREE_SEEDS_APART, MIXED_ROWS, OURS, PACKAGES, PEERS
from detectors import SHAPES, SMALL_ISOTREE, TABULAR, THRESHOLD, TIMED, small_tables
from experiments import NOISE_COLUMNS, SHINGLE, TWELVE
from markdown import listed, reflow, table
from real import figures_table
from report import machine
from results import Results, is_tie
from timing import COLUMNS, CORES, LONG_SECONDS, THREADS, data_name

SCRIPT = ".venv/bin/python benchmarks/comparison/comparison.py"
CONFIGURATIONS = {
    OURS: "`PIDForest(contamination=None)`: 100 trees of 256 rows",
    "Isolation Forest": "`sklearn.ensemble.IsolationForest()`: 100 trees of 256 rows",
    "isotree": "`isotree.IsolationForest()`: 500 trees of up to 10,000 rows",
    "ECOD": "`pyod.models.ecod.ECOD()`: no trees, draws nothing at random",
    "COPOD": "`pyod.models.copod.COPOD()`: no trees, draws nothing at random",
}
ABSENT = ""


def command(part: str) -> str:
    return f"`make comparison PARTS={part}`"


def mean_over(results: Results, part: str, data: Sequence[str], name: str, figure: str) -> float | None:
    """The mean over the data sets, or None unless all of them were measured."""
    found = [results.mean(part, one, name, figure) for one in data]
    return None if None in found else fmean(found)


def mean_row(results: Results, label: str, experiment: str, data: Sequence[str], part: str, figure: str = "auc") -> list[str]:
    """A row of the summary: the means over the data sets, with the highest in bold."""
    means = [mean_over(results, experiment, data, name, figure) for name in DETECTORS]
    cells = [ABSENT if mean is None else f"{mean:.3f}" for mean in means]
    best = max(cells)
    return [label, *(f"**{cell}**" if cell and cell == best else cell for cell in cells), command(part)]


def seconds_kind(threads: int) -> str:
    """One thread is timed by the processor, which other work disturbs less; several are timed by the clock."""
    return "cpu" if threads == 1 else "seconds"


def middle(results: Results, rows: int, threads: int, name: str, figure: str) -> float | None:
    """The median of the runs of the speed part."""
    runs = results.values("speed", data_name(rows, threads), name, figure)
    return median(runs[0]) if runs else None


def slower(results: Results, rows: int, threads: int, name: str) -> float | None:
    """How many times the seconds of pidforest a detector takes."""
    theirs, ours = (middle(results, rows, threads, one, seconds_kind(threads)) for one in (name, OURS))
    return None if theirs is None or ours is None else theirs / ours


def ratio_words(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def threads_words(threads: int) -> str:
    return "one thread" if threads == 1 else f"{threads} threads"


def speed_row(results: Results, rows: int, threads: int) -> list[str]:
    found = {name: slower(results, rows, threads, name) for name in DETECTORS}
    cells = [ABSENT if ratio is None else ratio_words(ratio) for ratio in found.values()]
    return [f"time of fit and score, {rows:,} x {COLUMNS}, {threads_words(threads)} (pidforest = 1)", *cells, command("speed")]


def memory_row(results: Results, rows: int) -> list[str]:
    found = {name: middle(results, rows, 1, name, "beyond") for name in DETECTORS}
    cells = [ABSENT if size is None else f"{size:.0f}" for size in found.values()]
    return ["memory of fit and score beyond the table, MB", *cells, command("speed")]


def explains(results: Results, name: str) -> str:
    methods = results.values("explanations", "methods", name, "methods")
    if not methods:
        return ABSENT
    return "yes" if name == OURS else "no (a plot of scores by column)" if methods[0] else "no"


def takes_mixed(results: Results, name: str) -> str:
    found = [results.values("columns", kind, name, "takes") for kind in ("texts", "categories")]
    return ("yes" if all(one == [True] for one in found) else "no") if all(found) else ABSENT


def summary(results: Results, rows: int) -> list[str]:
    n_tables, noise_words = len(TABULAR), f"with {NOISE_COLUMNS} columns of"
    small = small_tables()
    lines = [
        mean_row(results, "mean AUC, 12 data sets", "accuracy", list(TWELVE), "accuracy"),
        mean_row(results, "mean average precision, 12 data sets", "accuracy", list(TWELVE), "accuracy", "precision"),
        mean_row(results, f"mean AUC, {n_tables} tables", "accuracy", TABULAR, "accuracy"),
        mean_row(results, f"mean AUC, {n_tables} tables {noise_words} uniform noise", "noise", TABULAR, "noise"),
        *(mean_row(results, f"mean AUC, {len(small)} tables {noise_words} {shape}", shape, small, "noise") for shape in SHAPES),
        ["explains a row with counts", *(explains(results, name) for name in DETECTORS), command("explanations")],
        ["mixed columns without encoding", *(takes_mixed(results, name) for name in DETECTORS), command("columns")],
        *(speed_row(results, rows, threads) for threads in THREADS),
        memory_row(results, rows),
    ]
    return [
        "",
        "## Summary",
        "",
        "`make comparison` measures all rows of the table; the command in the last column measures one of them. Bold type",
        "marks the highest AUC and average precision. The sections below list the sets on which pidforest is lower.",
        *table(["", *DETECTORS, "command"], lines),
    ]


def against(results: Results, part: str, data: Sequence[str], peer: str, figure: str) -> list[str]:
    """A row: on how many sets pidforest is higher, level and lower, and by how much it is lower where."""
    words: dict[str, list[str]] = {"higher": [], "level": [], "lower": []}
    for name in data:
        ours, theirs = (results.values(part, name, one, figure) for one in (OURS, peer))
        if ours and theirs:
            gap = fmean(ours) - fmean(theirs)
            words["level" if is_tie(ours, theirs) else "higher" if gap > 0 else "lower"].append(f"{name} ({gap:+.3f})")
    counts = [str(len(words[word])) for word in words]
    return [peer, *counts, listed(words["lower"])]


def against_all(results: Results, part: str, data: Sequence[str], figure: str) -> list[str]:
    rows = [against(results, part, data, peer, figure) for peer in PEERS]
    return table(["pidforest against", "higher", "level", "lower", "lower on"], rows)


def accuracy(results: Results) -> list[str]:
    names = results.data("accuracy", TWELVE)
    if not names:
        return []
    return [
        "",
        "## Accuracy",
        "",
        "Each detector fits all rows of a set and scores all rows; labels only judge the scores. The figures are means and",
        "standard deviations over the seeds. A figure without a deviation has one run. Bold type marks the best figure of a",
        f"row and the figures within two standard errors of it. The four series are cut into windows of {SHINGLE}, and a",
        "window has the label of its first value.",
        "",
        "### AUC",
        *figures_table(results, "accuracy", names, list(DETECTORS), "auc"),
        "",
        "Two figures are level if they differ by at most two standard errors over the seeds, or by less than 0.0005.",
        *against_all(results, "accuracy", names, "auc"),
        "",
        "### Average precision",
        *figures_table(results, "accuracy", names, list(DETECTORS), "precision"),
        *against_all(results, "accuracy", names, "precision"),
    ]


def change(results: Results, names: Sequence[str], name: str) -> str:
    """By how much the noise changes the mean AUC."""
    before, after = (mean_over(results, part, names, name, "auc") for part in ("accuracy", "noise"))
    return ABSENT if before is None or after is None else f"{after - before:+.3f}"


def noise(results: Results) -> list[str]:
    names = results.data("noise", TABULAR)
    if not names:
        return []
    changes = ["change of the mean", *(change(results, names, name) for name in DETECTORS)]
    return [
        "",
        "## Noise columns",
        "",
        f"AUC after {NOISE_COLUMNS} columns of uniform noise on [0, 1] are appended to each table. The seed draws the noise,",
        "which is the same for all detectors, and is also the seed of the detector. The last line is the mean AUC with noise",
        "minus the mean AUC without it.",
        *figures_table(results, "noise", names, list(DETECTORS), "auc", TABULAR),
        f"| {' | '.join(changes)} |",
        *against_all(results, "noise", names, "auc"),
        *shapes(results),
    ]


def shapes(results: Results) -> list[str]:
    """The part of the page on noise that is not uniform."""
    names = [name for name in small_tables() if all(results.values(shape, name, OURS, "auc") for shape in SHAPES)]
    if not names:
        return []
    kinds = {"no noise": "accuracy", "uniform noise": "noise"} | {shape: shape for shape in SHAPES}
    rows = []
    for kind, experiment in kinds.items():
        means = [mean_over(results, experiment, names, name, "auc") for name in DETECTORS]
        rows.append([kind, *(ABSENT if mean is None else f"{mean:.3f}" for mean in means)])
    return [
        "",
        "### Shapes of noise",
        "",
        "Uniform noise, the noise of the paper, suits pidforest, which measures how much emptier a box is than an even spread",
        "would leave it and refuses cuts that an even spread explains. Noise with a long tail has sparse boxes of its own. The",
        f"table has the mean AUC over {len(names)} tables ({', '.join(names)}) with {NOISE_COLUMNS} columns of noise of three",
        "shapes: uniform on [0, 1], standard normal, and the exponential of standard normal.",
        *table(["noise", *DETECTORS], rows),
        *(line for shape in SHAPES for line in shape_table(results, shape, names)),
    ]


def shape_table(results: Results, shape: str, names: list[str]) -> list[str]:
    return [
        "",
        f"AUC with {NOISE_COLUMNS} columns of {shape}:",
        *figures_table(results, shape, names, list(DETECTORS), "auc", names),
        *against_all(results, shape, names, "auc"),
    ]


def explanations(results: Results) -> list[str]:
    names = results.data("explanations", TABULAR)
    if not names:
        return []
    stated, confirmed = (
        sum(results.values("explanations", name, OURS, figure)[0] for name in names) for figure in ("reasons", "confirmed")
    )
    rows = []
    for name in DETECTORS:
        methods = results.values("explanations", "methods", name, "methods")
        rows.append([name, listed([f"`{method}`" for method in methods[0]] if methods else [])])
    return [
        "",
        "## Explanations",
        "",
        "pidforest explains a row by a box in the units of the columns and the number of rows in the box. DuckDB counted the",
        f"rows in the boxes of the {EXPLAINED_ROWS} rarest rows of {len(names)} tables: {confirmed} of {stated} counts are",
        "equal to those of pidforest. [planted.md](planted.md) measures how often the explanation names the right columns,",
        "beside SHAP and a z-score.",
        "",
        "The table lists the methods of each detector with a name that begins with `explain`. The method of ECOD and COPOD",
        "plots one score for each column of a row; it states no counts. isotree can export its trees as SQL, which gives the",
        "score of a row and no reason for it.",
        *table(["detector", "methods"], rows),
    ]


def taken(results: Results, kind: str, name: str) -> str:
    if not results.values("columns", kind, name, "takes"):
        return ABSENT
    if not results.values("columns", kind, name, "takes")[0]:
        return "refused"
    return f"AUC {results.values('columns', kind, name, 'auc')[0]:.3f}"


def columns(results: Results) -> list[str]:
    if not results.has("columns"):
        return []
    rows = [[name, *(taken(results, kind, name) for kind in ("texts", "categories"))] for name in DETECTORS]
    return [
        "",
        "## Mixed columns",
        "",
        f"Each detector gets a pandas frame of {MIXED_ROWS} rows with 12 columns of texts and 10 columns of numbers, without",
        "any encoding: the white elephants of [mixed.md](mixed.md). In the last column of the table the texts are categories",
        "of pandas. There is one run, with seed 0. mixed.md has larger tables, more seeds, and Isolation Forest on encoded",
        "columns; its mushrooms are a set on which isotree, with its default configuration, ranks better than pidforest.",
        *table(["detector", "texts", "categories"], rows),
    ]


def speed_line(results: Results, rows: int, name: str) -> list[str]:
    cells = [name]
    for threads in THREADS:
        seconds, ratio = middle(results, rows, threads, name, seconds_kind(threads)), slower(results, rows, threads, name)
        cells += [ABSENT, ABSENT] if seconds is None or ratio is None else [f"{seconds:.2f}", ratio_words(ratio)]
    sizes = [middle(results, rows, 1, name, figure) for figure in ("peak", "beyond")]
    return cells + [ABSENT if size is None else f"{size:.0f}" for size in sizes]


def failures(by_task: dict[Task, dict]) -> list[str]:
    return [f"{task.algorithm} on {task.data}: {found['failed']}" for task, found in by_task.items() if "failed" in found]


def runs_words(results: Results, rows: int, rounds: int) -> str:
    if rounds == 1:
        return "There is one run of each."
    once = [
        f"{name} ({threads_words(threads)})"
        for threads in THREADS
        for name in TIMED
        if any(len(runs) == 1 for runs in results.values("speed", data_name(rows, threads), name, "seconds"))
    ]
    words = f"The figures are medians of {rounds} runs."
    return f"{words} A run of more than {LONG_SECONDS} s is not repeated: {', '.join(once)}." if once else words


def highest_load(results: Results, rows: int) -> float:
    """The highest load average at the start of a run."""
    loads = (results.values("speed", data_name(rows, threads), name, "load") for threads in THREADS for name in TIMED)
    return max(max(runs) for found in loads for runs in found)


def speed(results: Results, rows: int, rounds: int, failed: list[str]) -> list[str]:
    if not results.has("speed"):
        return []
    head = ["detector"]
    for threads in THREADS:
        kind = "CPU seconds" if threads == 1 else "wall seconds"
        head += [f"{kind}, {threads_words(threads)}", "pidforest = 1"]
    head += ["peak memory, MB", "beyond the table, MB"]
    return [
        "",
        "## Speed and memory",
        "",
        f"Time and memory of fitting a made table of {rows:,} x {COLUMNS} doubles and scoring all of its rows. Half of",
        "the columns are normal, half are log-normal. Each run has a process of its own, and runs follow each other.",
        f"{runs_words(results, rows, rounds)} The highest load average at the start of a run was",
        f"{highest_load(results, rows):.1f} on {CORES} cores; other work makes times longer.",
        "",
        "- The time of one thread is CPU time, which other work changes little. The time of several threads is wall time.",
        "- ECOD and COPOD score the rows while they fit. The other detectors score each row once, after the fit.",
        f"- `{THRESHOLD}` is `PIDForest()`: its fit also finds the threshold of `predict`, for which it scores the rows.",
        f"- `{SMALL_ISOTREE}` is isotree with 100 trees of 256 rows, the sizes of pidforest and Isolation Forest.",
        "- Isolation Forest scores with several threads only inside `joblib.parallel_config`, which the script uses. ECOD and",
        "  COPOD start processes instead of threads.",
        "- Memory is resident memory with one thread. The peak includes the interpreter, the libraries of all detectors and",
        f"  the table of {rows * COLUMNS * 8 / 1e6:.0f} MB. The last column is the peak minus the memory that the process had",
        f"  just before the fit; the scores, {rows * 8 / 1e6:.1f} MB, are part of it.",
        *(["- Not measured: " + listed(failed) + "."] if failed else []),
        *table(head, [speed_line(results, rows, name) for name in TIMED]),
    ]


def how(options: argparse.Namespace) -> list[str]:
    versions = ", ".join(f"{package} {release(package)}" for package in dict.fromkeys(PACKAGES.values()))
    seeds = f"seeds 0 to {options.seeds - 1}" if options.seeds > 1 else "seed 0"
    return [
        "",
        "## How it was run",
        "",
        *(f"- {name}: {words}." for name, words in CONFIGURATIONS.items()),
        f"- All data sets have the same configurations, and no setting depends on labels. Accuracy and noise: {seeds}, one",
        "  thread.",
        "- The developers of pidforest measure it on these twelve sets, and on two of them with noise",
        "  ([accuracy.md](accuracy.md)), so its defaults are not independent of them.",
        "- isotree gives its tree i the seed `random_seed` + i, so that neighbouring seeds share nearly all trees. Its seeds",
        f"  in the accuracy part are {ISOTREE_SEEDS_APART} apart.",
        f"- isotree has one seed on sets of more than {ISOTREE_MOST_ROWS:,} rows, http and smtp: scoring them takes minutes.",
        "- ECOD and COPOD draw nothing at random, and run once in the accuracy part.",
        f"- {versions}.",
        f"- {machine(options.build, ('numpy', 'pandas'))}",
    ]


def document(by_task: dict[Task, dict], options: argparse.Namespace) -> str:
    results = Results({task: found for task, found in by_task.items() if "failed" not in found})
    lines = [
        "# pidforest and four other detectors",
        "",
        f"Written by `make comparison` (`{SCRIPT}`); do not edit. pidforest is compared with Isolation Forest of scikit-learn,",
        "isotree, and ECOD and COPOD of PyOD, each with its default configuration.",
        *summary(results, options.rows),
        *accuracy(results),
        *noise(results),
        *explanations(results),
        *columns(results),
        *speed(results, options.rows, options.rounds, failures(by_task)),
        *how(options),
    ]
    return "\n".join(reflow(lines)) + "\n"
