# SPDX-License-Identifier: Apache-2.0
"""The harness that reproduces the paper: its parts, and a quick run on one small set with the installed packages."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "paper"
sys.path.append(str(FOLDER))

import algorithms  # noqa: E402
import depth  # noqa: E402
import experiments  # noqa: E402
import fetch  # noqa: E402
import judges  # noqa: E402
import results  # noqa: E402
import synthetic  # noqa: E402
from cache import Cache, Task  # noqa: E402
from page import write_all  # noqa: E402
from read_pidf import end_of_row, read  # noqa: E402
from runner import run_all  # noqa: E402

DATA = experiments.DATA
TASKS = [Task("table 2", "moons", "guess", seed) for seed in range(4)]
needs_data = pytest.mark.skipif(not (DATA / "vowels.csv").exists(), reason="the data folder (PIDFOREST_DATA) is absent")


def reproduce(folder, *flags, data=DATA):
    command = [sys.executable, FOLDER / "reproduce.py", "--cache", folder / "results.jsonl", "--output", folder, *flags]
    environment = os.environ | {"PIDFOREST_DATA": str(data)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)


def cells_of(text, heading, first):
    """Return the cells, by column, of the row that begins with `first` in the first table below a heading."""
    lines = text[text.index(heading) :].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return dict(zip(rows[0], next(row for row in rows if row[0] == first)))


def test_results_are_there_again_but_not_under_another_fingerprint(tmp_path):
    Cache(tmp_path / "c").put(TASKS[0], "now", {"auc": 0.5})
    again = Cache(tmp_path / "c")
    assert again.get(TASKS[0], "now") == {"auc": 0.5}
    assert again.get(TASKS[0], "then") is None
    assert again.get(TASKS[1], "now") is None


def test_a_torn_last_line_costs_its_own_task_only(tmp_path):
    path = tmp_path / "c"
    for task in TASKS[:2]:
        Cache(path).put(task, "now", {"auc": task.seed})
    path.write_bytes(path.read_bytes()[:-9])
    torn = Cache(path)
    assert [torn.get(task, "now") for task in TASKS[:2]] == [{"auc": 0}, None]
    torn.put(TASKS[2], "now", {"auc": 2})
    assert Cache(path).get(TASKS[2], "now") == {"auc": 2}


def run_or_fail(task):
    if task.seed == 1:
        raise ValueError("planted")
    while task.seed == 2:
        pass
    return {"seed": task.seed}


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_task_that_fails_or_never_ends_leaves_the_others_alone(jobs, capfd):
    found = {ended.task.seed: ended.result for ended in run_all(run_or_fail, TASKS, jobs, limit=2)}
    assert found == {0: {"seed": 0}, 1: None, 2: {"timeout": 2}, 3: {"seed": 3}}
    assert "FAILED table 2: guess on moons, seed 1" in capfd.readouterr().err


def test_masked_rows_are_zeros_and_nothing_else_is():
    data = synthetic.masking(0)
    assert (np.abs(data.rows).sum(axis=1) == 10 * (1 - data.labels)).all()
    assert data.labels.sum() == 30


def test_the_rarest_of_a_mixture_do_not_depend_on_the_noise():
    plain, noisy, wide = (synthetic.mixture(noise, n, 3) for noise, n in ((2, 0), (2, 5), (10, 5)))
    assert noisy.rows.shape == (1000, 7)
    assert np.array_equal(plain.labels, noisy.labels) and plain.labels.sum() == 100
    assert np.allclose(wide.rows[:, 2:], 5 * noisy.rows[:, 2:])


def test_windows_of_the_sine_are_flat_where_a_stretch_holds_them():
    data = synthetic.sine(0)
    inside = [place + i for place in data.places for i in range(synthetic.STRETCH - synthetic.SHINGLE)]
    assert data.rows.shape == (1991, 10)
    assert np.ptp(data.rows, axis=1)[sorted(data.places)[0]] < 0.2 < np.median(np.ptp(data.rows, axis=1))
    assert data.labels[inside].all() and not data.labels.all()


def test_a_perfect_ranking_and_a_reversed_one():
    data = synthetic.Labelled(np.zeros((10, 1)), np.array([0] * 8 + [1] * 2))
    best, worst = (judges.ranking(data, np.arange(10) * sign) for sign in (1, -1))
    assert (best["auc"], best["precision"], worst["auc"]) == (1, 1, 0)
    assert best["roc"][0] == 1 and worst["roc"][-2] < 1 == worst["roc"][-1]
    assert judges.found_in_top(2)(data, np.arange(10)) == {"found": 1}
    assert judges.found_in_top(2)(data, -np.arange(10)) == {"found": 0}


def test_stretches_are_found_by_windows_near_them():
    data = synthetic.sine(1)
    found = judges.stretches(data, data.labels + 1e-6 * np.random.RandomState(0).random(len(data.labels)))
    assert min(found["reported_precision"]) == 1
    assert found["reported_recall"] == sorted(found["reported_recall"])


def test_what_is_within_two_standard_errors_is_level():
    found = {"a": [0.90, 0.92], "b": [0.89, 0.91], "c": [0.70, 0.71], "d": [0.915]}
    assert results.best_of(found).name == "d"
    assert results.level_with_best(found) == ["a", "b", "d"]
    assert not results.is_tie([0.9], [0.91])


@pytest.mark.parametrize("preset", ["default", "authors"])
def test_depths_are_those_of_the_nodes_where_rows_end(preset, tmp_path):
    rows = np.random.RandomState(1).standard_cauchy((200, 3))
    forest = algorithms.forest_of(preset, 0, n_estimators=3).fit(rows)
    forest.save(tmp_path / "f.pidf")
    model = read((tmp_path / "f.pidf").read_bytes())
    for number, tree in enumerate(depth.trees_of(forest)):
        parent = {}
        for node, (first, cuts) in enumerate(zip(tree["first_child"], tree["n_cuts"])):
            parent |= {first + i: node for i in range(cuts + 1)} if first else {}
        for row, found in zip(rows, depth.depths(tree, rows)):
            node, steps = end_of_row(model, number, lambda axis: row[model["axis.source"][axis]]), 0
            while node:
                node, steps = parent[node], steps + 1
            assert found == steps


def test_rivals_find_a_far_row_and_a_seed_gives_the_same_scores():
    rows = np.random.RandomState(0).normal(size=(300, 3))
    rows[17] = 20
    everyone = algorithms.PRESETS | algorithms.RIVALS | algorithms.TODAY
    everyone["RRCF"] = algorithms.RRCF._replace(settings={"n_trees": 20, "tree_size": 100})
    for name, algorithm in everyone.items():
        if algorithm.is_installed():
            scores = algorithm.on(rows, 1).scores
            assert scores.argmax() == 17, name
            assert np.array_equal(scores, algorithm.on(rows, 1).scores), name


def test_fetched_matrices_and_series_become_the_same_text_everywhere():
    import scipy.io

    content = io.BytesIO()
    scipy.io.savemat(content, {"X": np.array([[1.0, 0.1], [-3.0, 1e-7]]), "y": np.array([[0], [1]])})
    assert fetch.from_matlab("vowels", content.getvalue()) == b"x0,x1,label\n1,0.1,0\n-3,1e-07,1\n"
    series = b"timestamp,value,anomaly_score,label\n7/1/14 0:30,8127,0.1,0\n"
    assert fetch.from_series(series) == b"timestamp,value,label\n2014-07-01T00:30:00,8127,0\n"
    assert "must be f80a2bda" in fetch.fault("vowels", b"")


@pytest.mark.parametrize(
    "task, heading",
    [
        (Task("masking", "zeros", "iForest max_samples=100", 0), "## Masking"),
        (Task("mixture", "2/6", "PCA", 0), "## Mixtures of Gaussians"),
        (Task("series", "sine", "kNN", 1), "## Time series"),
        (Task("hyper", "sine", "authors max_children=2", 0), "## Hyperparameters"),
    ],
)
def test_a_page_can_be_written_from_one_result(task, heading, tmp_path):
    write_all({task: experiments.run(task)}, tmp_path)
    page = (tmp_path / "paper.md").read_text(encoding="utf-8")
    others = {"## Masking", "## Mixtures of Gaussians", "## Time series", "## Hyperparameters"} - {heading}
    assert heading in page and not any(other in page for other in others)
    assert all((tmp_path / name).exists() for name in re.findall(r"!\[.*\]\((.*)\)", page))


@needs_data
def test_a_quick_run_writes_the_page_and_a_second_one_only_reads(tmp_path):
    flags = ["--quick", "--only", "table 2,more seeds,hyper", "--data", "vowels,sine"]
    done = reproduce(tmp_path, *flags)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "paper.md").read_text(encoding="utf-8")
    row = cells_of(page, "## Table 2", "vowels")
    authors, paper = row["authors"].split(" ")
    assert abs(float(authors) - 0.741) < 0.05 and paper == "(0.741)"
    assert row["LOF"] == "0.943 (0.943)"
    assert "mixture: 2200 of 2200 tasks not run" in page
    kept = json.loads((tmp_path / "paper" / "results.json").read_text(encoding="utf-8"))
    assert {one["experiment"] for one in kept} == {"table 2", "more seeds", "hyper"}
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    again = reproduce(tmp_path, *flags)
    n_tasks = sum(len(one["seeds"]) for one in kept)
    assert f"{n_tasks} tasks, {n_tasks} of them done before" in again.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == files


@needs_data
def test_the_number_of_processes_changes_nothing_but_times(tmp_path):
    found = []
    for jobs in ("1", "3"):
        folder = tmp_path / jobs
        assert reproduce(folder, "--quick", "--only", "more seeds", "--jobs", jobs).returncode == 0
        kept = json.loads((folder / "paper" / "results.json").read_text(encoding="utf-8"))
        found.append([{key: value for key, value in one.items() if "seconds" not in key} for one in kept])
    assert found[0] == found[1] and found[0][0]["seeds"] == list(range(10))


def test_without_data_it_says_which_file_is_missing_and_who_fetches_it(tmp_path):
    done = reproduce(tmp_path, "--quick", "--only", "table 2", "--data", "vowels", data=tmp_path)
    assert done.returncode == 3
    assert "has no vowels.csv" in done.stderr
    assert "PIDFOREST_DATA" in done.stderr and "fetch.py" in done.stderr


def test_an_unknown_experiment_is_named_with_those_there_are(tmp_path):
    done = reproduce(tmp_path, "--only", "table 9")
    assert done.returncode == 2
    assert "must be some of table 2, " in done.stderr and "got 'table 9'" in done.stderr
