# SPDX-License-Identifier: Apache-2.0
"""A Spark session on this machine, and the actions that a fit runs on it."""

import os
import sys
from typing import Any, Callable

import pyarrow as pa
from cpu import Took, measured
from pyspark.sql import SparkSession
from pyspark.sql.classic.dataframe import DataFrame

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.sql.shuffle.partitions": "8",
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.showConsoleProgress": "false",
}


def local_session(n_cores: int) -> SparkSession:
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "OMP_NUM_THREADS": "1"}
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    builder = SparkSession.builder.master(f"local[{n_cores}]").appName("pidforest benchmark")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def actions_of(work: Callable[[], Any]) -> tuple[list[tuple[Took, int]], Any]:
    """Run it, and return what each `toArrow` took with the bytes that came to the driver, and the result."""
    plain, found = DataFrame.toArrow, []

    def watched(df: DataFrame) -> pa.Table:
        took, table = measured(lambda: plain(df))
        found.append((took, table.nbytes))
        return table

    DataFrame.toArrow = watched
    try:
        return found, work()
    finally:
        DataFrame.toArrow = plain


def written(df: Any) -> None:
    """Compute each row and column, and keep nothing."""
    df.write.format("noop").mode("overwrite").save()


def identity(df: Any) -> Any:
    """The rows passed through Python without a look."""
    return df.mapInArrow(lambda batches: batches, df.schema)
