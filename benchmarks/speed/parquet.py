# SPDX-License-Identifier: Apache-2.0
"""The part of docs/speed.md on Parquet: `detect` from a Parquet file to anomalies, compared with scripts of DuckDB and
scikit-learn, and of polars and isotree."""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from files import HERE, run
from made_table import SEED
from report import Requirement, table

FASTER = 5
MEMORY = 1 / 5
DRIVERS = HERE.parents[1] / ".drivers"
NAMES = {"duckdb": "DuckDB and scikit-learn", "polars": "polars and isotree"}


def write(path, n):
    """10 columns of Gaussian numbers, and in the last row one that is far off."""
    import pyarrow
    import pyarrow.parquet

    rng = np.random.default_rng(SEED)
    schema = pyarrow.schema([(f"x{j}", pyarrow.float64()) for j in range(10)])
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for begin in range(0, n, 500_000):
            size = min(500_000, n - begin)
            columns = [rng.standard_normal(size) for _ in range(10)]
            if begin + size == n:
                columns[3][-1] = 40
            writer.write_table(pyarrow.table(columns, schema=schema))


def parquet(build, is_quick, asked):
    print("speed: parquet", file=sys.stderr, flush=True)
    n = 200_000 if is_quick else 10_000_000
    title = f"## From Parquet to anomalies: {n} x 10 rows"
    if not DRIVERS.exists():
        return ["", title, "", "Not measured: `scripts/bootstrap sources` installs the driver of DuckDB."]
    os.environ["ADBC_DRIVER_PATH"] = str(DRIVERS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        write(path, n)
        gigabytes = path.stat().st_size / 1e9
        run("/bin/cat", path)  # into the page cache
        took = {name: run(sys.executable, HERE / "peer_parquet.py", name, path) for name in NAMES}
        ours = run(build / "pidforest", "detect", path)
    fastest = min(took, key=lambda name: took[name].cpu)
    asked += [
        Requirement(f"detect from Parquet / {NAMES[fastest]}, CPU", took[fastest].cpu / ours.cpu, FASTER, False),
        Requirement("its peak memory / theirs", ours.peak_megabytes / took[fastest].peak_megabytes, MEMORY, True),
    ]
    rows = [[NAMES[name], *(f"{figure:.1f}" for figure in took[name])] for name in NAMES]
    rows.append(["pidforest detect", *(f"{figure:.1f}" for figure in ours)])
    return [
        "",
        title,
        "",
        f"One file of {gigabytes:.1f} GB. The scripts are in benchmarks/speed/peer_parquet.py. The figures are for whole processes, each with",
        "its own threads; pidforest reads the file by DuckDB's driver, and gives reasons, too.",
        *table(["", "CPU, s", "wall, s", "peak memory, MB"], rows),
    ]
