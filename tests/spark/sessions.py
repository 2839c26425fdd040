# SPDX-License-Identifier: Apache-2.0
"""Spark sessions for tests, on the loopback interface, and tables for them."""

import datetime
import os
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(os.environ.get("PIDFOREST_PYTHON", ROOT / "build" / "python"))
ZONE = "America/New_York"  # neither that of the machine nor UTC

# Small jobs spend their time in the compilers of the JVM and in empty tasks.
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.session.timeZone": ZONE,
    "spark.sql.timeType.enabled": "true",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.ui.showConsoleProgress": "false",
    "spark.python.worker.faulthandler.enabled": "true",
}


def workers_environment():
    """Workers are this Python, and find the package that was built."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = str(PACKAGE)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"


def local_session(**settings):
    """A session on two threads, in which a task may fail three times."""
    from pyspark.sql import SparkSession

    workers_environment()
    builder = SparkSession.builder.master("local[2,4]").appName("tests")
    for name, value in {**SETTINGS, **settings}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def orders(n_rows=3000, seed=0):
    """Return a table with a column of each kind, missing values, two related columns with a few rows that break the relation,
    and values far out: the fit needs marks."""
    rng = np.random.default_rng(seed)
    price = rng.normal(size=n_rows).round(3)
    paid = (price + 0.1 * rng.normal(size=n_rows)).round(3)
    paid[rng.choice(n_rows, 12, replace=False)] *= -1
    far = rng.choice(n_rows, 9, replace=False)
    weight = rng.standard_cauchy(n_rows).round(2)
    price[far] += 30
    weight[far] += 40
    hours = np.datetime64("2026-01-01T00", "us") + rng.integers(0, 5000, n_rows) * np.timedelta64(1, "h")
    return pa.table(
        {
            "price": pa.array(price, mask=rng.random(n_rows) < 0.01),
            "paid": pa.array(paid),
            "weight": pa.array(weight, pa.float32()),
            "items": pa.array(rng.integers(1, 9, n_rows), pa.int16()),
            "gift": pa.array(rng.random(n_rows) < 0.1, mask=rng.random(n_rows) < 0.01),
            "country": pa.array(rng.choice(["DE", "FR", "BR", None], n_rows, p=[0.6, 0.3, 0.09, 0.01])),
            "total": pa.array((rng.lognormal(size=n_rows) * 100).astype(np.int64)).cast(pa.decimal128(21, 2)),
            "placed": pa.array(hours, pa.timestamp("us", tz="UTC")),
            "clock": pa.array(hours, pa.timestamp("us", tz="UTC")),
            "day": pa.array([datetime.date(2026, 1, 1) + datetime.timedelta(days=int(day)) for day in rng.integers(0, 300, n_rows)]),
            "code.of order": pa.array([f"order {i}" for i in range(n_rows)]),
        }
    )


def orders_of_spark(spark, n_rows=3000):
    """Return the orders as a DataFrame. Arrow's times without a zone become points in time in Spark, so one column is cast."""
    from pyspark.sql import functions as F

    return spark.createDataFrame(orders(n_rows)).withColumn("clock", F.col("clock").cast("timestamp_ntz"))


def in_session_zone(table, zone=ZONE):
    """The table with its points in time in Spark's time zone, in which Spark's own functions show them."""
    for place, field in enumerate(table.schema):
        if pa.types.is_timestamp(field.type) and field.type.tz is not None:
            table = table.set_column(place, field.name, table.column(place).cast(pa.timestamp("us", tz=zone)))
    return table


def local_rows(df):
    """The rows of the contract: those of toArrow, in the session's zone."""
    return in_session_zone(df.toArrow(), df.sparkSession.conf.get("spark.sql.session.timeZone"))
