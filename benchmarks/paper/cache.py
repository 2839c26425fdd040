# SPDX-License-Identifier: Apache-2.0
"""Results on disk: one line of JSON per task, written when the task ends. A killed run loses only unfinished tasks."""

import json
from pathlib import Path
from typing import NamedTuple


class Task(NamedTuple):
    experiment: str
    data: str
    algorithm: str
    seed: int

    def words(self) -> str:
        return f"{self.experiment}: {self.algorithm} on {self.data}, seed {self.seed}"


def drop_torn_line(path: Path) -> None:
    """Remove the incomplete last line that a run leaves if it is killed while writing."""
    written = path.read_bytes()
    whole = written.rfind(b"\n") + 1
    if whole < len(written):
        with path.open("r+b") as file:
            file.truncate(whole)


class Cache:
    """Results by task. Each is stored with a fingerprint of its inputs and found only under the same fingerprint."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.kept: dict[Task, tuple[str, dict]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        drop_torn_line(path)
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            self.kept[Task(*entry["task"])] = (entry["fingerprint"], entry["result"])

    def get(self, task: Task, fingerprint: str) -> dict | None:
        found = self.kept.get(task)
        return found[1] if found and found[0] == fingerprint else None

    def put(self, task: Task, fingerprint: str, result: dict) -> None:
        self.kept[task] = (fingerprint, result)
        line = json.dumps({"task": task, "fingerprint": fingerprint, "result": result})
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
