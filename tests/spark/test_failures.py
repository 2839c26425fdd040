# SPDX-License-Identifier: Apache-2.0
"""Tasks that fail and are run again change nothing."""

import os
import signal
from pathlib import Path

import pyarrow as pa
import pytest
from sessions import local_rows, orders

import pidforest
from pidforest.spark import PIDForest


def failing_once(folder, how):
    """A function for mapInArrow whose second batch fails at the first attempt of each pass in each partition."""

    def rows(batches):
        from pyspark import TaskContext

        for place, batch in enumerate(batches):
            context = TaskContext.get()
            tried = Path(folder, f"{context.stageId()}-{context.partitionId()}")
            if place == 1 and not tried.exists():
                tried.touch()
                how()
            yield batch

    return rows


def kill_the_worker():
    os.kill(os.getpid(), signal.SIGKILL)


def raise_an_error():
    raise OSError("a disk that fails once")


@pytest.mark.parametrize("how", [raise_an_error, kill_the_worker])
def test_a_task_that_is_run_again_gives_the_same_model(spark, tmp_path, how):
    table = orders(4000).drop_columns(["placed"])
    before = spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch")
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
    source = spark.createDataFrame(table).repartitionByRange(2, "code.of order").sortWithinPartitions("`code.of order`").persist()
    plain_names = source.toDF(*[name.replace(".", "_") for name in source.columns])
    df = plain_names.mapInArrow(failing_once(str(tmp_path), how), plain_names.schema)
    model = PIDForest(nEstimators=5).fit(df)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", before)
    assert len(list(tmp_path.iterdir())) >= 6  # two partitions in at least three passes
    assert model._bytes == pidforest.PIDForest(n_estimators=5).fit(local_rows(plain_names))._model.to_bytes()
    source.unpersist()


def test_an_error_on_an_executor_is_not_tried_again(spark, tmp_path):
    log = str(tmp_path / "attempts")

    def noted(batches):
        with open(log, "a") as file:
            file.write("x")
        yield from batches

    infinite = spark.createDataFrame(pa.table({"x": [1.0, float("inf")]})).coalesce(1)
    with pytest.raises(ValueError, match="row 2, column 'x': must be finite"):
        PIDForest().fit(infinite.mapInArrow(noted, infinite.schema))
    assert Path(log).read_text() == "xx"  # one attempt in each of the first two passes
