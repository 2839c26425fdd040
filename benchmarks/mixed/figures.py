# SPDX-License-Identifier: Apache-2.0
"""How well scores rank the anomalies, by the same measure for us and the peers."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

TYPICAL, LOWEST = 0.5, 0.05  # quantiles that select an anomaly: the share of the anomalies that rank below it


class Figures(NamedTuple):
    auc: float
    precision: float  # average precision
    below_typical: float  # share of the normal rows that rank below the median anomaly
    below_lowest: float  # share of the normal rows that rank below all but the lowest-ranked 5 % of the anomalies


def auc_and_precision(scores: Sequence[float], labels: Sequence[int]) -> tuple[float, float]:
    """Rows with equal scores share their rank."""
    anomalies, normal = sum(labels), len(labels) - sum(labels)
    found = passed = area = precision = 0.0
    for _, tied in groupby(sorted(zip(scores, labels), reverse=True), key=lambda pair: pair[0]):
        group = [label for _, label in tied]
        hits, misses = sum(group), len(group) - sum(group)
        area += misses * (found + hits / 2)
        found, passed = found + hits, passed + misses
        precision += hits * found / (found + passed)
    return area / (anomalies * normal), precision / anomalies


def share_below(scores: Sequence[float], labels: Sequence[int], share: float) -> float:
    """Return the share of the normal rows that rank below the selected anomaly; a tie is not below."""
    anomalies = sorted(score for score, label in zip(scores, labels) if label)
    bound = anomalies[int(share * (len(anomalies) - 1))]
    normal = [score for score, label in zip(scores, labels) if not label]
    return sum(score < bound for score in normal) / len(normal)


def figures(scores: Sequence[float], labels: Sequence[int]) -> Figures:
    shares = (share_below(scores, labels, share) for share in (TYPICAL, LOWEST))
    return Figures(*auc_and_precision(scores, labels), *shares)
