#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how well detectors that learn normal operation of machines find labelled anomalies later, and their causes.

    .venv/bin/python benchmarks/machines/machines.py                        SKAB; writes docs/machines.md
    .venv/bin/python benchmarks/machines/machines.py --folder SMD=FOLDER    also the machines of a folder
    .venv/bin/python benchmarks/machines/machines.py --quick                one seed and three machines; prints only

machine_sets.py has the form of a folder. PIDFOREST_DATA is the folder of skab.csv.gz.
"""

import argparse
import os
import sys
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # must be set before numpy is imported

import numpy as np
from machine_sets import DATA, Machine, folder, skab
from methods import METHODS, Ours, blame_by_bits, blame_by_z_score, hit_rate
from sklearn.metrics import average_precision_score, roc_auc_score

PAGE = Path(__file__).resolve().parents[2] / "docs" / "machines.md"
SEEDS = (30, 31, 32)
QUICK_MACHINES = 3
SHARES = {"HitRate@100": 1.0, "HitRate@150": 1.5}

HEAD = """\
# Machines

Written by `make machines` (`.venv/bin/python benchmarks/machines/machines.py`); do not edit.
A detector learns the train part of a machine, which is normal operation, and scores the test part. The table has the mean
over the machines{seeds}. All detectors have one configuration for all sets.

- **pidforest**: `PIDForest()` on `Shingles(window=9, views=("changes", "scales"))`: the last values, their rises over 1, 2, 4 and 8
  samples, and means and deviations over 8 and 64 samples. The last 64 samples of the train part come before the test part, so
  that its first windows have all samples that they are made of.
- **Isolation Forest** (scikit-learn {sklearn}), **HBOS** and **PCA** (PyOD {pyod}) at their defaults, **kNN**: the distance to the fifth
  neighbour, **z-score**: the largest over the metrics. Their rows are single samples. kNN, PCA and the z-score use metrics
  in standard deviations of the train part.

SKAB is the Skoltech Anomaly Benchmark: 34 runs of a water circuit with eight sensors, one sample a second; the first 400
samples of a run are the train part. `--folder NAME=FOLDER` measures machines of your own, or of the Server Machine Dataset,
which are files `MACHINE.txt` in the folders `train`, `test`, `test_label` and `interpretation_label`: see
`benchmarks/machines/machine_sets.py`.
"""

CAUSES = """
## Which metrics are to blame

Events with labelled causes. HitRate@100 is the share of the metrics to blame among as many metrics with most blame,
HitRate@150 among half as many more. pidforest blames a metric by its largest bits over the eight samples of the event
with most bits, a z-score by its mean over the event.
"""


def auc_and_precision(machine: Machine, scores: np.ndarray) -> tuple[float, float]:
    return roc_auc_score(machine.labels, scores), average_precision_score(machine.labels, scores)


def causes_of(machine: Machine, seed: int) -> dict[str, list[list[float]]]:
    """The hit rates of each event, by who blames."""
    if not machine.events:
        return {}
    bits = Ours(machine, seed).metric_bits()
    rates = defaultdict(list)
    for event in machine.events:
        for who, blame in {"pidforest": blame_by_bits(bits, event), "z-score": blame_by_z_score(machine, event)}.items():
            rates[who].append([hit_rate(blame, event, share) for share in SHARES.values()])
    return rates


def rows_of(cells: list[list[str]]) -> str:
    head, *rows = cells
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]) + "\n"


def measure(sets: dict[str, list[Machine]], seeds: tuple[int, ...]) -> str:
    table = [["set", "machines", *METHODS]]
    causes = [["set", "events", "who", *SHARES]]
    for name, machines in sets.items():
        judged = [machine for machine in machines if 0 < machine.labels.sum() < len(machine.labels)]
        found = defaultdict(list)
        hits = defaultdict(list)
        for done, machine in enumerate(judged, 1):
            print(f"machines: {name}, {machine.name}: {done} of {len(judged)}", file=sys.stderr, flush=True)
            for seed in seeds:
                for who, method in METHODS.items():
                    found[who].append(auc_and_precision(machine, method(machine, seed)))
                for who, rates in causes_of(machine, seed).items():
                    hits[who] += rates
        means = [np.mean(found[who], axis=0) for who in METHODS]
        table.append([name, str(len(judged)), *(f"{auc:.3f} / {precision:.3f}" for auc, precision in means)])
        events = sum(len(machine.events) for machine in judged)
        causes += [[name, str(events), who, *(f"{rate:.3f}" for rate in np.mean(rates, axis=0))] for who, rates in hits.items()]
    words = f", and over the seeds {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else ""
    text = HEAD.format(seeds=words, sklearn=version("scikit-learn"), pyod=version("pyod"))
    text += "\n## AUC and average precision\n\n" + rows_of(table)
    return text + (CAUSES + "\n" + rows_of(causes) if len(causes) > 1 else "")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", action="append", default=[], metavar="NAME=FOLDER", help="also measure the machines of a folder")
    parser.add_argument("--quick", action="store_true", help="one seed, three machines of each set; prints only")
    parser.add_argument("--without-skab", action="store_true", help="measure only the folders; prints only")
    options = parser.parse_args()
    if any("=" not in one for one in options.folder):
        parser.error("--folder must be NAME=FOLDER, such as SMD=ServerMachineDataset.")
    if options.without_skab and not options.folder:
        parser.error("--without-skab requires --folder.")
    return options


def main() -> None:
    options = parse_options()
    if not options.without_skab and not (DATA / "skab.csv.gz").exists():
        sys.exit(f"machines: there is no {DATA / 'skab.csv.gz'}; PIDFOREST_DATA names its folder.")
    sets = {} if options.without_skab else {"SKAB": list(skab(DATA / "skab.csv.gz"))}
    for one in options.folder:
        name, _, path = one.partition("=")
        sets[name] = list(folder(Path(path)))
    if options.quick:
        sets = {name: machines[:QUICK_MACHINES] for name, machines in sets.items()}
    text = measure(sets, SEEDS[:1] if options.quick else SEEDS)
    print(text, end="")
    if not options.quick and not options.without_skab:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
