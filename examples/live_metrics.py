# SPDX-License-Identifier: Apache-2.0
"""Prints metrics of a made-up service as CSV, one line every so often, as `tail -f` of a log would.

    python3 examples/live_metrics.py | pidforest stream --time at --anomalies-only

Every 500 events or so it fails for a moment, and after 3,000 its traffic doubles for good: the stream complains of that
for a while and then takes it for normal.
"""

import argparse
import datetime
import math
import random
import sys
import time


def metrics(i, source):
    """Requests, latency and errors of event i: they swing with the hour, and latency follows requests."""
    level = 200 if i < 3000 else 400
    requests = level * (1 + 0.4 * math.sin(i / 60)) + source.gauss(0, 8)
    latency = 20 + requests / 20 + source.gauss(0, 1)
    errors = max(0, round(source.gauss(requests / 100, 1)))
    if i % 500 > 495:
        latency, errors = latency * 4, errors + 40
    return round(requests), round(latency, 1), errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=10_000, help="how many lines to print; default 10000")
    parser.add_argument("--every", type=float, default=0.01, help="seconds between two lines; default 0.01")
    flags = parser.parse_args()
    source = random.Random(7)
    at = datetime.datetime(2026, 3, 2)
    print("at,requests,latency_ms,errors", flush=True)
    for i in range(flags.events):
        print(at + i * datetime.timedelta(minutes=1), *metrics(i, source), sep=",", flush=True)
        time.sleep(flags.every)


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()
