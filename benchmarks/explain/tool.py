# SPDX-License-Identifier: Apache-2.0
"""Our tool's explanations of the planted rows, from the command line as any program would get them."""

import json
import math
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from judge import Answer, Top
from planted import Planted


class Tool(NamedTuple):
    binary: Path
    extra: list[str]  # flags of the forest

    def run(self, *words: object) -> str:
        done = subprocess.run([self.binary, *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"explain: pidforest {words[0]} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout


def answer_of(row: dict, top: Top) -> Answer:
    conditions = row["witness"]["conditions"]
    shares = defaultdict(list)
    for condition in conditions:
        shares[condition["column"]].append(condition.get("share", 1))
    widths = {column: math.prod(parts) for column, parts in shares.items()}
    most = max(row["column_bits"], key=lambda part: part["bits"], default={"column": None})
    return Answer(*top.places(row["row"]), [condition["column"] for condition in conditions], widths, most["column"])


def tool_answers(tool: Tool, path: Path, n_rows: int, truth: list[Planted], seed: int, aggregate: str) -> list[Answer]:
    """Includes the rows that are not detected."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model.pidf")
        words = ["--json", "--threads", 1, "--quiet", "--seed", seed, "--aggregate", aggregate, *tool.extra]
        listed = json.loads(tool.run("detect", path, "--top", Top.size(n_rows), "--model", model, *words))["top"]
        numbers = ",".join(str(one.row) for one in truth)
        lines = tool.run("explain", model, path, "--row", numbers, "--json", "--threads", 1, "--quiet").splitlines()
    top = Top([row["row"] for row in listed], n_rows)
    answers = {row["row"]: answer_of(row, top) for row in map(json.loads, lines)}
    return [answers[one.row] for one in truth]


def tool_seconds_per_row(tool: Tool, path: Path, n_rows: int) -> float:
    """Time `explain --all`, including program start and the reading of model and table; the shortest of three runs."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model.pidf")
        tool.run("fit", path, "--output", model, "--threads", 1, "--quiet", *tool.extra)
        runs = []
        for _ in range(3):
            start = time.perf_counter()
            tool.run("explain", model, path, "--all", "--json", "--threads", 1, "--quiet")
            runs.append(time.perf_counter() - start)
    return min(runs) / n_rows
