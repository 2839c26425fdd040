# SPDX-License-Identifier: Apache-2.0
"""Events for `pidforest stream`, and what it says of them."""

import csv
import io
import random

from command import run

SMALL = ["--horizon", "200", "--warm-up", "50", "--n-estimators", "20"]


def events(n, seed=1, hosts="a", header="time,host,load,state"):
    """Return events, one per minute and host, with a load around 10 and a text."""
    source = random.Random(seed)
    lines = [header]
    for i in range(n):
        stamp = f"2026-03-{2 + i // 1440:02} {i // 60 % 24:02}:{i % 60:02}"
        lines.append(f"{stamp},{hosts[i % len(hosts)]},{source.gauss(10, 1):.3f},{source.choice(['ok', 'ok', 'slow'])}")
    return lines


def stream(lines, *flags):
    return run("stream", "--every-event", *flags, text="".join(f"{line}\n" for line in lines))


def rows_of(result):
    if result.returncode != 0:
        raise AssertionError(result.stderr.decode())
    return list(csv.DictReader(io.StringIO(result.stdout.decode())))
