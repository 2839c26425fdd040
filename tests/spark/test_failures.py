# SPDX-License-Identifier: Apache-2.0
"""Tasks that fail and are run again change nothing."""

from pathlib import Path

import pyarrow as pa
import pytest
from sessions import local_rows, orders_of_spark

import pidforest
from pidforest.spark import PIDForest


def failing_once(folder, is_killed):
    """A function for mapInArrow that fails after the first batch, at the first attempt of each pass in each partition."""

    def rows(batches):
        import os
        import pathlib
        import signal

        from pyspark import TaskContext

        for place, batch in enumerate(batches):
            context = TaskContext.get()
            tried = pathlib.Path(folder, f"{context.stageId()}-{context.partitionId()}")
            if place == 1 and not tried.exists():
                tried.touch()
                if is_killed:
                    os.kill(os.getpid(), signal.SIGKILL)
                raise OSError("a disk that fails once")
            yield batch

    return rows


@pytest.mark.parametrize("is_killed", [False, True], ids=["error", "killed worker"])
def test_a_task_that_is_run_again_gives_the_same_model(spark, tmp_path, is_killed):
    before = spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch")
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
    source = orders_of_spark(spark, 4000).repartitionByRange(2, "`code.of order`").sortWithinPartitions("`code.of order`").persist()
    plain_names = source.toDF(*[name.replace(".", "_") for name in source.columns])
    df = plain_names.mapInArrow(failing_once(str(tmp_path), is_killed), plain_names.schema)
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
