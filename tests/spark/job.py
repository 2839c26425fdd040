# SPDX-License-Identifier: Apache-2.0
"""A driver as a process of its own: it fits and uses a model on a cluster, and prints what it found as one line of JSON.

    job.py MASTER FOLDER [NAME=VALUE ...]

MASTER is spark://... for a standalone master, or sc://... for Spark Connect; then NAME=VALUE are settings of Spark.
"""

import json
import sys

from sessions import SETTINGS, ZONE, local_rows, orders_of_spark, workers_environment


def session(master, settings):
    from pyspark.sql import SparkSession

    workers_environment()
    if master.startswith("sc://"):
        return SparkSession.builder.remote(master).config("spark.sql.session.timeZone", ZONE).getOrCreate()
    builder = SparkSession.builder.master(master).appName("tests")
    for name, value in {**SETTINGS, **settings}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def check(spark, folder):
    """Return whether each promise holds."""
    import pidforest
    from pidforest.spark import PIDForest, PIDForestModel

    df = orders_of_spark(spark).repartitionByRange(5, "`code.of order`").sortWithinPartitions("`code.of order`").persist()
    model = PIDForest(nEstimators=10, reasonCol="why").fit(df)
    rows = local_rows(df)
    plain = pidforest.PIDForest(n_estimators=10).fit(rows)
    scored = model.transform(df).toArrow()
    explained = plain.explain(rows)
    model.write().overwrite().save(f"{folder}/model")
    return {
        "bytes": model._bytes == plain._model.to_bytes(),
        "scores": scored["score"].to_pylist() == (-plain.score_samples(rows)).tolist(),
        "predictions": scored["prediction"].to_pylist() == (plain.predict(rows) == -1).astype(float).tolist(),
        "reasons": scored["why"].to_pylist() == [one.text for one in explained],
        "anomalies": model.copy().setParams(reasonCol="").explain(df).count() == sum(one.is_anomaly for one in explained) > 3,
        "saved": PIDForestModel.load(f"{folder}/model")._bytes == model._bytes,
        "report": model.report(df, f"{folder}/page.html").stat().st_size > 10_000,
        "stream": follows_as_a_plain_stream(df),
    }


def follows_as_a_plain_stream(df):
    """Whether events without a key have the scores of a plain stream."""
    from pyspark.sql import functions as F

    from pidforest import StreamingPIDForest
    from pidforest.spark import stream

    events = df.select("price", "weight", "items", F.regexp_extract("`code.of order`", r"\d+", 0).cast("long").alias("n"))
    found = stream(events, time="n", nEstimators=10, warmUp=100, horizon=200).orderBy("n").toArrow()
    plain = StreamingPIDForest(n_estimators=10, warm_up=100, horizon=200, no_score=-1.0).update(found.select(["price", "weight", "items"]))
    return [-1.0 if score is None else score for score in found["score"].to_pylist()] == plain.tolist()


def main():
    master, folder, *settings = sys.argv[1:]
    spark = session(master, dict(setting.split("=", 1) for setting in settings))
    try:
        found = check(spark, folder)
    except ValueError as error:
        found = {"error": str(error)}
    print("\n" + json.dumps(found))
    spark.stop()


if __name__ == "__main__":
    main()
