# SPDX-License-Identifier: Apache-2.0
"""The benchmark of Spark counts the CPU time of all its processes, and its page says what was measured."""

import subprocess
import sys

from sessions import ROOT

sys.path.append(str(ROOT / "benchmarks" / "spark"))
from cpu import measured, tree_seconds  # noqa: E402
from page import document  # noqa: E402
from parquet_tables import numbers, write_events  # noqa: E402

BUSY = "import time\nwhile time.process_time() < 0.6: pass"


def test_the_time_of_children_counts_while_they_run_and_afterwards():
    before = tree_seconds()
    child = subprocess.Popen([sys.executable, "-c", BUSY + "\nprint(1, flush=True)\ninput()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdout.readline()
    while_it_runs = tree_seconds() - before
    child.communicate(b"\n")
    assert 0.5 < while_it_runs < tree_seconds() - before + 0.1
    took, result = measured(lambda: subprocess.run([sys.executable, "-c", BUSY], check=True))
    assert took.cpu > 0.5 and took.wall > 0.5 and result.returncode == 0


def test_tables_are_the_same_each_time(tmp_path):
    assert numbers(1000, 3).equals(numbers(1000, 3)) and not numbers(1000, 3).equals(numbers(1000, 4))
    files = sorted(write_events(tmp_path, 3, 5, 2).iterdir())
    assert len(files) == 3 and files[0].stat().st_mtime < files[1].stat().st_mtime


def took(cpu):
    return {"cpu": cpu, "wall": 2 * cpu}


def figures(n_rows, n_cores, score):
    jobs = {name: {**took(1.0), "bytes": 1000} for name in ("facts", "survey", "counts")}
    whole = {"read": took(1.0), "identity": took(2.0), "fit": took(4.0), "score": took(score), "local": took(0.5)}
    return {"rows": n_rows, "cores": n_cores, "rounds": 3, "partitions": 2, "is_equal": n_rows < 500, "jobs": jobs, **whole}


def test_the_page_has_ratios_and_says_which_requirements_are_not_reached():
    both = {"rows": 50, "pidforest": {"fit": took(1), "score": took(1), "auc": 0.9}, "peer": {"fit": took(1), "score": took(1), "auc": 0.8}}
    results = {
        "numbers": [figures(100, 2, 2.5), figures(1000, 2, 4.0)],
        "peer": {"rows": 1000, "cores": 2, "fit": took(3), "score": took(3)},
        "labelled": {"http": both},
        "state": [{"horizon": 2048, "columns": 3, "bytes": 151_000, "read": 0.9, "write": 0.2}],
        "stream": {"rows": 1000, "keys": 2, "batches": 3, "spark": took(0.1), "local": took(0.01)},
        "load": [1.0, 2.0],
        "java": "17.0",
    }
    page = document(results)
    assert "| 1,000 | 2 | 1000.00 | 2000.00 | 4000.00 | 2.00x |" in page
    assert "| 1,000 | 2 | 1000.00 | 1000.00 | none | 1000.00 | 1000.00 | 4000.00 | 500.00 | 8.0x |" in page
    assert "CPU time of scoring 1,000 rows / of the identity pass: 2, at most 1.6: NOT reached" in page
    assert "at 100 rows" in page and "100 microseconds of CPU time per event" in page and "takes 10." in page
