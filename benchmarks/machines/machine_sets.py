# SPDX-License-Identifier: Apache-2.0
"""The sets of machines: the Skoltech Anomaly Benchmark, and folders in the form of the Server Machine Dataset.

A folder has a file NAME.txt per machine in each of these folders:

    train/                 samples of normal operation: a line per sample, numbers separated by commas, without a header
    test/                  the samples to score, with the same metrics
    test_label/            a line per sample of the test part: 1 for an anomaly, 0 otherwise
    interpretation_label/  a line per event, such as 15849-16368:1,9,10: its first and last sample in the test part, counted
                           from 0, and the metrics to blame, counted from 1; the folder may be missing
"""

import gzip
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

DATA = Path(os.environ.get("PIDFOREST_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
SKAB_TRAIN = 400  # samples of each run
SKAB_NO_METRICS = ("run", "datetime", "anomaly", "changepoint")


class Event(NamedTuple):
    first: int  # sample of the test part
    end: int  # the sample after the last
    blamed: tuple[int, ...]  # metrics, from 0


class Machine(NamedTuple):
    name: str
    train: np.ndarray  # a row per sample, a column per metric
    test: np.ndarray
    labels: np.ndarray
    events: tuple[Event, ...] = ()


def skab(path: Path) -> Iterator[Machine]:
    """Each run of the benchmark as a machine: its first samples are the train part."""
    with gzip.open(path, "rt") as file:
        header, *rows = (line.rstrip("\n").split(";") for line in file)
    metrics = [place for place, name in enumerate(header) if name not in SKAB_NO_METRICS]
    runs: dict[str, list[list[str]]] = {}
    for row in rows:
        runs.setdefault(row[header.index("run")], []).append(row)
    for name, own in runs.items():
        values = np.array([[float(row[place]) for place in metrics] for row in own])
        labels = np.array([int(float(row[header.index("anomaly")])) for row in own])
        yield Machine(name, values[:SKAB_TRAIN], values[SKAB_TRAIN:], labels[SKAB_TRAIN:])


def read_numbers(path: Path) -> np.ndarray:
    return np.loadtxt(path, delimiter=",", ndmin=2)


def read_events(path: Path) -> tuple[Event, ...]:
    if not path.exists():
        return ()
    events = []
    for number, line in enumerate(path.read_text().split(), 1):
        try:
            samples, metrics = line.split(":")
            first, last = map(int, samples.split("-"))
            events.append(Event(first, last + 1, tuple(int(metric) - 1 for metric in metrics.split(","))))
        except ValueError:
            raise SystemExit(f"machines: {path}, line {number}: must be FIRST-LAST:METRIC,METRIC,...; got {line}.") from None
    return tuple(events)


def folder(path: Path) -> Iterator[Machine]:
    """The machines of a folder in the form above."""
    names = sorted(file.stem for file in (path / "train").glob("*.txt"))
    if not names:
        raise SystemExit(f"machines: {path / 'train'} must have a file NAME.txt per machine; it has none.")
    for name in names:
        train, test = (read_numbers(path / part / f"{name}.txt") for part in ("train", "test"))
        labels = read_numbers(path / "test_label" / f"{name}.txt")[:, 0].astype(int)
        if train.shape[1] != test.shape[1] or len(labels) != len(test):
            raise SystemExit(
                f"machines: {name}: train and test must have the same metrics, and test a label per sample; got {train.shape[1]} and {test.shape[1]} metrics, {len(test)} samples and {len(labels)} labels."
            )
        yield Machine(name, train, test, labels, read_events(path / "interpretation_label" / f"{name}.txt"))
