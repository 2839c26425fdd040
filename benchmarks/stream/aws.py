# SPDX-License-Identifier: Apache-2.0
"""AWS's random cut forest, run by a Java program of our own, where Java and Maven are installed."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np

from streams import WINDOW

HERE = Path(__file__).resolve().parent / "rcf"
BUILT = Path(__file__).resolve().parents[2] / "build-bench" / "rcf"
NAME = "AWS RCF"
VERSION = "randomcutforest-core 4.4.0"
TOOLS = ("java", "javac", "mvn")
FIRST = 256  # it has no scores that mean anything before its samples are full


@cache
def is_there() -> bool:
    """Whether it can be run. Says why not."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"stream-bench: {NAME} is left out: there is no {' and no '.join(missing)}.", file=sys.stderr)
        return False
    try:
        build()
    except subprocess.CalledProcessError as error:
        print(f"stream-bench: {NAME} is left out: {' '.join(map(str, error.cmd))} failed.", file=sys.stderr)
        return False
    return True


def build() -> None:
    if (BUILT / "Follow.class").exists():
        return
    BUILT.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mvn", "-q", "-f", HERE / "pom.xml", "dependency:copy-dependencies", f"-DoutputDirectory={BUILT}"], check=True)
    subprocess.run(["javac", "-cp", f"{BUILT}/*", "-d", BUILT, HERE / "Follow.java"], check=True)


def follow(values: np.ndarray, seed: int) -> np.ndarray:
    """Return the scores of all events."""
    words = ["java", "-cp", f"{BUILT}/*:{BUILT}", "Follow", str(values.shape[1]), str(WINDOW), str(seed)]
    lines = "".join(" ".join(map(repr, event)) + "\n" for event in values.tolist())
    done = subprocess.run(words, input=lines, capture_output=True, check=True, text=True)
    scores = np.array([float(line) for line in done.stdout.split()])
    scores[:FIRST] = np.nan
    return scores
