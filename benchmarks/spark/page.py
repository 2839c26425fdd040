# SPDX-License-Identifier: Apache-2.0
"""The page docs/spark_speed.md, from the figures of bench.py."""

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from peer import SAMPLE

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks" / "speed"))
from report import Requirement, machine, table, verdicts  # noqa: E402

MOST_OVER_IDENTITY = 1.6
PACKAGES = ("pyspark", "pyarrow", "pandas", "numpy", "scikit-learn")
Figures = dict[str, Any]


def per_million(took: Figures, n_rows: int) -> str:
    return f"{took['cpu'] / n_rows * 1e6:.2f}"


def jobs_table(found: list[Figures]) -> list[str]:
    """CPU seconds per million rows of each job, beside the local fit."""
    names = ["facts", "survey", "marks", "counts"]
    rows = []
    for each in found:
        n_rows, jobs = each["rows"], each["jobs"]
        rest = {"cpu": each["fit"]["cpu"] - sum(job["cpu"] for job in jobs.values())}
        cells = [per_million(jobs[name], n_rows) if name in jobs else "none" for name in names]
        whole = [per_million(each[name], n_rows) for name in ("fit", "local")]
        rows.append([f"{n_rows:,}", each["cores"], *cells, per_million(rest, n_rows), *whole, f"{each['fit']['cpu'] / each['local']['cpu']:.1f}x"])
    return table(["rows", "cores", *names, "driver", "whole fit", "local fit", "ratio"], rows)


def wall_table(found: list[Figures]) -> list[str]:
    rows = [[f"{each['rows']:,}", each["cores"], *(f"{each[name]['wall']:.1f}" for name in ("fit", "local", "score"))] for each in found]
    return table(["rows", "cores", "fit, s", "local fit, s", "score, s"], rows)


def bytes_table(found: list[Figures]) -> list[str]:
    names = ["facts", "survey", "marks", "counts"]
    rows = []
    for each in found:
        sizes = [each["jobs"].get(name, {"bytes": 0})["bytes"] for name in names]
        rows.append([f"{each['rows']:,}", each["partitions"], *(f"{size:,}" for size in sizes), f"{sum(sizes) / 1e6:.2f}"])
    return table(["rows", "partitions", *names, "whole, MB"], rows)


def score_table(found: list[Figures]) -> list[str]:
    rows = []
    for each in found:
        cells = [per_million(each[name], each["rows"]) for name in ("read", "identity", "score")]
        rows.append([f"{each['rows']:,}", each["cores"], *cells, f"{each['score']['cpu'] / each['identity']['cpu']:.2f}x"])
    return table(["rows", "cores", "read", "identity pass", "score", "score / identity"], rows)


def peer_table(ours: Figures, peer: Figures, labelled: dict[str, Figures]) -> list[str]:
    def row(name: str, who: str, n_rows: int, each: Figures, auc: str) -> list[Any]:
        return [name, f"{n_rows:,}", who, *(f"{each[what][unit]:.2f}" for what in ("fit", "score") for unit in ("cpu", "wall")), auc]

    rows = [row("generated", who, each["rows"], each, "") for who, each in (("pidforest", ours), ("IsolationForest", peer))]
    for name, each in labelled.items():
        rows += [row(name, who, each["rows"], each[key], f"{each[key]['auc']:.4f}") for who, key in (("pidforest", "pidforest"), ("IsolationForest", "peer"))]
    return table(["table", "rows", "who", "fit, CPU s", "fit, s", "score, CPU s", "score, s", "AUC"], rows)


def stream_words(found: Figures) -> list[str]:
    per_event = {name: found[name]["cpu"] / found["rows"] * 1e6 for name in ("spark", "local")}
    return [
        f"{found['rows']:,} events of ten columns and {found['keys']} keys in {found['batches']} micro-batches, scored and learned by `pidforest.spark.stream` with its defaults:",
        f"{per_event['spark']:.0f} microseconds of CPU time per event, start of the query included. `update_one` of one plain stream per key takes {per_event['local']:.0f}.",
    ]


