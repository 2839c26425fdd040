# SPDX-License-Identifier: Apache-2.0
"""The contract: the model of a DataFrame has the bytes of the plain fit of its rows."""

import pickle

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import functions as F
from sessions import local_rows, orders_of_spark

import pidforest
from pidforest.spark import PIDForest, PIDForestModel
from pidforest.spark.params import OPTION_OF


def bytes_of(model):
    return model._bytes if isinstance(model, PIDForestModel) else model._model.to_bytes()


@pytest.fixture(scope="module")
def df(spark):
    rows = orders_of_spark(spark).repartition(3, "country").persist()
    yield rows
    rows.unpersist()


@pytest.mark.smoke
def test_a_model_has_the_bytes_of_the_plain_fit(df):
    model = PIDForest(nEstimators=20, seed=3).fit(df)
    plain = pidforest.PIDForest(n_estimators=20, random_state=3).fit(local_rows(df))
    assert bytes_of(model) == bytes_of(plain)
    assert model.threshold == plain._model.threshold
    assert model.local.schema_ == plain.schema_


@pytest.mark.parametrize("n_partitions", [1, 2, 7, 64])
def test_partitions_change_nothing_if_their_rows_are_in_one_order(spark, n_partitions):
    ordered = orders_of_spark(spark).withColumn("row", F.monotonically_increasing_id())
    spread = ordered.repartitionByRange(n_partitions, "row").sortWithinPartitions("row").drop("row").persist()
    model = PIDForest(nEstimators=10).fit(spread)
    assert spread.rdd.getNumPartitions() == n_partitions
    assert bytes_of(model) == bytes_of(pidforest.PIDForest(n_estimators=10).fit(local_rows(orders_of_spark(spark))))
    spread.unpersist()


def test_rows_are_numbered_by_partitions_after_a_shuffle(spark):
    shuffled = orders_of_spark(spark).repartition(5, "items").persist()
    assert bytes_of(PIDForest(nEstimators=10).fit(shuffled)) == bytes_of(pidforest.PIDForest(n_estimators=10).fit(local_rows(shuffled)))
    shuffled.unpersist()


def test_empty_partitions_and_batches_of_any_size_change_nothing(spark):
    few = orders_of_spark(spark, 20).repartition(9).persist()
    expected = bytes_of(pidforest.PIDForest(n_estimators=5).fit(local_rows(few)))
    before = spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch")
    for size in ("1", "10000"):
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", size)
        assert bytes_of(PIDForest(nEstimators=5).fit(few)) == expected
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", before)
    few.unpersist()


OPTIONS = [
    {"cuts": "optimal", "maxDepth": 5},
    {"countRows": "sample", "contamination": 0.05},
    {"countRows": 100, "aggregate": "quantile", "quantile": 0.5},
    {"reasons": False, "contamination": None},
    {"isolated": False, "rarePairs": False, "relatedShare": 0.0, "axisPower": float("inf")},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options_are_those_of_the_plain_fit(df, options):
    model = PIDForest(nEstimators=5, **options).fit(df)
    plain = pidforest.PIDForest(n_estimators=5, **{OPTION_OF[name]: value for name, value in options.items()}).fit(local_rows(df))
    assert bytes_of(model) == bytes_of(plain)


def test_a_schema_says_what_columns_mean(df):
    schema = {"columns": [{"name": "items", "kind": "category"}, {"name": "placed", "kind": "time"}, {"name": "price", "kind": "continuous"}]}
    model = PIDForest(nEstimators=5, schema=schema).fit(df)
    assert bytes_of(model) == bytes_of(pidforest.PIDForest(n_estimators=5, schema=schema).fit(local_rows(df)))


def test_points_in_time_are_read_in_the_zone_of_the_session(spark, df):
    by_zone = {}
    for zone in ("UTC", "Asia/Tokyo", "America/New_York"):
        spark.conf.set("spark.sql.session.timeZone", zone)
        times = df.select("placed")
        model = PIDForest(nEstimators=5).fit(times)
        assert bytes_of(model) == bytes_of(pidforest.PIDForest(n_estimators=5).fit(local_rows(times)))
        by_zone[zone] = model
        (column,) = model.local.schema_["columns"]
        assert column["zone"] == zone
    tokyo, in_tokyo = by_zone["Asia/Tokyo"], pidforest.PIDForest(n_estimators=5)
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    in_tokyo._take(tokyo._model, ["placed"])
    assert np.array_equal(tokyo.transform(df.select("placed")).toArrow()["score"].to_numpy(), -in_tokyo.score_samples(df.select("placed").toArrow()))


def test_id_columns_and_other_columns_are_left_out(df):
    model = PIDForest(nEstimators=5, idCol="code.of order").fit(df)
    assert "code.of order" not in model.getInputCols()
    assert bytes_of(model) == bytes_of(pidforest.PIDForest(n_estimators=5).fit(local_rows(df).drop_columns(["code.of order"])))
    chosen = PIDForest(nEstimators=5, inputCols=["weight", "country"]).fit(df)
    assert bytes_of(chosen) == bytes_of(pidforest.PIDForest(n_estimators=5).fit(local_rows(df).select(["weight", "country"])))


def test_durations_times_of_day_and_nulls_are_fitted(spark):
    query = """SELECT make_dt_interval(0, id % 5, 7) AS lasts, CAST(concat('10:', 10 + id % 40, ':12') AS TIME) AS at, CAST(id % 3 AS BYTE) AS few,
               CAST(NULL AS VOID) AS nothing, CAST(id % 7 = 0 AS BOOLEAN) AS seventh, CAST('x' AS CHAR(3)) AS padded FROM range(200)"""
    odd = spark.sql(query).coalesce(1)
    plain = pidforest.PIDForest(n_estimators=5).fit(local_rows(odd))
    model = PIDForest(nEstimators=5).fit(odd)
    assert bytes_of(model) == bytes_of(plain)
    assert np.array_equal(model.transform(odd).toArrow()["score"].to_numpy(), -plain.score_samples(local_rows(odd)))


def test_one_column_of_one_row_can_be_fitted(spark):
    one = spark.createDataFrame(pa.table({"a": [1.5]}))
    assert bytes_of(PIDForest(nEstimators=2).fit(one)) == bytes_of(pidforest.PIDForest(n_estimators=2).fit(pa.table({"a": [1.5]})))


def test_models_travel_with_their_pickles(df):
    model = PIDForest(nEstimators=2, inputCols=["weight"]).fit(df)
    assert bytes_of(pickle.loads(pickle.dumps(model))) == bytes_of(model)
