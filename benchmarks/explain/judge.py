# SPDX-License-Identifier: Apache-2.0
"""Decides whether an explanation names the planted columns, by the same measure for us and the peers."""

from collections.abc import Collection, Iterable, Sequence
from statistics import fmean, median
from typing import NamedTuple

from planted import Planted

TOP_SHARE = 0.01  # a row is detected if its score is in this share of the highest
NEAR_SHARE = 0.05  # a row is near the top if its score is in this share of the highest


class Answer(NamedTuple):
    """A method's explanation of one planted row."""

    is_detected: bool
    is_near_top: bool
    conditions: list[str]  # the column of each; one column may have two
    widths: dict[str, float]  # by column: the share of its values that the conditions allow
    first: str | None  # the column to blame most


class Judgement(NamedTuple):
    planted: Planted
    is_detected: bool
    is_near_top: bool
    names_exactly: bool
    names_at_least: bool
    n_conditions: int
    n_extra: int  # conditions beyond one per planted column
    is_first_planted: bool
    widths: list[float]  # of the planted columns that are named


class Summary(NamedTuple):
    """Shares. All but the first three refer to the detected rows, and are None if there are none."""

    detected: float
    near_top: float
    exactly_of_all: float  # of all planted rows, detected or not
    exactly: float | None = None
    at_least: float | None = None
    one_extra: float | None = None  # at most one condition too many
    first: float | None = None
    width: float | None = None  # the median
    conditions: float | None = None  # the mean number


class Top:
    """The rows with the highest scores."""

    def __init__(self, rows: Sequence[int], n_rows: int) -> None:
        """`rows` are at least the first `size(n_rows)` rows in the order of their scores, the highest first."""
        self.near = set(rows[: self.size(n_rows)])
        self.detected = set(rows[: int(TOP_SHARE * n_rows)])

    @staticmethod
    def size(n_rows: int) -> int:
        return int(NEAR_SHARE * n_rows)

    def places(self, row: int) -> tuple[bool, bool]:
        """Return whether the row is detected, and whether it is near the top."""
        return row in self.detected, row in self.near


def top_rows(scores: Sequence[float]) -> Top:
    """Rows are counted from 1; among equal scores the earlier rows come first."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    return Top([i + 1 for i in order[: Top.size(len(scores))]], len(scores))


def judge(planted: Planted, answer: Answer) -> Judgement:
    true, named = set(planted.columns), set(answer.conditions)
    return Judgement(
        planted,
        answer.is_detected,
        answer.is_near_top,
        names_exactly=named == true,
        names_at_least=named >= true,
        n_conditions=len(answer.conditions),
        n_extra=len(answer.conditions) - len(named & true),
        is_first_planted=answer.first in true,
        widths=[width for column, width in answer.widths.items() if column in true],
    )


def summary(judgements: Collection[Judgement]) -> Summary:
    found = [one for one in judgements if one.is_detected]
    near_top = fmean(one.is_near_top for one in judgements)
    exactly_of_all = fmean(one.names_exactly for one in judgements)
    if not found:
        return Summary(0, near_top, exactly_of_all)
    widths = [width for one in found for width in one.widths]
    return Summary(
        len(found) / len(judgements),
        near_top,
        exactly_of_all,
        fmean(one.names_exactly for one in found),
        fmean(one.names_at_least for one in found),
        fmean(one.n_extra <= 1 for one in found),
        fmean(one.is_first_planted for one in found),
        median(widths) if widths else None,
        fmean(one.n_conditions for one in found),
    )


def exactly_of(judgements: Iterable[Judgement], rows: Iterable[bool]) -> float | None:
    """Return the share named exactly, of the rows that another method detected."""
    exactly = [one.names_exactly for one, is_chosen in zip(judgements, rows) if is_chosen]
    return fmean(exactly) if exactly else None
