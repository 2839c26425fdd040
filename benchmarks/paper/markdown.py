# SPDX-License-Identifier: Apache-2.0
"""Tables as text."""

from collections.abc import Sequence


def table(head: Sequence, rows: Sequence[Sequence]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return ["", *(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)]


def listed(words: Sequence[str], nothing: str = "none") -> str:
    return ", ".join(words) or nothing


def picture(name: str, words: str) -> list[str]:
    return ["", f"![{words}](paper/{name}.svg)"]
