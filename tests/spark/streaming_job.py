#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A streaming query as a process of its own, which a test may kill: scores the JSON lines of a folder, one file per
micro-batch, and ends when all files are read.

    streaming_job.py INPUT OUTPUT CHECKPOINT
"""

import datetime
import sys

from sessions import local_session

from pidforest.spark import stream

SCHEMA = "n long, host string, at timestamp, load double, queue long, zone string"
OPTIONS = {
    "by": "host",
    "time": "at",
    "idCol": "n",
    "reasonCol": "reason",
    "maxGap": datetime.timedelta(hours=1),
    "horizon": 100,
    "warmUp": 30,
    "window": 2,
    "nEstimators": 10,
}
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def start(df, output, checkpoint):
    """Begin a query that writes `df` as JSON lines, or continue the one of the checkpoint."""
    writer = df.writeStream.format("json").option("path", str(output)).option("checkpointLocation", str(checkpoint))
    return writer.outputMode("append").trigger(availableNow=True).start()


def main():
    source, output, checkpoint = sys.argv[1:]
    events = local_session(**{PROVIDER: ROCKSDB}).readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(source)
    query = start(stream(events, **OPTIONS), output, checkpoint)
    query.awaitTermination()


if __name__ == "__main__":
    main()
