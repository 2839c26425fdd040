# SPDX-License-Identifier: Apache-2.0
"""The score of the Numenta Anomaly Benchmark, written from its description (Lavin and Ahmad, 2015; standard profile).

Within a window of labels only the first detection counts, the more the earlier it is. A detection outside of all windows
costs, the more the farther it is behind the last window. A window without a detection costs 1. The first 15 % of a
series (of at most 5,000 events) are for learning. One threshold holds for all series: the one with the best sum. A
detector that finds nothing has 0, and one that finds each window at its first event, and nothing else, has 100.
"""

import math
from typing import NamedTuple

import numpy as np

MISSED, FALSE = 1.0, 0.11  # what a missed window and a false detection cost
PROBATION, MOST_PROBATION = 0.15, 5000
FARTHEST = 3.0  # windows' lengths behind a window; farther detections cost as much as those before all windows
TARGET = 40


class Place(NamedTuple):
    """What a detection at an event is worth; those of one window do not add up."""

    worth: float
    window: int | None


def sigmoid(place: float) -> float:
    """Return the worth at a place relative to a window: from -1 at its first event over 0 at its last to 3 behind it."""
    return -1.0 if place >= FARTHEST else 2 / (1 + math.exp(5 * place)) - 1


def windows_of(labels: np.ndarray) -> list[tuple[int, int]]:
    """Return the first and last event of each run of labels."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], labels, [0]])))
    return [(int(begin), int(end) - 1) for begin, end in edges.reshape(-1, 2)]


def probation(n: int) -> int:
    return int(PROBATION * min(n, MOST_PROBATION))


def places_of(labels: np.ndarray) -> list[Place | None]:
    """Return what a detection at each event is worth; None during probation."""
    windows = windows_of(labels)
    places: list[Place | None] = []
    for event in range(len(labels)):
        within = next((i for i, (begin, end) in enumerate(windows) if begin <= event <= end), None)
        behind = [window for window in windows if window[1] < event]
        if event < probation(len(labels)):
            places.append(None)
        elif within is not None:
            begin, end = windows[within]
            places.append(Place(sigmoid(-(end - event + 1) / (end - begin + 1)) / sigmoid(-1.0), within))
        elif behind:
            begin, end = behind[-1]
            places.append(Place(FALSE * sigmoid((event - end) / max(end - begin, 1)), None))
        else:
            places.append(Place(-FALSE, None))
    return places


def nab_score(series: list[tuple[np.ndarray, np.ndarray]]) -> float:
    """Return the score of a detector on all series, given by its scores (NaN: none) and the labels."""
    detections: list[tuple[float, int, Place]] = []
    n_windows = 0
    for number, (scores, labels) in enumerate(series):
        n_windows += sum(end >= probation(len(labels)) for _, end in windows_of(labels))
        places = places_of(labels)
        detections += [(score, number, place) for score, place in zip(scores.tolist(), places) if place and not math.isnan(score)]
    detections.sort(key=lambda each: each[0], reverse=True)
    nothing = -MISSED * n_windows
    best = total = nothing
    found: dict[tuple[int, int], float] = {}
    for number, (score, of_series, (worth, window)) in enumerate(detections):
        if window is None:
            total += worth
        else:
            before = found.get((of_series, window), -MISSED)
            found[of_series, window] = max(before, worth)
            total += found[of_series, window] - before
        is_last_of_equals = number + 1 == len(detections) or detections[number + 1][0] != score
        if is_last_of_equals:
            best = max(best, total)
    return 100 * (best - nothing) / (n_windows - nothing) if n_windows else math.nan
