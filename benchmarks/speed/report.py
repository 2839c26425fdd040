# SPDX-License-Identifier: Apache-2.0
"""The parts of docs/speed.md."""

import os
import platform
import re
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

LIMITS = "## What limits it"


class Requirement(NamedTuple):
    what: str
    got: float
    bound: float
    is_at_most: bool
    doubt: str = ""  # why a missed figure says little

    def is_reached(self):
        return self.got <= self.bound if self.is_at_most else self.got >= self.bound

    def verdict(self):
        words = "reached" if self.is_reached() else f"NOT reached{self.doubt}"
        return f"- {self.what}: {self.got:.3g}, {'at most' if self.is_at_most else 'at least'} {self.bound:g}: {words}"


def verdicts(asked):
    reached = sum(requirement.is_reached() for requirement in asked)
    head = ["", "## Requirements", "", f"{reached} of {len(asked)} requirements are reached:", ""]
    return [*head, *(requirement.verdict() for requirement in asked)]


def table(head, rows):
    return ["", *(f"| {' | '.join(map(str, row))} |" for row in [head, ["---"] * len(head), *rows])]


def machine(build, packages=("scikit-learn", "isotree", "numpy", "pandas")):
    """Describe the machine, without names or paths."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    cache = (build / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.MULTILINE)[1]
    release = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    processor = f"{model[1] if model else platform.machine()}, {os.cpu_count()} cores"
    return f"{processor}; {release}; Python {platform.python_version()}, {versions}."


def kept_limits(path):
    """Return the handwritten section at the end of the document."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return text[text.index(LIMITS) :].strip() if LIMITS in text else f"{LIMITS}\n\nNothing is written here yet."
