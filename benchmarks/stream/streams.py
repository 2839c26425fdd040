# SPDX-License-Identifier: Apache-2.0
"""The streams: the four series of the accuracy benchmark, and generated ones that change."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1] / "accuracy"))
from data_sets import DATA, SERIES, read_csv  # noqa: E402

HEADER = ["timestamp", "value", "label"]  # of a series

WINDOW = 10
EVENTS = 12_000  # of a generated stream
PERIOD, NOISE = 50, 0.3
PLANT_EVERY = 150  # events, on average, between anomalies
BURST = 5  # events that a long anomaly lasts


class Stream(NamedTuple):
    name: str
    values: np.ndarray  # one row per event
    labels: np.ndarray  # true if the event is an anomaly
    change: int | None = None  # the first event that is different
    settled: int | None = None  # the first event after which it no longer changes
    times: np.ndarray | None = None  # of the events, as datetime64

    def is_normal(self) -> np.ndarray:
        """Return which events end a window without an anomaly."""
        return np.convolve(self.labels, np.ones(WINDOW))[: len(self.labels)] == 0


def series(path: Path) -> Stream | None:
    """Return the series of a file; None if it has none."""
    header, rows = read_csv(path)
    if header != HEADER:
        return None
    times, values, labels = zip(*rows)
    return Stream(path.stem, np.array(values, float).reshape(-1, 1), np.array(labels, int), times=np.array(times, "datetime64[us]"))


def all_series() -> list[Stream]:
    """Return the series of PIDFOREST_DATA, the four of the accuracy benchmark first."""
    four = [DATA / f"{name}.csv" for name in SERIES if (DATA / f"{name}.csv").exists()]
    others = sorted(path for path in DATA.rglob("*.csv") if path not in four) if DATA.exists() else []
    return [found for found in map(series, four + others) if found]


def noise_of(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return autocorrelated noise: half of each value is the previous one."""
    noise = rng.normal(scale=NOISE * np.sqrt(1 - 0.25), size=n)
    for t in range(1, n):
        noise[t] += 0.5 * noise[t - 1]
    return noise


def drift_events(n: int) -> int:
    """Return the length of a slow drift in a stream of n events: half of the events after the change."""
    return n // 4


Change = Callable[[np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]  # time, swing, noise, when


def level_shift(time: np.ndarray, swing: np.ndarray, noise: np.ndarray, change: int) -> np.ndarray:
    return swing + noise + 4.0 * (time >= change)


def new_season(time: np.ndarray, swing: np.ndarray, noise: np.ndarray, change: int) -> np.ndarray:
    other = 2 * np.sin(2 * np.pi * time / 17) * np.sign(np.sin(2 * np.pi * time / 68))
    return np.where(time >= change, other, swing) + noise


def slow_drift(time: np.ndarray, swing: np.ndarray, noise: np.ndarray, change: int) -> np.ndarray:
    """Rises by twice the amplitude of the swing."""
    return swing + noise + 8.0 * np.clip((time - change) / drift_events(len(time)), 0, 1)


def changed_variance(time: np.ndarray, swing: np.ndarray, noise: np.ndarray, change: int) -> np.ndarray:
    return swing + noise * np.where(time >= change, 3.0, 1.0)


CHANGES: dict[str, Change] = {
    "level shift": level_shift,
    "new season": new_season,
    "slow drift": slow_drift,
    "changed variance": changed_variance,
}


def plant(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Add jumps of one event and of several, half of each; return where they are."""
    labels = np.zeros(len(values), dtype=int)
    place = int(rng.integers(WINDOW, 2 * PLANT_EVERY))
    while place + BURST < len(values):
        span = slice(place, place + (1 if rng.random() < 0.5 else BURST))
        values[span] += rng.choice((-1, 1)) * rng.uniform(2, 4)
        labels[span] = 1
        place += BURST + WINDOW + int(rng.exponential(PLANT_EVERY))
    return labels


def drift(name: str, seed: int, n: int = EVENTS) -> Stream:
    """A noisy swing that changes in the middle."""
    rng = np.random.default_rng([seed, list(CHANGES).index(name)])
    time = np.arange(n)
    values = CHANGES[name](time, 2 * np.sin(2 * np.pi * time / PERIOD), noise_of(rng, n), n // 2)
    labels = plant(values, rng)
    settled = n // 2 + (drift_events(n) if name == "slow drift" else 0)
    return Stream(name, values.reshape(-1, 1), labels, n // 2, settled)


def wandering(n_metrics: int, n: int) -> np.ndarray:
    """For rates, by the recipe of rate.cpp: metrics that drift and oscillate, with occasional bursts."""
    rng = np.random.default_rng(2019)
    steps = rng.normal(size=(n, n_metrics))
    level = np.zeros(n_metrics)
    values = np.empty((n, n_metrics))
    for i in range(n):
        level = 0.95 * level + steps[i]
        values[i] = level + 3 * np.sin((i + 1) / (20 + 5 * np.arange(n_metrics))) + 20 * ((i + 1) % 1000 == 0)
    return values
