# SPDX-License-Identifier: Apache-2.0
"""How high a ranking places the planted rows. Rows with equal scores share their places."""

from collections.abc import Sequence
from typing import NamedTuple


class Figures(NamedTuple):
    top: float  # share of the k planted rows in the top k
    top_five: float  # and in the top 5k
    above: float  # number of ordinary rows above the median planted row; a row of equal score counts one half


def found_in_top(scores: Sequence[float], planted: set[int], places: int) -> float:
    """Return the number of planted rows expected in the top places if rows of equal score are in random order."""
    bound = sorted(scores, reverse=True)[places - 1]
    above = [row for row, score in enumerate(scores) if score > bound]
    tied = [row for row, score in enumerate(scores) if score == bound]
    chance = (places - len(above)) / len(tied)
    return len(planted.intersection(above)) + chance * len(planted.intersection(tied))


def ordinary_above_median(scores: Sequence[float], planted: set[int]) -> float:
    of_planted = sorted((scores[row] for row in planted), reverse=True)
    middle = of_planted[len(of_planted) // 2]
    ordinary = [score for row, score in enumerate(scores) if row not in planted]
    return sum(score > middle for score in ordinary) + sum(score == middle for score in ordinary) / 2


def figures(scores: Sequence[float], planted: set[int]) -> Figures:
    k = len(planted)
    shares = (found_in_top(scores, planted, places) / k for places in (k, min(5 * k, len(scores))))
    return Figures(*shares, ordinary_above_median(scores, planted))
