#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares streams with rrcf, river's half-space trees and AWS's random cut forest, in one run, and writes the figures of
docs/streams.md.

`make stream-bench` builds the prerequisites and installs the peers. The scores of the peers are kept in the build
folder, because rrcf takes an hour; their rates are measured each time.

    .venv/bin/python benchmarks/stream/bench.py           writes the figures of docs/streams.md
    .venv/bin/python benchmarks/stream/bench.py --peers-of docs/streams.md --seeds 1 --output docs/streams.md
                                                          with the AUC of rrcf and river on the series of the page
    .venv/bin/python benchmarks/stream/bench.py --quick   less of everything: prints, writes only with --output
"""

import argparse
import os
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # must be set before the peers are imported

import numpy as np

import aws
from detectors import ALL
from earlier import PEERS, add_peers
from judge import auc, auc_of_parts, time_to_adapt
from kept import scores_of
from rates import METRICS, library_rate, rates
from report import HEADING, Measures, document
from streams import CHANGES, Stream, all_series, drift

ROOT = Path(__file__).resolve().parents[2]
PROCESSES = 2
SEEDS = 3
LIBRARY_EVENTS, LONG_EVENTS = 300_000, 10_000_000
EVENTS = {"one_by_one": 10_000, "rrcf": 300, "river": 1_500}  # per round; update and update_one use the first number
QUICK_EVENTS = {"one_by_one": 2_000, "rrcf": 50, "river": 300}


def run_stream(job: tuple[Stream, int, list[str]]) -> dict[str, np.ndarray]:
    stream, seed, detectors = job
    return {name: scores_of(name, stream, seed) for name in detectors}


def first_judged(scores: dict[str, np.ndarray]) -> int:
    """Return the first event for which all detectors have a score."""
    return int(np.flatnonzero(np.isfinite(list(scores.values())).all(axis=0))[0])


def judge_all(measures: Measures, jobs: list[tuple[Stream, int, list[str]]]) -> None:
    with ProcessPoolExecutor(PROCESSES) as pool:
        for done, ((stream, seed, _), scores) in enumerate(zip(jobs, pool.map(run_stream, jobs)), 1):
            print(f"stream-bench: {stream.name}, seed {seed}: {done} of {len(jobs)}", file=sys.stderr, flush=True)
            first = first_judged(scores)
            for name, some in scores.items():
                if stream.change is None:
                    measures.series[stream.name, name].append(auc(some[first:], stream.labels[first:]))
                    measures.nab[name, seed].append((some, stream.labels))
                else:
                    measures.drift[stream.name, name].append(auc_of_parts(stream, some, first))
                    measures.adapt[stream.name, name].append(time_to_adapt(stream, some, first))


def measure(options: argparse.Namespace) -> Measures:
    measures = Measures([], [], None, *(defaultdict(list) for _ in range(4)))
    quick = 10 if options.quick else 1
    for metrics in METRICS:
        print(f"stream-bench: rates of {metrics} metrics", file=sys.stderr, flush=True)
        measures.library.append(library_rate(options.binary, metrics, LIBRARY_EVENTS // quick))
        measures.rates.append(rates(metrics, QUICK_EVENTS if options.quick else EVENTS))
    if not options.quick:
        print(f"stream-bench: memory over {LONG_EVENTS:,} events", file=sys.stderr, flush=True)
        measures = measures._replace(long=library_rate(options.binary, 10, LONG_EVENTS))
    seeds = range(1 if options.quick else options.seeds)
    streams = [(drift(name, seed), seed) for seed in seeds for name in CHANGES]
    streams += [(stream, seed) for seed in seeds for stream in all_series()]

    def names_for(stream: Stream) -> list[str]:
        left_out = ("rrcf",) if options.quick else PEERS if options.peers_of and stream.change is None else ()
        return [name for name in ALL if name not in left_out and (name != aws.NAME or aws.is_there())]

    judge_all(measures, [(stream, seed, names_for(stream)) for stream, seed in streams])
    if options.peers_of:
        add_peers(measures, options.peers_of)
    return measures._replace(are_peers_earlier=options.peers_of is not None)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    binary = ROOT / "build-bench" / "stream_rate"
    parser.add_argument("--binary", type=Path, default=binary, help="default: build-bench/stream_rate")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"how many, from 0; default {SEEDS}")
    parser.add_argument("--quick", action="store_true", help="few events, one seed, no AUC of rrcf, no long stream")
    parser.add_argument("--peers-of", type=Path, metavar="PAGE", help="take the AUC of rrcf and river on the series from a page: they take 25 minutes there")
    parser.add_argument("--output", type=Path, help="the page whose figures to write; default: docs/streams.md for a whole run, else none")
    options = parser.parse_args()
    if options.seeds < 1:
        parser.error(f"--seeds must be at least 1; got {options.seeds}.")
    is_whole = not options.quick and options.seeds >= SEEDS
    options.output = options.output or (ROOT / "docs" / "streams.md" if is_whole else None)
    return options


def main() -> None:
    options = parse_options()
    if not options.binary.exists():
        sys.exit(f"stream-bench: there is no {options.binary}; `make stream-bench` builds it, --binary names another.")
    text = document(measure(options))
    print(text, end="")
    if options.output:
        said = options.output.read_text(encoding="utf-8").partition(f"\n{HEADING}\n")[0] if options.output.exists() else ""
        options.output.write_text(f"{said}\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
