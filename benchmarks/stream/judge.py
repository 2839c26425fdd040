# SPDX-License-Identifier: Apache-2.0
"""How well scores find the anomalies of a stream, and how soon they recover after a change."""

import numpy as np
from sklearn.metrics import roc_auc_score

from streams import Stream

TRANSITION = 1000  # events after a change that count as part of it
RUN = 500  # normal events whose flags are counted together
NEVER = np.inf  # the time to adapt without a run that counts as recovered
USUAL, MOST = 0.01, 0.05  # the share flagged before the change, and the highest share that counts as recovered


def auc(scores: np.ndarray, labels: np.ndarray) -> float:
    return float(roc_auc_score(labels, scores)) if 0 < labels.sum() < len(labels) else np.nan


def parts(stream: Stream) -> dict[str, slice]:
    change = stream.change
    return {
        "before": slice(0, change),
        "during": slice(change, change + TRANSITION),
        "after": slice(change + TRANSITION, None),
        "whole": slice(0, None),
    }


def auc_of_parts(stream: Stream, scores: np.ndarray, first: int) -> dict[str, float]:
    """`first` is the first event that is judged. An event is normal if its window contains no anomaly."""
    is_judged = (np.arange(len(scores)) >= first) & (stream.is_normal() | (stream.labels == 1))
    return {
        name: auc(scores[part][is_judged[part]], stream.labels[part][is_judged[part]])
        for name, part in parts(stream).items()
    }


def time_to_adapt(stream: Stream, scores: np.ndarray, first: int) -> float:
    """Return the events from the end of the change to the first run of `RUN` normal events that are not flagged too
    often.

    An event is flagged if it scores higher than all but `USUAL` of the normal events before the change; too often means
    more than `MOST` of a run. Infinite if there is no such run.
    """
    is_normal = stream.is_normal()
    before = scores[first : stream.change][is_normal[first : stream.change]]
    level = np.quantile(before, 1 - USUAL)
    places = np.flatnonzero(is_normal[stream.settled :])
    flags = scores[stream.settled :][places] > level
    shares = np.convolve(flags, np.ones(RUN) / RUN, mode="valid")
    at_home = np.flatnonzero(shares <= MOST)
    return float(places[at_home[0]]) if at_home.size else NEVER
