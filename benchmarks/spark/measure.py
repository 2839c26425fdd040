#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures one subject in one Spark session of its own, and prints the figures as JSON. bench.py runs it.

    measure.py numbers FOLDER CORES ROUNDS     a generated table: reading, identity pass, fit by jobs, scoring
    measure.py peer FOLDER CORES ROUNDS        that table: fit and score of the peer
    measure.py labelled FOLDER CORES ROUNDS    a table with labels: AUC, fit and score of both
    measure.py stream FOLDER CORES ROUNDS      events of many keys, a micro-batch for each file: scoring and learning them
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import peer
import pyarrow.dataset
from cpu import Took, measured
from session import actions_of, identity, local_session, written
from sklearn.metrics import roc_auc_score

import pidforest
from pidforest.spark import PIDForest, stream

JOBS = {3: ["facts", "survey", "counts"], 4: ["facts", "survey", "marks", "counts"]}
MOST_COMPARED = 1_000_000  # rows that toArrow brings to the driver to compare the models


def middle(rounds: list[Took]) -> dict[str, float]:
    return {"cpu": median(took.cpu for took in rounds), "wall": median(took.wall for took in rounds)}


def fit_by_jobs(df: Any) -> tuple[Took, dict[str, tuple[Took, int]], Any]:
    """Return the whole, its jobs with the bytes that each sends to the driver, and the model."""
    took, (actions, model) = measured(lambda: actions_of(lambda: PIDForest().fit(df)))
    return took, dict(zip(JOBS[len(actions)], actions)), model


def local_fit(folder: Path, n_cores: int) -> Took:
    """CPU and wall-clock time of reading the files and fitting them without Spark."""
    cpu, wall = time.process_time(), time.monotonic()
    pidforest.PIDForest(n_jobs=n_cores).fit(pyarrow.dataset.dataset(folder).to_table())
    return Took(time.process_time() - cpu, time.monotonic() - wall)


def numbers(df: Any, folder: Path, n_cores: int, rounds: int) -> dict[str, Any]:
    """Rounds in which all tasks take turns, after one that is not counted."""
    found: dict[str, list[Any]] = {name: [] for name in ("read", "identity", "fit", "jobs", "score", "local")}
    for _ in range(rounds + 1):
        found["read"].append(measured(lambda: written(df))[0])
        found["identity"].append(measured(lambda: written(identity(df)))[0])
        fit, jobs, model = fit_by_jobs(df)
        found["fit"].append(fit)
        found["jobs"].append(jobs)
        found["score"].append(measured(lambda: written(model.transform(df)))[0])
        found["local"].append(local_fit(folder, n_cores))
    n_rows = df.count()
    names = list(found["jobs"][0])
    jobs = {name: {**middle([each[name][0] for each in found["jobs"][1:]]), "bytes": found["jobs"][-1][name][1]} for name in names}
    figures = {name: middle(found[name][1:]) for name in ("read", "identity", "fit", "score", "local")}
    is_equal = None if n_rows > MOST_COMPARED else has_local_bytes(df, model)
    return {"rows": n_rows, "jobs": jobs, **figures, "is_equal": is_equal, "partitions": df.rdd.getNumPartitions()}


def has_local_bytes(df: Any, model: Any) -> bool:
    plain = pidforest.PIDForest().fit(df.toArrow())
    return plain._fitted().to_bytes() == model.local._fitted().to_bytes()


def of_peer(df: Any, folder: Path, n_cores: int, rounds: int) -> dict[str, Any]:
    columns, n_rows = df.columns, df.count()
    fits, scores = [], []
    for _ in range(rounds + 1):
        fit, forest = measured(lambda: peer.fit(df, columns, n_rows))
        fits.append(fit)
        scores.append(measured(lambda: written(peer.transform(forest, df, columns)))[0])
    return {"rows": n_rows, "fit": middle(fits[1:]), "score": middle(scores[1:])}


def labelled(df: Any, folder: Path, n_cores: int, rounds: int) -> dict[str, Any]:
    columns, n_rows = [name for name in df.columns if name != "label"], df.count()
    ways = {
        "pidforest": (lambda: PIDForest(inputCols=columns).fit(df), lambda model: model.transform(df)),
        "peer": (lambda: peer.fit(df, columns, n_rows), lambda forest: peer.transform(forest, df, columns)),
    }
    found: dict[str, Any] = {"rows": n_rows}
    for name, (fit, score) in ways.items():
        fits, scores = [], []
        for _ in range(rounds + 1):
            took, model = measured(fit)
            fits.append(took)
            scores.append(measured(lambda: written(score(model)))[0])
        table = score(model).select("score", "label").toArrow()
        auc = roc_auc_score(table.column("label").to_numpy(), table.column("score").to_numpy())
        found[name] = {"fit": middle(fits[1:]), "score": middle(scores[1:]), "auc": auc}
    return found


def stream_of(df: Any, folder: Path, n_cores: int, rounds: int) -> dict[str, Any]:
    """The files as micro-batches of a query, beside the plain streams of the keys."""
    session, features = df.sparkSession, [name for name in df.columns if name not in ("key", "at")]
    session.conf.set("spark.sql.streaming.stateStore.providerClass", "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
    session.conf.set("spark.sql.shuffle.partitions", n_cores)

    def query() -> None:
        events = session.readStream.schema(df.schema).option("maxFilesPerTrigger", 1).parquet(str(folder))
        with tempfile.TemporaryDirectory() as checkpoint:
            writer = stream(events, by="key", time="at").writeStream.format("noop").option("checkpointLocation", checkpoint)
            writer.trigger(availableNow=True).start().awaitTermination()

    def plain() -> None:
        for _, own in table.groupby("key"):
            forest = pidforest.StreamingPIDForest()
            for event in own[features].to_dict("records"):
                forest.update_one(event)

    table = df.toPandas().sort_values("at")
    spark = middle([measured(query)[0] for _ in range(rounds + 1)][1:])
    local = middle([measured(plain)[0] for _ in range(rounds + 1)][1:])
    n_files = len(list(folder.glob("*.parquet")))
    return {"rows": len(table), "keys": table["key"].nunique(), "batches": n_files, "spark": spark, "local": local}


def main() -> None:
    subject, folder, n_cores, rounds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    session = local_session(n_cores)
    df = session.read.parquet(str(folder))
    subjects = {"numbers": numbers, "peer": of_peer, "labelled": labelled, "stream": stream_of}
    print(json.dumps(subjects[subject](df, folder, n_cores, rounds)))
    session.stop()


if __name__ == "__main__":
    main()
