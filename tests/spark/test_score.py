# SPDX-License-Identifier: Apache-2.0
"""Scores, reasons and reports of DataFrames are those of the plain model."""

import re

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import functions as F
from sessions import local_rows, orders_of_spark

import pidforest
from pidforest.spark import PIDForest, PIDForestModel


@pytest.fixture(scope="module")
def df(spark):
    rows = orders_of_spark(spark).repartition(3, "country").persist()
    yield rows
    rows.unpersist()


@pytest.fixture(scope="module")
def plain(df):
    return pidforest.PIDForest(n_estimators=20).fit(local_rows(df))


@pytest.fixture(scope="module")
def model(plain):
    return PIDForestModel.from_local(plain)


@pytest.mark.smoke
def test_scores_and_predictions_are_those_of_the_plain_model(df, model, plain):
    scored = model.transform(df).toArrow()
    rows = local_rows(df)
    assert scored.column_names == [*rows.column_names, "score", "prediction"]
    assert np.array_equal(scored["score"].to_numpy(), -plain.score_samples(rows))
    assert np.array_equal(scored["prediction"].to_numpy(), (plain.predict(rows) == -1).astype(float))
    assert scored["prediction"].to_numpy().sum() > 3


def test_columns_are_named_by_parameters(df, model, plain):
    renamed = model.copy().setParams(scoreCol="bits", predictionCol="", reasonCol="why")
    scored = renamed.transform(df.limit(50)).toArrow()
    assert scored.column_names[-2:] == ["bits", "why"]
    reasons = [one.text for one in plain.explain(local_rows(df.limit(50)))]
    assert scored["why"].to_pylist() == reasons
    assert "why" not in model.transform(df).columns


def test_a_model_without_a_threshold_predicts_nothing(df):
    model = PIDForestModel.from_local(pidforest.PIDForest(n_estimators=2, contamination=None).fit(local_rows(df)))
    assert model.transform(df).where("prediction IS NOT NULL").count() == 0


def test_columns_of_any_type_pass_through(spark, df, model):
    nested = df.withColumn("tags", F.array("country")).withColumn("raw", F.col("country").cast("binary"))
    scored = model.transform(nested)
    assert scored.schema.fields[: len(nested.columns)] == nested.schema.fields
    assert scored.where("score > 2").select("tags", "raw").count() > 0


def test_only_the_columns_that_scores_depend_on_are_sent(df, model):
    ignored = {column["name"] for column in model.local.schema_["columns"] if column["kind"] == "ignored"}
    assert "code.of order" in ignored
    assert model.transform(df.drop("code.of order")).agg(F.sum("score")).first() == model.transform(df).agg(F.sum("score")).first()


def test_explain_gives_the_reasons_of_the_anomalies(df, model, plain):
    found = model.explain(df).toArrow()
    rows = local_rows(df)
    expected = [one for one in plain.explain(rows) if one.is_anomaly]
    assert len(expected) > 3
    assert found.column_names == [*rows.column_names, "score", "reason", "n_inside", "expected", "witness_bits", "column_bits"]
    assert found["reason"].to_pylist() == [one.text for one in expected]
    assert found["n_inside"].to_pylist() == [one.n_inside for one in expected]
    assert found["expected"].to_pylist() == [one.expected for one in expected]
    assert found["witness_bits"].to_pylist() == [one.bits for one in expected]
    assert dict(found["column_bits"][0].as_py()) == expected[0].column_bits


def test_min_bits_replaces_the_threshold(df, model, plain):
    bits = -plain.score_samples(local_rows(df))
    limit = float(np.sort(bits)[-50])
    assert model.explain(df, minBits=limit).count() == (bits >= limit).sum()


def test_a_report_is_the_page_of_the_plain_model(df, model, plain, tmp_path):
    page = model.copy().setParams(idCol="code.of order").report(df, tmp_path / "spark.html", title="Orders")
    expected = plain.report(local_rows(df), tmp_path / "plain.html", title="Orders", id="code.of order")
    assert page.read_bytes() == expected.read_bytes()


def test_a_report_of_a_sample_says_so(spark, df, model, tmp_path):
    page = model.report(df, tmp_path / "sample.html", maxRows=500)
    text = page.read_text()
    assert re.search(r"500 of 3,000 rows, drawn at random", text)
    again = model.report(df, tmp_path / "again.html", maxRows=500)
    assert again.read_bytes() == page.read_bytes()


def test_a_plain_model_scores_what_spark_cannot_hold(df, model, tmp_path):
    path = tmp_path / "orders.pidf"
    model.local.save(path)
    loaded = PIDForestModel.from_local(pidforest.PIDForest.load(path), scoreCol="bits")
    assert loaded.transform(df).columns[-2:] == ["bits", "prediction"]


def test_a_streaming_dataframe_is_scored(spark, model, plain, tmp_path):
    rows = orders_of_spark(spark, 300).coalesce(1)
    rows.write.parquet(str(tmp_path / "rows"))
    arriving = spark.readStream.schema(rows.schema).parquet(str(tmp_path / "rows"))
    query = model.transform(arriving).writeStream.format("memory").queryName("scored").trigger(availableNow=True).start()
    query.awaitTermination()
    found = spark.table("scored").orderBy("`code.of order`").toArrow()["score"].to_numpy()
    expected = -plain.score_samples(local_rows(rows.orderBy("`code.of order`")))
    assert np.array_equal(found, expected)


def test_one_column_is_scored(spark):
    table = pa.table({"a": [float(i % 10) for i in range(500)] + [60.0]})
    model = PIDForest(nEstimators=5, reasonCol="why").fit(spark.createDataFrame(table))
    last = model.transform(spark.createDataFrame(table)).orderBy(F.desc("score")).first()
    assert (last["a"], last["prediction"]) == (60.0, 1.0)
    assert last["why"].startswith("a = 60: only 1 of 501 rows")
