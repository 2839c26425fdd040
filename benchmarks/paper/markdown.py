# SPDX-License-Identifier: Apache-2.0
"""Tables and paragraphs as text."""

import textwrap
from collections.abc import Sequence

WIDTH = 128


def table(head: Sequence, rows: Sequence[Sequence]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return ["", *(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)]


def listed(words: Sequence[str], nothing: str = "none") -> str:
    return ", ".join(words) or nothing


def picture(name: str, words: str) -> list[str]:
    return ["", f"![{words}](paper/{name}.svg)"]


def reflow(lines: Sequence[str]) -> list[str]:
    """Rewrap paragraphs and list items; leave everything else as it is."""
    items: list[list[str]] = []
    for line in lines:
        continues = items and line and line[0] not in "#|!-" and items[-1][0] and items[-1][0][0] not in "#|!"
        if continues:
            items[-1].append(line.strip())
        else:
            items.append([line])
    filled = []
    for first, *more in items:
        if first[:1] in "#|!":
            filled += [first, *more]
        else:
            indent = "  " if first.startswith("- ") else ""
            text = " ".join([first, *more])
            filled += textwrap.wrap(
                text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
            ) or [""]
    return filled
