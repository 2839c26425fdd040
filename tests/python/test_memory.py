# SPDX-License-Identifier: Apache-2.0
"""Memory: tables are viewed, streams pass through, nothing leaks."""

import subprocess
import sys

import pytest

PEAK = """
import gc, resource
import numpy as np
from pidforest import PIDForest

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

"""


def printed_by(code):
    return subprocess.run([sys.executable, "-c", PEAK + code], capture_output=True, text=True, check=True, timeout=300).stdout


VIEWED = """
import pandas, polars, pyarrow
n_rows, n_columns = 2_000_000, 10
columns = [np.random.default_rng(i).random(n_rows) for i in range(n_columns)]
make = {
    "C": lambda: np.stack(columns, axis=1),
    "Fortran": lambda: np.stack(columns).T,
    "pandas": lambda: pandas.DataFrame({f"a{i}": column for i, column in enumerate(columns)}),
    "polars": lambda: polars.DataFrame({f"a{i}": column for i, column in enumerate(columns)}),
    "pyarrow": lambda: pyarrow.table({f"a{i}": pyarrow.array(column) for i, column in enumerate(columns)}),
    "float32": lambda: np.stack(columns, axis=1, dtype=np.float32),
}[KIND]
X = make()
before = peak()
forest = PIDForest(n_estimators=10).fit(X)
after_fit = peak()
scores = forest.score_samples(X)
assert len(scores) == n_rows
print(after_fit - before, peak() - before)
"""


@pytest.mark.parametrize("kind", ["C", "Fortran", "pandas", "polars", "pyarrow", "float32"])
def test_tables_are_not_copied(kind):
    of_fit, of_score = map(int, printed_by(f"KIND = {kind!r}\n" + VIEWED).split())
    table = 2_000_000 * 10 * 8
    assert of_fit < 0.25 * table
    assert of_score < 0.25 * table + 2 * 2_000_000 * 8  # the scores, twice while they are handed over


STREAM = """
import pyarrow
n_batches, n_rows = N_BATCHES, 100_000
def batches():
    for i in range(n_batches):
        rng = np.random.default_rng(i)
        yield pyarrow.record_batch({f"a{k}": rng.random(n_rows) for k in range(10)})
def stream():
    return pyarrow.RecordBatchReader.from_batches(next(batches()).schema, batches())
forest = PIDForest(n_estimators=5).fit(stream())
after_fit = peak()
assert len(forest.score_samples(stream())) == n_batches * n_rows
print(after_fit, peak())
"""


def test_a_stream_passes_through():
    """With three times the rows, 240 MB more: the fit keeps 128 MB in memory, scoring keeps only the scores."""
    few_fit, few_score = map(int, printed_by("N_BATCHES = 20\n" + STREAM).split())
    many_fit, many_score = map(int, printed_by("N_BATCHES = 60\n" + STREAM).split())
    assert many_fit < few_fit + 40e6
    assert many_score < few_score + 40e6 + 3 * 4_000_000 * 8


ROUNDS = """
import pandas, pyarrow
rng = np.random.default_rng(0)
frame = pandas.DataFrame({"a": rng.random(40), "c": rng.choice(list("xyz"), 40), "t": pandas.date_range("2026", periods=40, freq="h")})
table = pyarrow.Table.from_pandas(frame)
X = rng.random((40, 2))

def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

def round(i):
    some = (frame, table, X)[i % 3]
    forest = PIDForest(n_estimators=2, n_jobs=1, random_state=i % 7).fit(some)
    forest.score_samples(some)
    forest.explain(some)[3].text
    if i % 50 == 0:
        for bad in (np.zeros((0, 2)), pyarrow.table({"l": [[1]]}), frame.assign(a="x").rename(columns={"a": "b"})):
            try:
                forest.score_samples(bad)
            except (TypeError, ValueError):
                pass

for i in range(2_000):
    round(i)
before = resident()
for i in range(10_000):
    round(i)
print(resident() - before)
"""


def test_ten_thousand_rounds_leak_nothing():
    assert int(printed_by(ROUNDS)) < 2_000_000
