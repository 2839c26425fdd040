# SPDX-License-Identifier: Apache-2.0
"""The part of docs/speed.md on files: reading CSV compared with pandas, `detect` from file to anomalies compared
with a script of pandas and scikit-learn, and the memory of `score`."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from report import Requirement, table

HERE = Path(__file__).resolve().parent
READ_FASTER = {"long": 4, "short": 6}
DETECT_FASTER = 8
DETECT_MEMORY = 1 / 5
SCORE_MEGABYTES = 300
READ_WITH_PANDAS = "import sys, pandas; pandas.read_csv(sys.argv[1])"
ONLY_IMPORT = "import sys, pandas"


class Took(NamedTuple):
    cpu: float
    wall: float
    peak_megabytes: float


# A process is charged with the memory of its parent, so a small process starts it.
LAUNCH = """
import os, sys, time
start = time.monotonic()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(child, 0)
print(usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss * 1024 / 1e6)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def run(*command):
    """Run a command to its end and measure the whole process."""
    launch = [sys.executable, "-I", "-S", "-c", LAUNCH, *map(str, command)]
    done = subprocess.run(launch, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"speed: {' '.join(map(str, command))} ended with {done.returncode}")
    return Took(*map(float, done.stdout.split()))


def write(build, path, rows, kind):
    subprocess.run([build / "speed_write_csv", path, str(rows), "10", kind], check=True)
    return path.stat().st_size / 1e9


def read_row(build, folder, kind, rows, asked):
    path = folder / f"{kind}.csv"
    gigabytes = write(build, path, rows, kind)
    run("/bin/cat", path)  # into the page cache
    ours = run(build / "speed_csv", path, 1).cpu
    theirs = run(sys.executable, "-c", READ_WITH_PANDAS, path).cpu - run(sys.executable, "-c", ONLY_IMPORT).cpu
    path.unlink()
    asked.append(Requirement(f"reading CSV / pandas, {kind} numbers", theirs / ours, READ_FASTER[kind], False))
    speed = [f"{gigabytes / seconds:.2f}" for seconds in (theirs, ours)]
    return [kind, f"{gigabytes:.2f}", f"{theirs:.1f}", f"{ours:.2f}", *speed, f"{theirs / ours:.1f}x", f"{READ_FASTER[kind]}x"]


def reading(build, folder, scale, asked):
    rows = [read_row(build, folder, kind, int(n * scale), asked) for kind, n in (("long", 5e6), ("short", 20e6))]
    head = ["numbers", "GB", "pandas, s", "ours, s", "pandas, GB/s", "ours, GB/s", "faster", "required"]
    return [
        "",
        "## Reading CSV: CPU seconds, one thread",
        "",
        "10 columns of numbers of 17 digits (`long`) or like 12.5 (`short`). pandas without its import.",
        *table(head, rows),
    ]


def detecting(build, folder, scale, asked):
    path = folder / "rows.csv"
    n = int(10e6 * scale)
    gigabytes = write(build, path, n, "long")
    run("/bin/cat", path)
    pidforest = build / "pidforest"
    theirs = run(sys.executable, HERE / "peer_detect.py", path)
    ours = run(pidforest, "detect", path)
    model, scores = folder / "model.pidf", folder / "scores.csv"
    run(pidforest, "fit", path, "-o", model)
    score = run(pidforest, "score", model, path, "--output", scores)
    asked += [
        Requirement("detect from file to anomalies / pandas and scikit-learn", theirs.wall / ours.wall, DETECT_FASTER, False),
        Requirement("its peak memory / theirs", ours.peak_megabytes / theirs.peak_megabytes, DETECT_MEMORY, True),
        Requirement(f"MB of memory of score on a file of {gigabytes:.1f} GB", score.peak_megabytes, SCORE_MEGABYTES, True),
    ]
    names = ["pandas and scikit-learn", "pidforest detect", "pidforest score"]
    rows = [[name, *(f"{figure:.1f}" for figure in took)] for name, took in zip(names, (theirs, ours, score))]
    return [
        "",
        f"## From file to anomalies: {n} x 10 rows, {gigabytes:.1f} GB",
        "",
        "The script is benchmarks/speed/peer_detect.py. The figures are for whole processes; pidforest uses one thread per processor.",
        *table(["", "CPU, s", "wall, s", "peak memory, MB"], rows),
    ]


def files(build, is_quick, asked):
    print("speed: files", file=sys.stderr, flush=True)
    scale = 0.02 if is_quick else 1
    with tempfile.TemporaryDirectory() as folder:
        return [*reading(build, Path(folder), scale, asked), *detecting(build, Path(folder), scale, asked)]
