#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the presets on the paper's twelve data sets and writes docs/accuracy.md.

Every figure comes from the command `pidforest detect FILE --label label --json`, run once per data set, preset and
seed. The data are in the folder PIDFOREST_DATA (by default ../shared/data).

    python3 benchmarks/accuracy/accuracy.py                            writes docs/accuracy.md
    python3 benchmarks/accuracy/accuracy.py --only vowels --seeds 1    a part: prints, writes only with --output
"""

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1]))  # shared by the benchmarks
from choices import list_of
from data_sets import DATA, KNOWN, MASKING_OUTLIERS, NOISE_COLUMNS, NOISY, SCHEMAS, SHINGLE, TWELVE
from data_sets import file_of, masking_file

ROOT = Path(__file__).resolve().parents[2]
PRESETS = ("default", "authors", "paper")
DECLARED = "declared"  # the default preset with a schema for the columns
SEEDS = 5
PROCESSES = 2

MASKING = "masking"
MASKING_SAMPLES = range(50, 1001, 50)
MASKING_TOP = 50

MEAN_FLOOR = 0.855
MEAN_PRECISION_FLOOR = 0.50
AUTHORS_TOLERANCE = 0.02


class Measure(NamedTuple):
    n: int
    d: int
    auc: list[float]  # one per seed
    precision: list[float]


class Requirement(NamedTuple):
    what: str
    margin: float  # negative if the target is missed


def detect(binary, path, seed, *flags):
    command = [binary, "detect", path, "--label", "label", "--json", "--quiet", "--threads", 1, "--seed", seed, *flags]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"accuracy: {' '.join(done.args)} ended with {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def measure(pool, binary, path, seeds, *flags):
    found = list(pool.map(lambda seed: detect(binary, path, seed, "--top", 0, *flags), range(seeds)))
    return Measure(found[0]["n"], found[0]["d"], [f["auc"] for f in found], [f["average_precision"] for f in found])


def fewest_found(pool, binary, path, seeds):
    """Return, for each sample size, the number of true outliers in the top 50: the lowest over the seeds."""

    def found(job):
        samples, seed = job
        document = detect(binary, path, seed, "--top", MASKING_TOP, "--max-samples", samples)
        return sum(row["label"] for row in document["top"])

    jobs = [(samples, seed) for samples in MASKING_SAMPLES for seed in range(seeds)]
    counts = list(pool.map(found, jobs))
    return {s: min(counts[i * seeds : (i + 1) * seeds]) for i, s in enumerate(MASKING_SAMPLES)}


def run_all(options):
    """Return the measures by data set and preset, and the masking counts or None."""
    measures, masking = {}, None
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(PROCESSES) as pool:
        folder = Path(temporary)
        for name in options.only:
            print(f"accuracy: {name}", file=sys.stderr, flush=True)
            if name == MASKING:
                masking = fewest_found(pool, options.binary, masking_file(folder), options.seeds)
                continue
            path = file_of(name, folder)
            for preset in options.presets:
                measures[name, preset] = measure(pool, options.binary, path, options.seeds, "--preset", preset)
            if name in SCHEMAS and "default" in options.presets:
                measures[name, DECLARED] = measure(pool, options.binary, path, options.seeds, "--schema", SCHEMAS[name])
    return measures, masking


def mean_of_twelve(measures, preset, figure):
    """Return None unless all twelve were measured."""
    found = [measures.get((name, preset)) for name in TWELVE]
    return fmean(fmean(getattr(m, figure)) for m in found) if all(found) else None


def requirements(measures, masking):
    asked = []
    for (name, preset), m in measures.items():
        if preset == "default":
            asked.append(Requirement(f"{name} {KNOWN[name].floor}", fmean(m.auc) - KNOWN[name].floor))
    for figure, floor, what in (("auc", MEAN_FLOOR, "mean AUC"), ("precision", MEAN_PRECISION_FLOOR, "mean precision")):
        mean = mean_of_twelve(measures, "default", figure)
        if mean is not None:
            asked.append(Requirement(f"{what} {floor}", mean - floor))
    for name in TWELVE:
        if (name, "authors") in measures:
            distance = abs(fmean(measures[name, "authors"].auc) - KNOWN[name].paper)
            what = f"authors preset within {AUTHORS_TOLERANCE} of the paper on {name}"
            asked.append(Requirement(what, AUTHORS_TOLERANCE - distance))
    for name in SCHEMAS:
        if (name, DECLARED) in measures:
            gain = fmean(measures[name, DECLARED].auc) - fmean(measures[name, "default"].auc)
            asked.append(Requirement(f"{name} with its categories declared, not below the numbers", gain))
    if masking is not None:
        asked.append(Requirement("masking, in rows", min(masking.values()) - MASKING_OUTLIERS))
    return asked


def spread(values):
    deviation = f" ± {stdev(values):.4f}" if len(values) > 1 else ""
    return f"{fmean(values):.4f}{deviation}"


def table_row(name, measures):
    m = {preset: measures.get((name, preset)) for preset in PRESETS}
    some = next(found for found in m.values() if found)
    auc = [spread(m[p].auc) if m[p] else "" for p in ("authors", "default", "paper")]
    precision = [f"{fmean(m[p].precision):.4f}" if m[p] else "" for p in ("default", "authors")]
    known = KNOWN[name]
    return [name, f"{some.n} x {some.d}", f"{known.paper:.3f}", *auc, *precision, f"{known.floor:.3f}"]


def mean_row(measures):
    means = [mean_of_twelve(measures, preset, "auc") for preset in ("authors", "default", "paper")]
    means += [mean_of_twelve(measures, preset, "precision") for preset in ("default", "authors")]
    paper = fmean(known.paper for known in TWELVE.values())
    floor = f"{MEAN_FLOOR:.3f}, precision {MEAN_PRECISION_FLOOR:.3f}"
    return ["mean of the twelve", "", f"{paper:.3f}", *("" if m is None else f"{m:.4f}" for m in means), floor]


def table(measures):
    names = [name for name in KNOWN if any((name, preset) in measures for preset in PRESETS)]
    head = ["data set", "n x d", "paper", "authors preset", "default preset", "paper preset"]
    head += ["precision, default", "precision, authors", "floor for default"]
    rows = [head, ["---"] * len(head), *(table_row(name, measures) for name in names if name in TWELVE)]
    if all(name in names for name in TWELVE):
        rows.append(mean_row(measures))
    rows += [table_row(name, measures) for name in names if name in NOISY]
    return [f"| {' | '.join(row)} |" for row in rows]


def masking_text(masking):
    missed = [f"{n} at max_samples {samples}" for samples, n in masking.items() if n < MASKING_OUTLIERS]
    sizes = f"{MASKING_SAMPLES[0]}, {MASKING_SAMPLES[1]}, ... {MASKING_SAMPLES[-1]}"
    rows = f"970 random rows of {{-1,1}}^10 and {MASKING_OUTLIERS} rows of zeros"
    return [
        "",
        f"Masking: {rows}, default preset, max_samples {sizes}.",
        f"Rows of zeros in the top {MASKING_TOP}, with the worst of the seeds: "
        + (", ".join(missed) + "." if missed else f"all {MASKING_OUTLIERS} at every max_samples."),
    ]


def declared_text(measures):
    """Compare the sets that have a schema with the same rows read as numbers."""
    names = [name for name in SCHEMAS if (name, DECLARED) in measures]
    head = ["data set", "default preset, declared", "as numbers", "precision, declared", "as numbers"]
    rows = [head, ["---"] * len(head)]
    for name in names:
        found = [measures[name, preset] for preset in (DECLARED, "default")]
        rows.append([name, *(spread(m.auc) for m in found), *(f"{fmean(m.precision):.4f}" for m in found)])
    title = f"## {', '.join(names)} with its categories declared"
    schemas = ", ".join(f"`benchmarks/accuracy/{SCHEMAS[name].name}`" for name in names)
    text = f"The schema {schemas} says which columns are ordered levels (hazards) and which a category (the shift)."
    return ["", title, "", text, "", *(f"| {' | '.join(row)} |" for row in rows)] if names else []


def comparison_text(measures):
    """List where the default preset is above the authors preset, and where it is below."""
    pairs = [name for name in KNOWN if (name, "default") in measures and (name, "authors") in measures]
    gap = {n: fmean(measures[n, "default"].auc) - fmean(measures[n, "authors"].auc) for n in pairs}
    by_gap = sorted(gap, key=gap.get, reverse=True)
    above = ", ".join(f"{n} (+{gap[n]:.4f})" for n in by_gap if gap[n] > 0)
    below = ", ".join(f"{n} ({gap[n]:.4f})" for n in reversed(by_gap) if gap[n] < 0)
    text = f"The default preset is above the authors preset on {above or 'no set'}; below it on {below or 'none'}."
    return ["", text] if pairs else []


def findings(asked, measures):
    missed = [requirement for requirement in asked if requirement.margin < 0]
    lines = ["", "## Results", "", f"{len(asked) - len(missed)} of {len(asked)} requirements are met."]
    lines += ["Missed:", ""] if missed else []
    lines += [f"- {requirement.what}: by {-requirement.margin:.4g}" for requirement in missed]
    return lines + comparison_text(measures)


def document(options, measures, masking, asked):
    seeds = f"seeds 0 to {options.seeds - 1}: mean and standard deviation" if options.seeds > 1 else "seed 0"
    lines = [
        "# Accuracy",
        "",
        "Written by `make accuracy` (`python3 benchmarks/accuracy/accuracy.py`); do not edit.",
        f"AUC after fitting and scoring each whole set, {seeds}.",
        f"The four series are shingled with a window of {SHINGLE}; {' and '.join(NOISY)} have {NOISE_COLUMNS} columns",
        "of uniform noise added. `paper` is PIDForest in the paper's tables 2 and 3; `precision` is average precision.",
        "",
    ]
    lines += table(measures) if measures else []
    lines += masking_text(masking) if masking is not None else []
    lines += declared_text(measures)
    return "\n".join(lines + findings(asked, measures)) + "\n"


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "pidforest", help="default: build/pidforest")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"how many, from 0; default {SEEDS}")
    parser.add_argument("--presets", type=list_of(str, PRESETS), default=list(PRESETS), metavar="NAME,...")
    names = [*KNOWN, MASKING]
    parser.add_argument("--only", type=list_of(str, names), default=names, metavar="NAME,...", help=", ".join(names))
    parser.add_argument("--output", type=Path, help="default: docs/accuracy.md for a whole run, no file for a part")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a requirement is missed")
    options = parser.parse_args()
    if options.seeds < 1:
        parser.error(f"--seeds must be at least 1; got {options.seeds}.")
    is_whole = options.seeds >= SEEDS and set(options.presets) == set(PRESETS) and set(options.only) == set(names)
    options.output = options.output or (ROOT / "docs" / "accuracy.md" if is_whole else None)
    return options


def main():
    options = parse_options()
    if not DATA.is_dir():
        print("accuracy: skipped: the data folder is absent; PIDFOREST_DATA says where it is (default ../shared/data).")
        return 0
    if not options.binary.exists():
        sys.exit(f"accuracy: there is no {options.binary}; `make build` makes it, --binary names another.")
    measures, masking = run_all(options)
    asked = requirements(measures, masking)
    text = document(options, measures, masking, asked)
    print(text, end="")
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(text, encoding="utf-8")
    return 1 if options.check and any(requirement.margin < 0 for requirement in asked) else 0


if __name__ == "__main__":
    sys.exit(main())
