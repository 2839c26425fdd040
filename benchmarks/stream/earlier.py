# SPDX-License-Identifier: Apache-2.0
"""The AUC of the peers on the series from an earlier run, as a page has them: rrcf takes 25 minutes."""

import re
from pathlib import Path

from report import Measures

PEERS = ("rrcf", "river")


def rows_of(page: str, first_cell: str) -> list[dict[str, str]]:
    """Return the rows of the table whose first column has this name, by the names of its columns."""
    lines = page.partition(f"| {first_cell} |")[2].partition("\n\n")[0]
    head, _, *rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in f"{first_cell} |{lines}".splitlines()]
    return [dict(zip(head, row)) for row in rows]


def add_peers(measures: Measures, page: Path) -> None:
    """Add the AUC of the peers on the series."""
    text = re.sub(r"^.*?## Figures", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for row in rows_of(text, "series"):
        for name in PEERS:
            measures.series[row["series"], name].append(float(row[name]))
