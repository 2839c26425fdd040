# SPDX-License-Identifier: Apache-2.0
"""The detectors: each scores an event, then learns it. The peers get windows of events as ready-made points."""

from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version

import numpy as np

import aws
from streams import WINDOW, Stream

TREES, TREE_SIZE = 40, 256  # of rrcf, as in its documentation
Scorer = Callable[[Stream, int], np.ndarray]  # the scores of the events of a stream, for a seed


def windows(values: np.ndarray) -> np.ndarray:
    """Return one row per event that ends a window: all values of the window, the earliest event first."""
    shown = np.lib.stride_tricks.sliding_window_view(values, WINDOW, axis=0)
    return np.ascontiguousarray(shown.transpose(0, 2, 1)).reshape(len(shown), -1)


def named(points: np.ndarray) -> list[dict[str, float]]:
    names = [f"x{i}" for i in range(points.shape[1])]
    return [dict(zip(names, point)) for point in points.tolist()]


def follow_rrcf(points: np.ndarray, seed: int) -> Iterator[float]:
    """The streaming recipe of rrcf's documentation: forget the oldest point, insert the new one, take its codisp."""
    import rrcf

    forest = [rrcf.RCTree(random_state=seed * TREES + i) for i in range(TREES)]
    for index, point in enumerate(points):
        codisp = 0.0
        for tree in forest:
            if len(tree.leaves) > TREE_SIZE - 1:
                tree.forget_point(index - TREE_SIZE)
            tree.insert_point(point, index=index)
            codisp += tree.codisp(index)
        yield codisp / TREES if index >= TREE_SIZE else np.nan


def follow_river(events: Iterable[dict[str, float]], seed: int) -> Iterator[float]:
    """River's half-space trees of default size, with the scaler that its documentation recommends."""
    from river import anomaly, compose, preprocessing

    trees = anomaly.HalfSpaceTrees(seed=seed)
    model = compose.Pipeline(preprocessing.MinMaxScaler(), trees)
    for index, event in enumerate(events):
        score = model.score_one(event)
        model.learn_one(event)
        yield score if index >= trees.window_size else np.nan


def follow_ours(events: Iterable[dict[str, float]], seed: int, **options) -> Iterator[float]:
    """Event by event, like river."""
    from pidforest import StreamingPIDForest

    forest = StreamingPIDForest(window=WINDOW, random_state=seed, **options)
    for event in events:
        score = forest.score_one(event)
        forest.learn_one(event)
        yield score


def per_event(scores: Iterable[float], n: int) -> np.ndarray:
    """Return the scores of all events; NaN for events that end no window."""
    of_windows = np.fromiter(scores, float)
    return np.concatenate([np.full(n - len(of_windows), np.nan), of_windows])


def rrcf(stream: Stream, seed: int) -> np.ndarray:
    return per_event(follow_rrcf(windows(stream.values), seed), len(stream.values))


def river(stream: Stream, seed: int) -> np.ndarray:
    return per_event(follow_river(named(windows(stream.values)), seed), len(stream.values))


def aws_rcf(stream: Stream, seed: int) -> np.ndarray:
    return aws.follow(stream.values, seed)


def ours(stream: Stream, seed: int, **options) -> np.ndarray:
    """With the times of the events, if there are any."""
    import pandas as pd

    from pidforest import StreamingPIDForest

    events = pd.DataFrame(stream.values, columns=[f"x{i}" for i in range(stream.values.shape[1])])
    if stream.times is not None:
        events, options = events.assign(time=stream.times), {**options, "time": "time"}
    return StreamingPIDForest(window=WINDOW, random_state=seed, **options).update(events)


def plain(stream: Stream, seed: int) -> np.ndarray:
    """Ours without what makes it follow changes: for anomalies that last."""
    return ours(stream, seed, recent=0)


def batch(stream: Stream, seed: int) -> np.ndarray:
    """Not a stream: a forest that is fitted to all events before it scores any."""
    from pidforest import PIDForest, Shingles

    shingles = Shingles(stream.values, WINDOW)
    forest = PIDForest(random_state=seed).fit(shingles)
    return -shingles.per_sample(forest.score_samples(shingles), align="end")


PLAIN = "pidforest --recent 0"
STREAMING: dict[str, Scorer] = {"pidforest": ours, PLAIN: plain, "rrcf": rrcf, "river": river, aws.NAME: aws_rcf}
ALL = STREAMING | {"pidforest batch": batch}
PEERS = ("rrcf", "river")
SLOW = {name: f"{name} {version(name)}" for name in PEERS}  # kept from run to run, by version
