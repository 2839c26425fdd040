# SPDX-License-Identifier: Apache-2.0
"""Measures how well the bits of the sparsest cube rank anomalies, compared with forests, on public data sets.

    PIDFOREST_DATA=folder python3 benchmarks/exact/detector.py [build/pidforest]

Prints a line of Markdown per data set: AUC, and the number of settled rows.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PIDFOREST_DATA", ROOT.parent / "shared" / "data"))
BINARY = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build" / "pidforest")
SETS = {"thyroid": 600, "mammography": 600, "vowels": 400, "seismic": 400}
PRESETS = ["default", "paper", "authors"]
SECONDS = 90


def some_rows(name: str, n: int, path: Path) -> list[int]:
    """Write evenly spaced rows of a set to `path`; return their labels."""
    with (DATA / f"{name}.csv").open() as file:
        header, *rows = csv.reader(file)
    chosen = [rows[i * len(rows) // n] for i in range(n)]
    path.write_text("\n".join(",".join(row) for row in [header, *chosen]) + "\n")
    return [int(row[-1]) for row in chosen]


def document(*arguments: str) -> dict:
    return json.loads(subprocess.run([BINARY, *arguments, "--json", "--quiet"], capture_output=True, check=True).stdout)


def auc(scores: list[float], labels: list[int]) -> float:
    """Return the share of pairs of an anomaly and a normal row that are ranked correctly; ties count half."""
    rare = [score for score, label in zip(scores, labels) if label]
    common = [score for score, label in zip(scores, labels) if not label]
    right = sum((a > b) + (a == b) / 2 for a in rare for b in common)
    return right / (len(rare) * len(common))


def exact_line(path: str, labels: list[int]) -> str:
    top = document("exact", path, "--ignore", "label", "--top", str(len(labels)), "--seconds", str(SECONDS))["top"]
    bits = {one["row"]: one["bits"] for one in top}
    scores = [bits[row] for row in range(1, len(labels) + 1)]
    return f"{auc(scores, labels):.3f} | {sum(one['is_optimal'] for one in top)}"


def main():
    print(f"| data set | rows | anomalies | exact | settled | {' | '.join(PRESETS)} |\n|{'---|' * (5 + len(PRESETS))}")
    for name, n in SETS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name + ".csv")
            labels = some_rows(name, n, path)
            forests = [document("detect", str(path), "--label", "label", "--preset", one)["auc"] for one in PRESETS]
            cells = [name, str(n), str(sum(labels)), exact_line(str(path), labels), *(f"{one:.3f}" for one in forests)]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
