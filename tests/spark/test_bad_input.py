# SPDX-License-Identifier: Apache-2.0
"""Bad input ends in an error that names the column and the remedy, before the first job where that is possible."""

from types import SimpleNamespace

import pyarrow as pa
import pytest
from pyspark.errors import PythonException
from pyspark.sql import functions as F
from sessions import orders, orders_of_spark

import pidforest
from pidforest.spark import PIDForest, PIDForestModel, passes, wheel


@pytest.fixture(scope="module")
def df(spark):
    rows = orders_of_spark(spark, 500).persist()
    yield rows
    rows.unpersist()


@pytest.fixture(scope="module")
def model(df):
    return PIDForest(nEstimators=2, inputCols=["price", "country"], contamination=0.01).fit(df)


@pytest.fixture
def no_jobs(spark):
    """Fail if the test runs a job of Spark."""
    tracker = spark.sparkContext.statusTracker()
    before = tracker.getJobIdsForGroup()
    yield
    assert tracker.getJobIdsForGroup() == before


def test_a_job_would_be_seen(spark, df):
    tracker = spark.sparkContext.statusTracker()
    before = set(tracker.getJobIdsForGroup())
    df.count()
    assert set(tracker.getJobIdsForGroup()) > before


def refused(message, function, *arguments, **more):
    with pytest.raises(ValueError, match=message):
        function(*arguments, **more)


def test_a_missing_column_is_named(no_jobs, df, model):
    refused("the DataFrame has no column 'weigth'. It has 'price', 'paid', .* and 1 more", PIDForest(inputCols=["weigth"]).fit, df)
    refused("the DataFrame has no column 'order', which idCol names", PIDForest(idCol="order").fit, df)
    refused("the DataFrame has no column 'country'. It has 'price'", model.transform, df.select("price"))
    refused("the DataFrame has no column 'country'", model.explain, df.select("price"))


def test_no_column_left_is_an_error(no_jobs, df):
    refused("the DataFrame has no column to fit. Name at least one column in inputCols", PIDForest(inputCols=[]).fit, df)
    refused("the DataFrame has no column beside 'items' to fit", PIDForest(idCol="items").fit, df.select("items"))


@pytest.mark.parametrize(
    "column, kind",
    [
        (lambda: F.array("price"), r"array<double>"),
        (lambda: F.struct("price", "items"), r"struct<price:double,items:smallint>"),
        (lambda: F.create_map("country", "price"), r"map<string,double>"),
        (lambda: F.col("country").cast("binary"), "binary"),
        (lambda: F.parse_json(F.lit("1")), "variant"),
    ],
    ids=["array", "struct", "map", "binary", "variant"],
)
def test_types_that_no_column_may_have_are_named(no_jobs, df, column, kind):
    refused(rf"column 'odd' is {kind}; a column may contain numbers.*Leave it out of inputCols", PIDForest().fit, df.withColumn("odd", column()))


def test_columns_must_have_one_name_each(no_jobs, df):
    refused("column 'price' occurs 2 times in the DataFrame. Rename", PIDForest().fit, df.select("price", "price"))
    refused("column 'price' is named 2 times in inputCols", PIDForest(inputCols=["price", "price"]).fit, df)


def test_columns_that_exist_are_not_overwritten(no_jobs, df, model):
    refused("column 'score' exists in the DataFrame. Rename it, or set scoreCol", model.transform, df.withColumn("score", F.lit(1)))
    refused("column 'reason' exists in the DataFrame", model.explain, df.withColumn("reason", F.lit(1)))
    same = model.copy().setParams(predictionCol="score")
    refused("column 'score' would be written twice", same.transform, df)


def test_a_column_of_another_type_is_refused_before_the_job(no_jobs, df, model):
    of_days = PIDForestModel.from_local(pidforest.PIDForest(n_estimators=2).fit(orders(50).select(["day"])))
    refused("column 'day'.*time", of_days.transform, df.withColumn("day", F.col("price") > 0))
    schema = {"columns": [{"name": "country", "kind": "continuous"}, {"name": "absent", "kind": "continuous"}]}
    refused("the table has no column 'absent'", PIDForest(schema=schema).fit, df)


