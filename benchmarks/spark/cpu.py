# SPDX-License-Identifier: Apache-2.0
"""CPU time of this process and of all processes below it: the driver, the JVM and the Python workers."""

import os
import time
from pathlib import Path
from typing import Any, Callable, NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")


class Took(NamedTuple):
    cpu: float  # seconds, of all processes
    wall: float


def ticks_of(pid: str) -> tuple[int, int]:
    """Return the parent of a process and its clock ticks, with those of its children that have ended; (0, 0) if it is gone."""
    try:
        text = Path("/proc", pid, "stat").read_text()
    except OSError:
        return 0, 0
    fields = text.rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15]))


def tree_seconds(root: int | None = None) -> float:
    """Return the CPU seconds of a process and its descendants."""
    found = {int(pid): ticks_of(pid) for pid in os.listdir("/proc") if pid.isdigit()}
    children: dict[int, list[int]] = {}
    for pid, (parent, _) in found.items():
        children.setdefault(parent, []).append(pid)
    seconds, waiting = 0.0, [root or os.getpid()]
    while waiting:
        pid = waiting.pop()
        seconds += found.get(pid, (0, 0))[1] / TICKS
        waiting += children.get(pid, [])
    return seconds


def measured(work: Callable[[], Any]) -> tuple[Took, Any]:
    """Run it, and return what it took and its result."""
    cpu, wall = tree_seconds(), time.monotonic()
    result = work()
    return Took(tree_seconds() - cpu, time.monotonic() - wall), result
