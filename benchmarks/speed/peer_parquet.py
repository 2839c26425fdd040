# SPDX-License-Identifier: Apache-2.0
"""The usual scripts: read a Parquet file, fit and score an isolation forest, and print the rarest rows.

    .venv/bin/python benchmarks/speed/peer_parquet.py duckdb|polars FILE

duckdb: DuckDB and scikit-learn. polars: polars and isotree.
"""

import sys

import numpy as np


def scores_by_duckdb(path):
    import duckdb
    from sklearn.ensemble import IsolationForest

    rows = np.column_stack(list(duckdb.sql(f"FROM '{path}'").fetchnumpy().values()))
    return -IsolationForest(n_estimators=100, max_samples=256, random_state=0).fit(rows).score_samples(rows)


def scores_by_polars(path):
    import polars
    from isotree import IsolationForest

    rows = polars.read_parquet(path).to_numpy()
    forest = IsolationForest(ntrees=100, sample_size=256, ndim=1, random_seed=0)
    return forest.fit(rows).predict(rows)


scores = {"duckdb": scores_by_duckdb, "polars": scores_by_polars}[sys.argv[1]](sys.argv[2])
for row in np.argsort(-scores)[:10]:
    print(row + 1, scores[row])
