# SPDX-License-Identifier: Apache-2.0
"""Made streams with known events: one metric as in NAB, and the metrics of a server as in SMD."""

from typing import NamedTuple

import numpy as np

DAY = 1440  # minutes
QUIET_DAYS = {"nab": 14, "smd": 2}  # without events, for a stream to learn


class Event(NamedTuple):
    first: int  # sample
    end: int  # the sample after the last
    metrics: tuple[int, ...]


class Made(NamedTuple):
    name: str
    times: np.ndarray  # as datetime64
    values: np.ndarray  # one row per sample, one column per metric
    events: tuple[Event, ...]

    @property
    def days(self) -> float:
        return float((self.times[-1] - self.times[0]) / np.timedelta64(1, "D"))


def noise_of(rng: np.random.Generator, n: int, memory: float) -> np.ndarray:
    """Return noise of deviation 1 whose values remember the ones before."""
    steps = rng.normal(scale=np.sqrt(1 - memory**2), size=n)
    for t in range(1, n):
        steps[t] += memory * steps[t - 1]
    return steps


def day_of(rng: np.random.Generator, minutes: np.ndarray) -> np.ndarray:
    """Return a swing over the day, lower at the weekend."""
    phase, second = rng.uniform(0, DAY, 2)
    swing = np.sin(2 * np.pi * (minutes - phase) / DAY) + 0.4 * np.sin(4 * np.pi * (minutes - second) / DAY)
    is_weekend = minutes // DAY % 7 >= 5
    return swing * np.where(is_weekend, rng.uniform(0.4, 1), 1)


def disturb(values: np.ndarray, span: slice, rng: np.random.Generator) -> None:
    """Plant a fault into one metric, whose noise has a deviation of about 1."""
    n = span.stop - span.start
    sign = rng.choice((-1, 1))
    kind = rng.integers(5)
    if kind == 0:  # a shift
        values[span] += sign * rng.uniform(3, 8)
    elif kind == 1:  # a ramp
        values[span] += sign * rng.uniform(4, 10) * np.linspace(0, 1, n)
    elif kind == 2:  # unrest
        values[span] += rng.normal(scale=rng.uniform(3, 6), size=n)
    elif kind == 3:  # down
        values[span] = values.min() - rng.uniform(1, 4) + rng.normal(scale=0.1, size=n)
    else:  # separate spikes
        spikes = rng.random(n) < 0.3
        spikes[0] = True
        values[span][spikes] += sign * rng.uniform(4, 9, spikes.sum())


def events_of(rng: np.random.Generator, n: int, quiet: int, every: int, shortest: int, longest: int) -> list[slice]:
    """Return spans of samples: their lengths are log-uniform, and there is a wait of about `every` between them."""
    spans = []
    place = quiet + int(rng.exponential(every))
    while True:
        length = int(np.exp(rng.uniform(np.log(shortest), np.log(longest))))
        if place + length + longest > n:
            return spans
        spans.append(slice(place, place + length))
        place += length + longest + int(rng.exponential(every))


def nab_like(seed: int, days: int = 56, step: int = 5) -> Made:
    """One metric with a season, each 5 minutes; events of one hour to one day."""
    rng = np.random.default_rng([seed, 1])
    n = days * DAY // step
    minutes = np.arange(n) * step
    values = rng.uniform(2, 5) * day_of(rng, minutes) + noise_of(rng, n, 0.7)
    spans = events_of(rng, n, QUIET_DAYS["nab"] * DAY // step, 3 * DAY // step, 60 // step, DAY // step)
    for span in spans:
        disturb(values, span, rng)
    times = np.datetime64("2026-01-05T00:00") + minutes.astype("timedelta64[m]")
    return Made("NAB-like", times, values.reshape(-1, 1), tuple(Event(s.start, s.stop, (0,)) for s in spans))


def smd_like(seed: int, days: int = 9, n_metrics: int = 16) -> Made:
    """The metrics of a server each minute: groups that follow a common load, some constant for most of the time; events
    of 5 minutes to 5 hours in 1 to 5 metrics."""
    rng = np.random.default_rng([seed, 2])
    n = days * DAY
    minutes = np.arange(n)
    loads = [2 * day_of(rng, minutes) + noise_of(rng, n, 0.95) for _ in range(3)]
    values = np.empty((n, n_metrics))
    for metric in range(n_metrics):
        own = loads[metric % 3] * rng.uniform(0.3, 1.5) + noise_of(rng, n, rng.uniform(0, 0.9))
        if metric % 4 == 3:  # mostly constant, with rare small bursts
            own = np.where(rng.random(n) < 0.01, rng.integers(1, 4, n), 0).astype(float)
        values[:, metric] = own
    events = []
    for span in events_of(rng, n, QUIET_DAYS["smd"] * DAY, DAY // 4, 5, 300):
        metrics = tuple(sorted(rng.choice(n_metrics, rng.integers(1, 6), replace=False).tolist()))
        for metric in metrics:
            disturb(values[:, metric], span, rng)
        events.append(Event(span.start, span.stop, metrics))
    times = np.datetime64("2026-01-05T00:00") + minutes.astype("timedelta64[m]")
    return Made("SMD-like", times, np.round(values, 4), tuple(events))
