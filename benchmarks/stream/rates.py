# SPDX-License-Identifier: Apache-2.0
"""Events per second on one core: the library's by stream_rate, and ours and the peers' through Python."""

import itertools
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from detectors import follow_ours, follow_river, follow_rrcf, named, windows
from streams import WINDOW, wandering

METRICS = (1, 10, 36)
WARM = 300  # windows before timing starts: all detectors are warm, and rrcf's trees are full
ROUNDS = 3


class Library(NamedTuple):
    """The output of stream_rate."""

    metrics: int
    window: int
    events: int
    events_per_second: float
    median_us: float
    p99_us: float
    p9999_us: float
    anomalies: int
    mb_after_a_tenth: float
    mb: float


class Rates(NamedTuple):
    """Events per second through Python."""

    metrics: int
    one_by_one: float  # score_one and learn_one
    update_one: float
    update: float  # all at once
    rrcf: float
    river: float


def library_rate(binary: Path, metrics: int, events: int) -> Library:
    done = subprocess.run([binary, str(metrics), str(WINDOW), str(events)], capture_output=True, check=True)
    return Library(**json.loads(done.stdout))


def rate_of(work: Callable[[], None], n_events: int) -> float:
    """Use CPU time, so that other programs on the machine matter little."""
    begin = time.process_time()
    work()
    return n_events / (time.process_time() - begin)


def draw(scores: Iterator[float], n: int) -> Callable[[], None]:
    def work() -> None:
        for _ in itertools.islice(scores, n):
            pass

    return work


def rates(metrics: int, events: dict[str, int]) -> Rates:
    """Return the best of several rounds, in which all take turns on the same stream. `events`: events per round of
    each."""
    from pidforest import StreamingPIDForest

    most = max(events.values())
    values = wandering(metrics, 2 * WARM + ROUNDS * most)
    dicts, points = named(values), windows(values)
    by_one, by_update = StreamingPIDForest(window=WINDOW), StreamingPIDForest(window=WINDOW)
    followers = {
        "one_by_one": follow_ours(dicts, 0),
        "update_one": map(by_one.update_one, dicts),
        "rrcf": follow_rrcf(points, 0),
        "river": follow_river(named(points[: WARM + ROUNDS * events["river"]]), 0),
    }
    for scores in followers.values():
        draw(scores, WARM)()
    by_update.update(values[:WARM])
    found: dict[str, list[float]] = {name: [] for name in (*followers, "update")}
    for number in range(ROUNDS):
        for name, scores in followers.items():
            n = events.get(name, most)
            found[name].append(rate_of(draw(scores, n), n))
        batch = values[WARM + number * most : WARM + (number + 1) * most]
        found["update"].append(rate_of(lambda: by_update.update(batch), most))
    best = {name: max(some) for name, some in found.items()}
    return Rates(metrics, **best)
