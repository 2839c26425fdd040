# SPDX-License-Identifier: Apache-2.0
"""The peer: scikit-learn's IsolationForest, fitted on the driver to a sample, and scoring in a pandas UDF."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from pyspark.sql import functions as F
from sklearn.ensemble import IsolationForest

SAMPLE = 100_000


def fit(df: Any, columns: list[str], n_rows: int) -> IsolationForest:
    """Fit a sample of at most about `SAMPLE` rows."""
    part = df.select(*columns)
    sample = part if n_rows <= SAMPLE else part.sample(SAMPLE / n_rows, seed=0)
    return IsolationForest(random_state=0, n_jobs=1).fit(sample.toPandas().to_numpy())


def transform(forest: IsolationForest, df: Any, columns: list[str]) -> Any:
    """The rows with the column score: higher is rarer."""

    @F.pandas_udf("double")
    def score(batches: Iterator[pd.DataFrame]) -> Iterator[pd.Series]:
        for batch in batches:
            yield pd.Series(-forest.score_samples(batch.to_numpy()))

    return df.withColumn("score", score(F.struct(*columns)))
