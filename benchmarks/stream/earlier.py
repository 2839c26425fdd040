# SPDX-License-Identifier: Apache-2.0
"""The figures of the peers from an earlier run, as a page has them: rrcf takes an hour."""

import re
from pathlib import Path

from judge import NEVER
from report import PARTS, Measures

PEERS = ("rrcf", "river")


def rows_of(page: str, first_cell: str) -> list[dict[str, str]]:
    """Return the rows of the table whose first column has this name, by the names of its columns."""
    lines = page.partition(f"| {first_cell} |")[2].partition("\n\n")[0]
    head, _, *rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in f"{first_cell} |{lines}".splitlines()]
    return [dict(zip(head, row)) for row in rows]


def number(text: str) -> float:
    return NEVER if text == "never" else float(text.replace(",", ""))


def add_peers(measures: Measures, page: Path) -> None:
    """Add what the peers found on the streams."""
    text = re.sub(r"^.*?## Figures", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for row in rows_of(text, "series"):
        for name in PEERS:
            measures.series[row["series"], name].append(number(row[name]))
    for row in rows_of(text, "change"):
        if row["who"] in PEERS:
            measures.drift[row["change"], row["who"]].append({part: number(row[f"AUC {part}"]) for part in PARTS})
            measures.adapt[row["change"], row["who"]].append(number(row["events to adapt"]))
