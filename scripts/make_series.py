#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write examples/traffic.csv: the traffic of two hosts, a sample every 15 minutes, with planted faults.

Requests follow the time of day, latency follows the requests. A fault lasts half an hour: a host is as quiet at noon as
at night, or as busy at night as at noon. No value is rare by itself; it is rare after the values before it. One host
was off for some hours, which leaves a gap. The column `fault` marks the faults. A seed always gives the same bytes.

    python3 scripts/make_series.py [FILE]
"""

import csv
import datetime
import math
import pathlib
import random
import sys

SEED = 7
START = datetime.datetime(2026, 3, 2)
STEP = datetime.timedelta(minutes=15)
SAMPLES = 14 * 96
SIZES = {"blue": 400, "green": 250}
FAULTS = {"blue": [(1, 12), (9, 3)], "green": [(4, 2), (12, 13)]}
"""The day, from 0, and the hour of each fault."""
FAULT_SAMPLES = 2
OFF = ("green", 6 * 96 + 30, 6 * 96 + 46)
OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "examples" / "traffic.csv"


def load_at(hour):
    """Share of the peak traffic: lowest at 3 in the morning, highest at 15."""
    return 0.55 - 0.45 * math.cos(2 * math.pi * (hour - 3) / 24)


def is_faulty(host, i):
    begins = (day * 96 + hour * 4 for day, hour in FAULTS[host])
    return any(begin <= i < begin + FAULT_SAMPLES for begin in begins)


def sample(rng, host, i):
    """Return a line of the file; during a fault the load is that of the other half of the day."""
    fault = is_faulty(host, i)
    load = load_at(i / 4 % 24 + (12 if fault else 0)) * rng.gauss(1, 0.04)
    latency = 20 + 60 * load * load + rng.gauss(0, 2)
    return [(START + i * STEP).strftime("%Y-%m-%d %H:%M"), host, round(SIZES[host] * load), f"{latency:.1f}", int(fault)]


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT
    rng = random.Random(SEED)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["time", "host", "requests", "latency_ms", "fault"])
        for i in range(SAMPLES):
            for host in SIZES:
                if not (host == OFF[0] and OFF[1] <= i < OFF[2]):
                    writer.writerow(sample(rng, host, i))


if __name__ == "__main__":
    main()
