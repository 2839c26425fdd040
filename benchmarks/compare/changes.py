# SPDX-License-Identifier: Apache-2.0
"""Measures `pidforest compare` on planted changes, beside a plain test per column, and rewrites the table of docs/compare.md.

    .venv/bin/python benchmarks/compare/changes.py

The plain test: Kolmogorov-Smirnov for numbers and chi-square for levels, with missing values left out, and Fisher's test of the
missing share, with Bonferroni's correction. It sees all rows of the fit; a model knows at most 4,096 of them.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "build" / "pidforest"
PAGE = ROOT / "docs" / "compare.md"
BEGIN, END = "<!-- measured: make changes -->\n", "<!-- end -->\n"
N_THEN, N_NOW = 5000, 1000
SEEDS = range(1000, 1100)
LEVEL = 0.01


def made(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Return columns of many shapes, two of which go together."""
    load = rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "gauss": rng.normal(10, 2, n),
            "lognormal": rng.lognormal(1, 1, n),
            "uniform": rng.uniform(0, 1, n),
            "count": rng.poisson(4, n).astype(float),
            "bimodal": np.where(rng.random(n) < 0.5, rng.normal(0, 1, n), rng.normal(8, 1, n)),
            "cpu": 50 + 10 * load + 3 * rng.normal(size=n),
            "heat": 30 + 5 * load + 3 * rng.normal(size=n),
            "colour": rng.choice(["red", "green", "blue", "grey"], n, p=[0.5, 0.3, 0.15, 0.05]),
            "site": rng.choice(list("abcdefghijklmnop"), n),
        }
    )
    frame.loc[rng.random(n) < 0.02, "gauss"] = np.nan
    return frame


def missing(frame: pd.DataFrame, rng: np.random.Generator) -> str:
    frame.loc[rng.random(len(frame)) < 0.05, "lognormal"] = np.nan
    return "lognormal"


def more_missing(frame: pd.DataFrame, rng: np.random.Generator) -> str:
    frame.loc[rng.random(len(frame)) < 0.04, "gauss"] = np.nan
    return "gauss"


def new_level(frame: pd.DataFrame, rng: np.random.Generator) -> str:
    frame.loc[rng.random(len(frame)) < 0.01, "colour"] = "pink"
    return "colour"


def vanished_level(frame: pd.DataFrame, rng: np.random.Generator) -> str:
    frame.loc[frame["site"] == "p", "site"] = "a"
    return "site"


def shifted_mean(frame: pd.DataFrame, rng: np.random.Generator) -> str:
    frame["cpu"] += 0.2 * 10.44
    return "cpu"


def shifted_skewed(frame: pd.DataFrame, rng: np.random.Generator) -> str:
    frame["lognormal"] *= 1.25
    return "lognormal"


def changed_variance(frame: pd.DataFrame, rng: np.random.Generator) -> str:
    frame["heat"] = 30 + 1.2 * (frame["heat"] - 30)
    return "heat"


def one_mode(frame: pd.DataFrame, rng: np.random.Generator) -> str:
    moved = (frame["bimodal"] > 4) & (rng.random(len(frame)) < 0.15)
    frame.loc[moved, "bimodal"] -= 8
    return "bimodal"


CHANGES: dict[str, Callable[[pd.DataFrame, np.random.Generator], str]] = {
    "missing 5 %, was 0": missing,
    "missing 6 %, was 2 %": more_missing,
    "a new level in 1 % of the rows": new_level,
    "one of 16 levels vanished": vanished_level,
    "mean of a Gaussian + 0.2 deviations": shifted_mean,
    "skewed column times 1.25": shifted_skewed,
    "deviation of a Gaussian times 1.2": changed_variance,
    "15 % of one mode moved to the other": one_mode,
}


def ours(model: str, frame: pd.DataFrame, folder: Path) -> set[str]:
    frame.to_csv(folder / "now.csv", index=False)
    words = [str(TOOL), "compare", model, str(folder / "now.csv"), "--level", str(LEVEL), "--json", "--quiet"]
    document = json.loads(subprocess.run(words, capture_output=True, check=True, text=True).stdout)
    return {one["column"] for one in document["columns"] if one["is_changed"]}


def plain(then: pd.DataFrame, now: pd.DataFrame) -> set[str]:
    found = set()
    for name in then.columns:
        a, b = then[name], now[name]
        if a.dtype == object:
            p = stats.chi2_contingency(pd.crosstab(np.r_[a, b], np.r_[np.zeros(len(a)), np.ones(len(b))]).to_numpy()).pvalue
        else:
            p = stats.ks_2samp(a.dropna(), b.dropna()).pvalue
        gone = [[a.isna().sum(), a.notna().sum()], [b.isna().sum(), b.notna().sum()]]
        p = 2 * min(p, stats.fisher_exact(gone).pvalue)
        if p * len(then.columns) < LEVEL:
            found.add(name)
    return found


def measured(folder: Path) -> list[str]:
    found = {name: np.zeros(4) for name in ["nothing", *CHANGES]}  # power and other columns, ours and plain
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        then = made(rng, N_THEN)
        then.to_csv(folder / "then.csv", index=False)
        model = str(folder / "m.pidf")
        subprocess.run([str(TOOL), "fit", str(folder / "then.csv"), "-o", model, "--quiet"], check=True)
        for name in found:
            now = made(rng, N_NOW)
            column = CHANGES[name](now, rng) if name in CHANGES else ""
            for place, changed in ((0, ours(model, now, folder)), (2, plain(then, now))):
                found[name][place] += column in changed
                found[name][place + 1] += bool(changed - {column})
        print(f"seed {seed}", file=sys.stderr)
    n = len(SEEDS) / 100
    lines = ["| change | found | false alarms | plain tests: found | false alarms |", "|---|---|---|---|---|"]
    for name, (power, others, plain_power, plain_others) in found.items():
        powers = ("", "") if name == "nothing" else (f"{power / n:.0f} %", f"{plain_power / n:.0f} %")
        lines.append(f"| {name} | {powers[0]} | {others / n:.0f} % | {powers[1]} | {plain_others / n:.0f} % |")
    return lines


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        lines = measured(Path(folder))
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    PAGE.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