def test_streams_cannot_be_fitted(no_jobs, spark):
    refused("a streaming DataFrame has no last row to fit", PIDForest().fit, spark.readStream.format("rate").load())


def test_explanations_need_a_threshold_and_counts(no_jobs, df, model):
    bare = PIDForestModel.from_local(pidforest.PIDForest(n_estimators=2, reasons=False, contamination=None).fit([[1.0], [2.0]]))
    numbers = df.select(F.col("price").alias("x0"))
    refused("fitted with reasons=False. Fit it with reasons=True", bare.explain, numbers, minBits=1)
    refused("fitted with reasons=False", bare.setParams(reasonCol="why").transform, numbers)
    without = PIDForestModel.from_local(pidforest.PIDForest(n_estimators=2, contamination=None).fit([[1.0], [2.0]]))
    refused("the model has no threshold, as contamination=None sets none. Give minBits", without.explain, numbers)


def test_an_empty_frame_is_refused(df, model, tmp_path):
    nothing = df.where("price > 1e9")
    refused("the DataFrame has no rows; fitting requires at least one. Check its filters and joins", PIDForest().fit, nothing)
    assert model.transform(nothing).count() == 0
    assert model.explain(nothing).count() == 0
    refused("the DataFrame has no rows to report", model.report, nothing, tmp_path / "page.html")
    refused("maxRows must be at least 1; got 0", model.report, df, tmp_path / "page.html", maxRows=0)


def test_a_refused_value_is_named_by_its_row_in_all_partitions(spark):
    table = pa.table({"a": ["1"] * 70 + ["many"] + ["2"] * 29, "n": range(100)})
    spread = spark.createDataFrame(table).repartitionByRange(4, "n").sortWithinPartitions("n")
    schema = {"columns": [{"name": "a", "kind": "continuous"}]}
    refused("row 71, column 'a': must be a number.*'many'", PIDForest(schema=schema).fit, spread)
    infinite = spread.select("n", F.when(F.col("n") == 80, float("inf")).otherwise(1.0).alias("x"))
    refused("row 81, column 'x': must be finite or missing", PIDForest().fit, infinite)


CHANGING = {
    "values": lambda numbers, any_number: numbers.select(any_number().alias("x")),
    "counts": lambda numbers, any_number: numbers.where(any_number() < 0.5),
    "time": lambda numbers, any_number: numbers.select((F.col("id") + F.unix_micros(F.current_timestamp())).alias("x")),
}


@pytest.mark.parametrize("kind", [pytest.param("values", marks=pytest.mark.smoke), "counts", "time"])
def test_rows_that_change_between_passes_are_refused(spark, kind):
    any_number = F.udf(lambda: __import__("secrets").randbits(40) / 2**40, "double").asNondeterministic()
    changing = CHANGING[kind](spark.range(2000, numPartitions=2), any_number)
    message = r"the rows, or their order, changed between passes: partition 0 .*persist\(\) or checkpoint\(\)"
    refused(message, PIDForest(nEstimators=2).fit, changing)
    kept = changing.persist()
    assert PIDForest(nEstimators=2).fit(kept).local.n_features_in_ == 1
    kept.unpersist()


def test_files_that_are_being_written_are_refused(spark, tmp_path, monkeypatch):
    file = tmp_path / "rows.csv"
    file.write_text("".join(f"{i}.5\n" for i in range(10, 99)))
    grow = passes._core.grow

    def grow_meanwhile(survey):
        file.write_text("".join(f"{i}.7\n" for i in range(10, 99)))
        return grow(survey)

    monkeypatch.setattr(passes, "_core", SimpleNamespace(**{**vars(passes._core), "grow": grow_meanwhile}))
    refused("partition 0 has other values, or another order", PIDForest(nEstimators=2).fit, spark.read.csv(str(file), schema="x double"))


def test_another_version_on_an_executor_is_named(df, model, monkeypatch):
    monkeypatch.setattr(wheel, "executor_check", lambda check=wheel.executor_check: check("9.9.9"))
    refused("executor .* has pidforest 0.1.0, and the driver has 9.9.9. Give both one version. Install the wheel on every executor", PIDForest().fit, df)
    with pytest.raises(PythonException, match="has pidforest 0.1.0, and the driver has 9.9.9"):
        model.transform(df.limit(5)).collect()