def state_table(found: list[Figures]) -> list[str]:
    rows = [[f"{each['horizon']:,}", each["columns"], f"{each['bytes'] / 1e3:.0f}", f"{each['read']:.1f}", f"{each['write']:.1f}"] for each in found]
    return table(["horizon", "columns", "KB per key", "read, ms", "write, ms"], rows)


def requirements(found: list[Figures]) -> list[Requirement]:
    most = max(found, key=lambda each: (each["rows"], -each["cores"]))
    sizes = {each["rows"]: sum(job["bytes"] for job in each["jobs"].values()) for each in found}
    return [
        Requirement(f"CPU time of scoring {most['rows']:,} rows / of the identity pass", most["score"]["cpu"] / most["identity"]["cpu"], MOST_OVER_IDENTITY, True),
        Requirement(f"bytes to the driver at {max(sizes):,} rows / at {min(sizes):,}", sizes[max(sizes)] / sizes[min(sizes)], 2, True),
    ]


def document(results: Figures) -> str:
    found = results["numbers"]
    compared = ", ".join(f"{n:,}" for n in sorted({each["rows"] for each in found if each["is_equal"]}))
    ours = next(each for each in found if each["rows"] == results["peer"]["rows"] and each["cores"] == results["peer"]["cores"])
    rounds = "; ".join(f"{n} at {n_rows:,} rows" for n_rows, n in sorted({each["rows"]: each["rounds"] for each in found}.items()))
    versions = f"{machine(ROOT / 'build', PACKAGES)} Java {results['java']}."
    lines = ["# The speed on Spark", "", "Written by `make spark-bench` (benchmarks/spark/bench.py); do not edit.", "", versions, ""]
    lines += [
        "The table has ten columns of numbers in Parquet files, and Spark runs in one process (`local[1]`, `local[2]`). A figure is the median of",
        f"rounds ({rounds}) in which the tasks take turns, after one that is not counted,",
        "because the JVM compiles while it runs. CPU time is that of the driver, the JVM and the Python workers together. Other programs ran on the",
        f"machine (load {results['load'][0]:.1f} at the beginning, {results['load'][1]:.1f} at the end, on {os.cpu_count()} cores): wall-clock times say little, ratios of CPU times say more.",
        "",
        f"The model had the bytes of the local fit of `df.toArrow()` at {compared} rows, where it was compared.",
        "",
        "## Fit",
        "",
        "CPU seconds per million rows of each job. Each job reads the Parquet files again and hashes the rows. `driver` is the work between",
        "the jobs, which does not grow with the rows. The local fit reads the same files once, without Spark, with as many threads as cores.",
        "In small tables nearly all of the time is the fixed cost of Spark's jobs and of compiling them.",
    ]
    lines += jobs_table(found)
    lines += ["", "Wall-clock seconds:", *wall_table(found)]
    lines += ["", "## Bytes to the driver", "", "Arrow bytes that the driver receives in each job. `survey` has the drawn rows and the values that may be isolated, `marks` the rare values that", "occur together: one row in a thousand has planted ones, up to 16,384 sets of them. `counts` has a number for each node, candidate and cube."]
    lines += bytes_table([each for each in found if each["cores"] == 2])
    lines += ["", "## Score", "", "CPU seconds per million rows. The identity pass is `mapInArrow` with a function that returns its batches: Spark's own cost of Python."]
    lines += score_table(found)
    lines += [
        "",
        "## Beside IsolationForest",
        "",
        f"scikit-learn's IsolationForest with its defaults, fitted on the driver to a sample of at most {SAMPLE:,} rows, and scoring in an iterator",
        "pandas UDF. pidforest has its defaults and counts all rows. Two cores.",
    ]
    lines += peer_table(ours, results["peer"], results["labelled"])
    lines += ["", "## Streams per key", "", *stream_words(results["stream"])]
    lines += ["", "The bytes that `pidforest.spark.stream` keeps in the state store for each key with a full horizon of noise, and the CPU time of", "unpacking and packing them, once per key and micro-batch."]
    lines += state_table(results["state"])
    lines += verdicts(requirements(found))
    return "\n".join(lines) + "\n"


def java_version() -> str:
    text = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True).stderr
    return text.split('"')[1]


def missing_packages() -> list[str]:
    """The packages of the benchmark that are missing."""
    missing = []
    for name in PACKAGES:
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    return missing
