# SPDX-License-Identifier: Apache-2.0
"""Our side of a comparison, in C++: a process that holds the rows and executes commands (worker.cpp)."""

import subprocess
import sys
from typing import NamedTuple


class Took(NamedTuple):
    cpu: float
    wall: float
    peak_kilobytes: float

    def peak_megabytes(self):
        return self.peak_kilobytes * 1024 / 1e6


class Worker:
    def __init__(self, build):
        self.process = subprocess.Popen([build / "speed_worker"], stdin=-1, stdout=-1, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()

    def order(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"speed: the worker ended at the order: {' '.join(map(str, words))}")
        return Took(*map(float, answer.split())) if answer.strip() else None

    def load(self, rows, folder):
        path = folder / "rows"
        rows.tofile(path)
        self.order("load", path, rows.shape[1])
