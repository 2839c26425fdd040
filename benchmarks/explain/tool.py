# SPDX-License-Identifier: Apache-2.0
"""What our tool says of the planted rows, asked by the command line like any user's program."""

import json
import math
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from judge import Answer, n_detected
from planted import Planted

NOTHING = Answer(False, [], {}, None)


class Tool(NamedTuple):
    binary: Path
    extra: list[str]  # flags for every call that fits

    def run(self, *words: object) -> str:
        done = subprocess.run([self.binary, *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"explain: pidforest {words[0]} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout


def answer_of(row: dict) -> Answer:
    conditions = row["witness"]["conditions"]
    shares = defaultdict(list)
    for condition in conditions:
        shares[condition["column"]].append(condition.get("share", 1))
    widths = {column: math.prod(parts) for column, parts in shares.items()}
    most = max(row["column_bits"], key=lambda part: part["bits"], default={"column": None})
    return Answer(True, [condition["column"] for condition in conditions], widths, most["column"])


def tool_answers(tool: Tool, path: Path, n_rows: int, truth: list[Planted], seed: int, aggregate: str) -> list[Answer]:
    words = ["--json", "--quiet", "--threads", 1, "--seed", seed, "--top", n_detected(n_rows), "--aggregate", aggregate]
    top = json.loads(tool.run("detect", path, *words, *tool.extra))["top"]
    detected = {row["row"]: answer_of(row) for row in top}
    return [detected.get(one.row, NOTHING) for one in truth]


def first_rows(path: Path, count: int, part: Path) -> Path:
    """Writes them, with the header, to a file of their own."""
    with path.open(encoding="utf-8") as table:
        part.write_text("".join(next(table) for _ in range(count + 1)), encoding="utf-8")
    return part


def tool_seconds_per_row(tool: Tool, path: Path, n_rows: int, folder: Path) -> float:
    """Of `explain` beyond its first row, which pays for the start and for reading the model; the shortest of three."""
    model = folder / "timed.pidf"
    tool.run("fit", path, "--quiet", "--threads", 1, "--output", model, *tool.extra)
    seconds = []
    for count in (1, n_rows + 1):
        part = first_rows(path, count, folder / "timed.csv")
        runs = []
        for _ in range(3):
            start = time.perf_counter()
            tool.run("explain", model, part, "--json", "--quiet", "--threads", 1)
            runs.append(time.perf_counter() - start)
        seconds.append(min(runs))
    return (seconds[1] - seconds[0]) / n_rows
