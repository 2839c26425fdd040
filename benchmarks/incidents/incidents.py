# SPDX-License-Identifier: Apache-2.0
"""Measures incidents and budgets on made streams with known events and on the series of NAB; rewrites the table of
docs/incidents.md.

    python3 benchmarks/incidents/incidents.py

An event is found if an incident overlaps it, or begins within 30 samples after it; further incidents there are splits. All other
incidents are false. With `detect` they are those of windows of 10 samples, with `stream` those of the lines it writes.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from made import Event, Made, nab_like, smd_like

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PIDFOREST_DATA", ROOT.parent / "shared" / "data"))
TOOL = ROOT / "build" / "pidforest"
PAGE = ROOT / "docs" / "incidents.md"
BEGIN, END = "<!-- measured: make incidents -->\n", "<!-- end -->\n"
SEEDS = range(2000, 2010)
BUDGETS = ("automatic", "1", "5", "20")
SERIES = ("nyc_taxi", "ambient_temperature", "cpu_utilization", "machine_temperature")
LATE = 30  # samples after an event in which an incident still belongs to it


def nab(name: str) -> Made | None:
    """The series, and its runs of labels."""
    path = DATA / f"{name}.csv"
    if not path.exists():
        return None
    with path.open(newline="", encoding="utf-8") as file:
        rows = sorted((row["timestamp"], float(row["value"]), row["label"] == "1") for row in csv.DictReader(file))
    labels = np.array([row[2] for row in rows])
    edges = np.flatnonzero(np.diff(np.r_[0, labels, 0]))
    events = tuple(Event(int(first), int(end), (0,)) for first, end in edges.reshape(-1, 2))
    times = np.array([row[0] for row in rows], dtype="datetime64[s]")
    return Made(name, times, np.array([[row[1]] for row in rows]), events)


def incidents(made: Made, verb: str, budget: str, path: Path) -> list[dict]:
    flags = [] if budget == "automatic" else ["--alerts-per-day", budget]
    flags += ["--window", "10"] if verb == "detect" or made.values.shape[1] == 1 else []
    flags += ["--incidents"] if verb == "detect" else []
    words = [str(TOOL), verb, str(path), "--time", "time", "--json", "--quiet", *flags]
    out = subprocess.run(words, capture_output=True, check=True, text=True).stdout
    if verb == "detect":
        return json.loads(out)["incidents"]
    last = {}
    for line in out.splitlines():
        one = json.loads(line)
        last[one["incident"]] = one
    return list(last.values())


def judged(made: Made, found: list[dict]) -> np.ndarray:
    """Events, found ones, splits, false incidents, days, blamed rightly, and the longest incident in days."""
    when = lambda text: np.datetime64(text.removesuffix("Z"), "s")  # noqa: E731
    times = made.times.astype("datetime64[s]")
    spans = [(np.searchsorted(times, when(one["begin"])), np.searchsorted(times, when(one["end"])), one) for one in found]
    of_event = [[one for begin, end, one in spans if begin < event.end + LATE and end >= event.first] for event in made.events]
    belonging = {id(one) for some in of_event for one in some}
    n_false = sum(id(one) not in belonging for one in found)
    named = {f"m{metric}" for metric in range(made.values.shape[1])}
    right = 0
    for event, some in zip(made.events, of_event):
        metrics = {f"m{metric}" for metric in event.metrics}
        best = max(some, key=lambda one: one["worst"]["score"], default=None)
        right += best is not None and bool(best["metrics"]) and best["metrics"][0]["metric"] in metrics & named
    longest = max(((when(one["end"]) - when(one["begin"])) / np.timedelta64(1, "D") for one in found), default=0.0)
    found_events = sum(bool(some) for some in of_event)
    splits = sum(max(len(some) - 1, 0) for some in of_event)
    return np.array([len(made.events), found_events, splits, n_false, made.days, right, longest])


def rows_of(name: str, streams: list[Made], folder: Path) -> list[str]:
    lines = []
    for verb in ("stream", "detect"):
        for budget in BUDGETS:
            total = np.zeros(7)
            for made in streams:
                path = folder / "series.csv"
                columns = ",".join(f"m{metric}" for metric in range(made.values.shape[1]))
                values = (",".join(f"{x:.6g}" for x in row) for row in made.values)
                path.write_text(f"time,{columns}\n" + "".join(f"{t},{v}\n" for t, v in zip(made.times.astype(str), values)))
                one = judged(made, incidents(made, verb, budget, path))
                total[:6] += one[:6]
                total[6] = max(total[6], one[6])
            n, found, splits, n_false, days, right, longest = total
            blamed = f"{right:.0f}" if streams[0].values.shape[1] > 1 else ""
            lines.append(f"| {name} | {verb} | {budget} | {found:.0f} of {n:.0f} | {splits:.0f} | {n_false / days:.2f} | {blamed} | {longest:.1f} d |")
            print(lines[-1], file=sys.stderr)
    return lines


def main() -> None:
    lines = ["| streams | verb | alerts per day | events found | splits | false per day | first metric right | longest |", "|---|---|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        lines += rows_of("NAB-like, 10 of 56 days", [nab_like(seed) for seed in SEEDS], Path(folder))
        lines += rows_of("SMD-like, 10 of 9 days", [smd_like(seed) for seed in SEEDS], Path(folder))
        for name in SERIES:
            if (made := nab(name)) is not None:
                lines += rows_of(name, [made], Path(folder))
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    PAGE.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
