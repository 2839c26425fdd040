# SPDX-License-Identifier: Apache-2.0
"""The part of docs/speed.md on one split of one column: microseconds and instructions."""

import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median

from report import Requirement, table

# The required times of the exact split, by m/k.
SPLIT_MICROSECONDS = {"100/3": 1.0, "256/5": 9.0}


def instructions(build, size):
    """Return the instructions of one split, as the difference between 2000 and 1000 of them; None without valgrind."""
    with tempfile.NamedTemporaryFile("r") as profile:
        counts = []
        for times in ("1000", "2000"):
            command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile.name}"]
            command += [build / "speed_split_once", *size.split("/"), times]
            try:
                subprocess.run(command, check=True, capture_output=True)
            except FileNotFoundError:
                return None
            counts.append(int(re.search(r"^totals: (\d+)", Path(profile.name).read_text(), re.MULTILINE)[1]))
    return (counts[1] - counts[0]) // 1000


def split_times(build, is_quick):
    """Return medians of CPU microseconds by benchmark: times["exact"]["100/3"]."""
    flags = ["--benchmark_min_time=0.01"] if is_quick else ["--benchmark_min_time=0.1", "--benchmark_repetitions=7"]
    command = [build / "speed_partition", "--benchmark_format=json", *flags]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    runs = defaultdict(list)
    for run in json.loads(done.stdout)["benchmarks"]:
        if run["run_type"] == "iteration":
            runs[run["run_name"]].append(run["cpu_time"])
    times = defaultdict(dict)
    for name, found in runs.items():
        kind, size = name.split("/", 1)
        times[kind][size] = median(found)
    return times


def figure(microseconds):
    if microseconds is None:
        return ""
    return f"{microseconds:.0f}" if microseconds >= 1000 else f"{microseconds:.3g}"


def one_split(build, is_quick, asked):
    print("speed: one split", file=sys.stderr, flush=True)
    times = split_times(build, is_quick)
    rows = []
    for size, exact in times["exact"].items():
        m, k = size.split("/")
        others = [figure(times[kind].get(size)) for kind in ("plain", "one_pass")]
        bound = SPLIT_MICROSECONDS.get(size)
        count = instructions(build, size) if bound else None
        rows.append([m, k, figure(exact), bound or "", count or "", *others])
        if bound:
            asked.append(Requirement(f"exact split in us, m = {m}, k = {k}", exact, bound, True))
    slower = [size.split("/")[0] for size, t in times["exact"].items() if times["one_pass"][size] < t]
    head = ["m", "k", "exact", "required, at most", "instructions", "plain", "one pass, epsilon 0.1"]
    return [
        "",
        "## One split of one column: microseconds",
        "",
        f"The one-pass version is the faster one {f'from m = {slower[0]} on' if slower else 'at none of these m'}.",
        "Instructions of the exact split are counted by callgrind, which has no AVX-512, so Highway uses AVX2.",
        *table(head, rows),
    ]
