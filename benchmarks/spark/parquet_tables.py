# SPDX-License-Identifier: Apache-2.0
"""The tables of the benchmark as Parquet: generated numbers, and public data sets with labels."""

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PIDFOREST_DATA", ROOT.parent / "shared" / "data"))
LABELLED = {"http": "http.csv.gz", "mammography": "mammography.csv"}
N_COLUMNS = 10
ROWS_OF_FILE = 1_250_000


def numbers(n_rows: int, seed: int) -> pa.Table:
    """Ten columns of numbers; one row in a thousand is far out in two of them."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(N_COLUMNS, n_rows))
    planted = rng.random(n_rows) < 0.001
    values[3, planted] += 8
    values[7, planted] -= 8
    return pa.table({f"x{i}": values[i] for i in range(N_COLUMNS)})


def write_numbers(folder: Path, n_rows: int) -> Path:
    """Write at least two files, so that two cores have work. Returns their folder."""
    target = folder / f"numbers{n_rows}"
    target.mkdir()
    n_files = max(2, -(-n_rows // ROWS_OF_FILE))
    for i in range(n_files):
        pq.write_table(numbers(n_rows * (i + 1) // n_files - n_rows * i // n_files, i), target / f"part{i:02}.parquet")
    return target


def write_events(folder: Path, n_batches: int, n_keys: int, n_each: int) -> Path:
    """Write a file for each micro-batch, in which each key has `n_each` events."""
    target = folder / "events"
    target.mkdir()
    for i in range(n_batches):
        n_rows = n_keys * n_each
        at = np.arange(i * n_rows, (i + 1) * n_rows)
        events = numbers(n_rows, i).append_column("key", pa.array(at % n_keys)).append_column("at", pa.array(at))
        pq.write_table(events, target / f"batch{i:02}.parquet")
        os.utime(target / f"batch{i:02}.parquet", (1e9 + i, 1e9 + i))
    return target


def write_labelled(folder: Path, name: str) -> Path:
    """Write a public data set, whose last column is the label."""
    target = folder / name
    target.mkdir()
    pq.write_table(pyarrow.csv.read_csv(DATA / LABELLED[name]), target / "part0.parquet")
    return target
