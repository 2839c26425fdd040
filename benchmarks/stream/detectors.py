# SPDX-License-Identifier: Apache-2.0
"""The detectors: each scores an event, then learns it. The peers get windows of events as ready-made points."""

from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version

import numpy as np

from streams import WINDOW

TREES, TREE_SIZE = 40, 256  # of rrcf, as in its documentation
Scorer = Callable[[np.ndarray, int], Iterator[float]]  # the scores of the events of a stream, for a seed


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


def rrcf(values: np.ndarray, seed: int) -> np.ndarray:
    return per_event(follow_rrcf(windows(values), seed), len(values))


def river(values: np.ndarray, seed: int) -> np.ndarray:
    return per_event(follow_river(named(windows(values)), seed), len(values))


def ours(values: np.ndarray, seed: int, **options) -> np.ndarray:
    from pidforest import StreamingPIDForest

    return StreamingPIDForest(window=WINDOW, random_state=seed, **options).update(values)


def batch(values: np.ndarray, seed: int) -> np.ndarray:
    """Not a stream: a forest that is fitted to all events before it scores any."""
    from pidforest import PIDForest, Shingles

    shingles = Shingles(values, WINDOW)
    forest = PIDForest(random_state=seed).fit(shingles)
    return -shingles.per_sample(forest.score_samples(shingles), align="end")


STREAMING = {"pidforest": ours, "rrcf": rrcf, "river": river}
ALL = STREAMING | {"pidforest batch": batch}
PEERS = ("rrcf", "river")
SLOW = {name: f"{name} {version(name)}" for name in PEERS}  # kept from run to run, by version
