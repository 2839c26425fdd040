# SPDX-License-Identifier: Apache-2.0
"""Writes paper.md, its plots and results.json from the results. All figures come from there or from published.py."""

import json
import os
import platform
from collections import Counter
from itertools import groupby
from pathlib import Path

import made_up
import plots
import real
import trees
from agreement import agreement, disagreements
from algorithms import release
from cache import Task
from experiments import EXPERIMENTS, TWELVE, all_tasks
from markdown import reflow
from results import Results

PACKAGES = ("pidforest", "scikit-learn", "pyod", "rrcf", "isotree", "numpy")
CURVES = ("roc", "reported_precision", "reported_recall")  # too long for results.json; the plots show them


def not_run(results: Results) -> list[str]:
    """List the parts of a full run that this run lacks."""
    missing = Counter(task.experiment for task in all_tasks(list(EXPERIMENTS), False) if task not in results.by_task)
    lines = [f"- {name}: {count} of {len(all_tasks([name], False))} tasks not run" for name, count in missing.items()]
    lines += [f"- {task.words()}: not done in {results.by_task[task]['timeout']:.0f} s" for task in results.timeouts]
    return ["", "Not run:", "", *lines] if lines else ["", "Every task of every experiment was run and ended in time."]


def how(results: Results) -> list[str]:
    versions = ", ".join(f"{package} {release(package)}" for package in PACKAGES)
    seeds = ", ".join(f"{name} {experiment.seeds}" for name, experiment in EXPERIMENTS.items())
    most, sample = (EXPERIMENTS["table 2"].algorithms["SVM"].settings[name] for name in ("most_rows", "sample"))
    return [
        "",
        "## How it was run",
        "",
        "`make reproduce` runs everything and keeps every result in `build/paper/results.jsonl`, so a",
        "second run computes only results that are missing or out of date; `make reproduce QUICK=1`",
        "runs a part in minutes and does not change this page. All detectors fit and score all rows,",
        "without labels; each task has a process of its own with one thread. `results.json`, beside the plots, has every figure by task.",
        "",
        f"- Seeds of a whole run: {seeds}. Detectors without randomness run once on real data.",
        "- Rivals with the paper's settings: 100 trees of 256 rows (iForest), at least 500 trees of 256 rows until",
        "  each row was in one (RRCF), 20 neighbours (LOF), `nu` 0.5 and `gamma` 1/columns (SVM), 5 neighbours",
        "  (kNN), all components (PCA).",
        f"- The SVM takes time with the square of the rows: beyond {most} rows, that is on http, it is fitted on",
        f"  {sample} of them, drawn at random, and scores all. No other detector was restricted.",
        f"- {versions}; Python {platform.python_version()}, {os.cpu_count()} cores.",
        *not_run(results),
    ]


def document(results: Results) -> str:
    names = results.data("table 2", TWELVE)
    lines = [
        "# The paper, reproduced",
        "",
        "Written by `make reproduce` (benchmarks/paper/reproduce.py); do not edit. The paper is Gopalan, Sharan",
        "and Wieder: PIDForest: Anomaly Detection via Partial Identification, NeurIPS 2019. Its figures are in",
        "brackets beside ours. `default`, `authors` and `paper` are our presets: our own cut rule, the rule of the authors' code, and the",
        "rule of the paper's text. The rivals are the real libraries: scikit-learn",
        "(iForest, LOF, SVM, EM), PyOD (kNN, PCA, ECOD, COPOD, HBOS), rrcf and isotree.",
    ]
    if names:
        lines += real.comparison(results) + agreement(results) + real.table_1(names) + real.table_2(results, names)
    lines += real.table_3(results) + trees.ablation(results)
    lines += made_up.masking(results) + made_up.mixtures(results) + made_up.series(results) + made_up.hyper(results)
    lines += trees.split(results)
    if names:
        lines += real.speed(results, names) + disagreements(results)
    return "\n".join(reflow(lines + how(results))) + "\n"


def plain(results: Results) -> list[dict]:
    """Return, by experiment, data set and algorithm, the seeds and every figure as a list with one number per seed."""
    groups = []
    for key, tasks in groupby(sorted(results.by_task), key=lambda task: task[:3]):
        runs = [(task.seed, results.by_task[task]) for task in tasks]
        figures = [name for name in dict.fromkeys(name for _, found in runs for name in found) if name not in CURVES]
        columns = {name: [short(found.get(name)) for _, found in runs] for name in figures}
        groups.append(dict(zip(Task._fields, key)) | {"seeds": [seed for seed, _ in runs]} | columns)
    return groups


def short(number: float | None) -> float | None:
    return None if number is None else float(f"{number:.5g}")


def write_all(by_task: dict[Task, dict], folder: Path) -> None:
    results = Results(by_task)
    pictures = folder / "paper"
    pictures.mkdir(parents=True, exist_ok=True)
    plots.draw_all(results, pictures)
    lines = ",\n".join(json.dumps(one) for one in plain(results))
    (pictures / "results.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    (folder / "paper.md").write_text(document(results), encoding="utf-8")
