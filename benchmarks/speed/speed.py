#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares us with scikit-learn's and isotree's isolation forests, and writes docs/speed.md.

All three run in turn on the same arrays, with one thread, and are compared by the medians of their CPU time. `make
bench` builds the prerequisites. The section "What limits it" of the document is written by hand and kept.

    .venv/bin/python benchmarks/speed/speed.py            writes docs/speed.md
    .venv/bin/python benchmarks/speed/speed.py --quick    fewer rounds: prints, writes only with --output
    .venv/bin/python benchmarks/speed/speed.py --parts parquet    some parts: prints, writes only with --output
"""

import argparse
import os
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # must be set before the peers are imported

import isotree
import numpy as np
import sklearn.ensemble

from files import files
from made_table import SEED, synthetic
from one_split import one_split
from parquet import parquet
from report import LIMITS, Requirement, kept_limits, machine, table, verdicts
from worker import Worker

ROOT = Path(__file__).resolve().parents[2]
ROWS, TREES, SAMPLE = 20_000, 100, 256
QUIET_CORES = 0.1  # what other processes may use while two threads are timed

NO_THRESHOLD = "contamination=none"  # so that a fit scores nothing, like those of the peers
NO_REASONS = "reasons=off"  # so that a fit counts no reasons, which the peers do not give

# The requirements, by number of columns: the fit takes at most this multiple of the peer's time; scoring has at least
# this multiple of its speed.
FIT_DEFAULT = {10: 0.12, 36: 0.2, 166: 0.6}
FIT_OPTIMAL = {10: 0.3, 36: 0.6, 166: 2.5}
FIT_ISOTREE = {166: 3}
WITH_REASONS = 2  # a fit with reasons takes at most this multiple of a fit without
SCORE_SKLEARN = {3: 12, 10: 20, 36: 20, 166: 30}
SCORE_ISOTREE = {3: 5, 10: 8, 36: 8, 166: 5}
COLUMNS = tuple(SCORE_SKLEARN)
TWO_THREADS = 1.7
FLAT_MEGABYTES = 1.0  # the additional memory allowed for ten times the rows, not counting the rows and their scores


def cpu_seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def measure_all(worker, rows, rounds):
    """Return medians of CPU seconds by task; every method has a turn in every round."""
    seconds = defaultdict(list)
    for seed in range(rounds):
        options = (NO_THRESHOLD, f"seed={seed}")
        seconds["ours fit reasons"].append(worker.order("fit", *options).cpu)
        seconds["ours fit optimal"].append(worker.order("fit", *options, NO_REASONS, "cuts=optimal").cpu)
        seconds["ours fit"].append(worker.order("fit", *options, NO_REASONS).cpu)
        seconds["ours score"].append(worker.order("score").cpu)
        peer = sklearn.ensemble.IsolationForest(n_estimators=TREES, max_samples=SAMPLE, n_jobs=1, random_state=seed)
        seconds["sklearn fit"].append(cpu_seconds(lambda: peer.fit(rows)))
        seconds["sklearn score"].append(cpu_seconds(lambda: peer.score_samples(rows)))
        peer = isotree.IsolationForest(ntrees=TREES, sample_size=SAMPLE, ndim=1, nthreads=1, random_seed=seed)
        seconds["isotree fit"].append(cpu_seconds(lambda: peer.fit(rows)))
        seconds["isotree score"].append(cpu_seconds(lambda: peer.predict(rows)))
    return {what: median(times) for what, times in seconds.items()}


def fit_row(d, took, asked):
    cells = [d, *(f"{1e3 * took[f'{who} fit']:.1f}" for who in ("sklearn", "isotree", "ours"))]
    for kind, floor in (("", FIT_DEFAULT), (" optimal", FIT_OPTIMAL)):
        ratio = took[f"ours fit{kind}"] / took["sklearn fit"]
        if kind:
            cells.append(f"{1e3 * took['ours fit optimal']:.1f}")
        cells += [f"{ratio:.3f}x", f"{floor[d]}x" if d in floor else ""]
        if d in floor:
            asked.append(Requirement(f"fit{kind or ' default'} / scikit-learn, d = {d}", ratio, floor[d], True))
    if d in FIT_ISOTREE:
        asked.append(Requirement(f"fit default / isotree, d = {d}", took["ours fit"] / took["isotree fit"], FIT_ISOTREE[d], True))
    return cells


def reasons_row(d, took, asked):
    ratio = took["ours fit reasons"] / took["ours fit"]
    asked.append(Requirement(f"fit with reasons / without, d = {d}", ratio, WITH_REASONS, True))
    return [d, *(f"{1e3 * took[what]:.1f}" for what in ("ours fit", "ours fit reasons")), f"{ratio:.2f}x", f"{WITH_REASONS}x"]


def score_row(d, took, asked):
    cells = [d, *(f"{1e9 * took[f'{who} score'] / ROWS / TREES:.2f}" for who in ("sklearn", "isotree", "ours"))]
    for peer, name, floor in (("sklearn", "scikit-learn", SCORE_SKLEARN), ("isotree", "isotree", SCORE_ISOTREE)):
        ratio = took[f"{peer} score"] / took["ours score"]
        cells += [f"{ratio:.1f}x", f"{floor[d]}x"]
        asked.append(Requirement(f"scoring speed / {name}, d = {d}", ratio, floor[d], False))
    return cells


def against_peers(build, rounds, asked):
    fit, reasons, score = [], [], []
    with tempfile.TemporaryDirectory() as folder, Worker(build) as worker:
        for d in COLUMNS:
            print(f"speed: d = {d}", file=sys.stderr, flush=True)
            rows = synthetic(ROWS, d)
            worker.load(rows, Path(folder))
            took = measure_all(worker, rows, rounds)
            fit.append(fit_row(d, took, asked))
            reasons.append(reasons_row(d, took, asked))
            score.append(score_row(d, took, asked))
    asked.sort(key=lambda requirement: requirement.what.partition(",")[0])
    peers = ["d", "scikit-learn", "isotree", "ours"]
    required = "required, at most"
    return [
        "",
        f"## Fit: milliseconds, {ROWS} rows, {TREES} trees of {SAMPLE} rows",
        "",
        "Ratios are to scikit-learn. Its fit scores no rows, and with `contamination=none` ours scores none either. It gives",
        "no reasons, so ours has `reasons=off`. `optimal` is the same with `cuts=optimal`.",
        *table([*peers, "ratio", required, "ours optimal", "ratio", required], fit),
        "",
        "## Reasons: milliseconds of the same fit without and with them",
        *table(["d", "without", "with", "ratio", required], reasons),
        "",
        "## Score: nanoseconds per row and tree",
        *table([*peers, "faster than scikit-learn", "required", "faster than isotree", "required"], score),
    ]


def busy_seconds():
    """Return the CPU time used by all processes of the machine, plus the time stolen by the host."""
    user, nice, system, _, _, irq, softirq, steal = map(int, Path("/proc/stat").read_text().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def two_threads(build, rounds, asked):
    print("speed: two threads", file=sys.stderr, flush=True)
    took = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, Worker(build) as worker:
        worker.load(synthetic(200_000, 10), Path(folder))
        start, busy = time.monotonic(), busy_seconds()
        for _ in range(rounds):
            for threads in (1, 2):
                worker.order("threads", threads)
                took["fit", threads].append(worker.order("fit", NO_THRESHOLD, NO_REASONS))
                took["score", threads].append(worker.order("score"))
        ours = sum(one.cpu for times in took.values() for one in times)
        others = max(0.0, (busy_seconds() - busy - ours) / (time.monotonic() - start))
    rows = []
    for what in ("fit", "score"):
        one, two = (median(t.wall for t in took[what, threads]) for threads in (1, 2))
        rows.append([what, f"{1e3 * one:.0f}", f"{1e3 * two:.0f}", f"{one / two:.2f}x", f"{TWO_THREADS}x"])
        doubt = ", on a machine too busy to say" if others > QUIET_CORES else ""
        asked.append(Requirement(f"two threads, {what}", one / two, TWO_THREADS, False, doubt))
    head = ["200000 x 10 rows", "one thread, ms", "two threads, ms", "faster", "required"]
    noise = f"Wall time. Meanwhile other processes used {others:.2f} cores; more than {QUIET_CORES} makes the figures unreliable."
    return ["", "## Two threads", "", noise, *table(head, rows)]


def memory_of(build, n):
    """Return megabytes: the peak after loading n x 3 rows, and the increase by fitting and then scoring with its
    result."""
    rng = np.random.default_rng(SEED)
    with tempfile.NamedTemporaryFile() as file, Worker(build) as worker:
        for begin in range(0, n, 100_000):
            rng.standard_normal((min(100_000, n - begin), 3)).tofile(file)
        file.flush()
        load, fit, score = (worker.order(order).peak_megabytes() for order in (f"load {file.name} 3", "fit", "score"))
    return load, fit - load, score - load - 8 * n / 1e6


def memory(build, n, asked):
    print("speed: memory", file=sys.stderr, flush=True)
    rows = {size: memory_of(build, size) for size in (n // 10, n)}
    growth = rows[n][2] - rows[n // 10][2]
    asked.append(Requirement(f"MB more for scoring {n} x 3 rows than a tenth of them", growth, FLAT_MEGABYTES, True))
    head = ["rows x 3", "input", "peak after load", "growth by fit", "growth by fit and score, without the scores"]
    cells = [[size, f"{24 * size / 1e6:.1f}", *(f"{mb:.1f}" for mb in rows[size])] for size in rows]
    return ["", "## Memory: resident megabytes, one thread", *table(head, cells)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build-bench", help="default: build-bench")
    parser.add_argument("--quick", action="store_true", help="2 rounds instead of 7, and fewer rows for memory")
    parser.add_argument("--parts", help="some of peers,threads,memory,split,files,parquet, separated by commas; default all")
    parser.add_argument("--output", type=Path, help="default: docs/speed.md, or no file when --quick or --parts")
    options = parser.parse_args()
    document = ROOT / "docs" / "speed.md"
    output = options.output or (None if options.quick or options.parts else document)
    rounds, asked = (2 if options.quick else 7), []
    parts = {
        "peers": lambda: against_peers(options.build, rounds, asked),
        "threads": lambda: two_threads(options.build, rounds, asked),
        "memory": lambda: memory(options.build, 1_000_000 if options.quick else 10_000_000, asked),
        "split": lambda: one_split(options.build, options.quick, asked),
        "files": lambda: files(options.build, options.quick, asked),
        "parquet": lambda: parquet(options.build, options.quick, asked),
    }
    chosen = options.parts.split(",") if options.parts else list(parts)
    if unknown := set(chosen) - set(parts):
        sys.exit(f"speed: --parts must be some of {','.join(parts)}; got {','.join(sorted(unknown))}.")
    needed = "pidforest" if set(chosen) <= {"parquet"} else "speed_worker"
    if not (options.build / needed).exists():
        sys.exit(f"speed: there is no {needed} in {options.build}; `make bench` builds it, --build names another.")
    text = [
        "# Speed",
        "",
        f"Written by `make bench` (benchmarks/speed/speed.py); only the section \"{LIMITS[3:]}\" is written by hand.",
        f"CPU time of one thread, medians of {rounds} rounds in which all take turns on the same arrays.",
        "",
        machine(options.build),
        *(line for name in parts if name in chosen for line in parts[name]()),
    ]
    text = "\n".join([*text, *verdicts(asked), "", kept_limits(output or document)]) + "\n"
    print(text, end="")
    if output:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
