#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write examples/fleet.csv: hourly metrics of a fleet of machines with planted faults.

Every machine follows a daily cycle: traffic drives the processor, the processor heats the machine, heat drives the fan.
A fault breaks one of these relations for one hour. Most of its values are ordinary on their own; together they are
rare. The column `fault` marks them. A seed always gives the same bytes.

    python3 scripts/make_sample.py [FILE]
"""

import csv
import math
import pathlib
import random
import sys

SEED = 2019
MACHINES = 12
DAYS = 14
FAULTS_OF_EACH_SORT = 4
OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "examples" / "fleet.csv"

DECIMALS = {
    "machine": 0,
    "hour": 0,
    "cpu": 1,
    "memory": 1,
    "disk_queue": 2,
    "network_in": 1,
    "network_out": 1,
    "temperature": 1,
    "fan_rpm": 0,
    "errors_per_min": 2,
    "fault": 0,
}


def load_at(hour, is_weekend):
    """Share of the peak traffic: lowest at 4 in the morning, highest at 16."""
    daily = 0.5 - 0.5 * math.cos(2 * math.pi * (hour - 4) / 24)
    return (0.15 + 0.85 * daily) * (0.6 if is_weekend else 1.0)


def reading(rng, machine, day, hour, size):
    """One machine in one healthy hour; `size` is its share of the traffic."""
    load = max(0.03, load_at(hour, day % 7 >= 5) * size * rng.gauss(1, 0.1))
    cpu = min(98.0, 8 + 70 * load + rng.gauss(0, 3))
    row = {
        "machine": machine,
        "hour": hour,
        "cpu": max(1.0, cpu),
        "memory": 35 + 25 * load + rng.gauss(0, 2.5),
        "disk_queue": rng.gammavariate(8, 0.05 + 0.12 * load),
        "network_in": 400 * load * rng.gauss(1, 0.08),
        "network_out": 900 * load * rng.gauss(1, 0.08),
        "errors_per_min": rng.gammavariate(6, 0.025 + 0.05 * load),
        "fault": 0,
    }
    return with_cooling(rng, row)


def with_cooling(rng, row):
    """Temperature follows the processor, the fan follows the temperature."""
    row["temperature"] = 30 + 0.4 * row["cpu"] + rng.gauss(0, 1.2)
    row["fan_rpm"] = 1200 + 55 * (row["temperature"] - 30) + rng.gauss(0, 60)
    return row


def failing_fan(rng, row):
    """Hot, although the fan turns as slowly as at night."""
    row["fan_rpm"] = rng.uniform(600, 1100)
    row["temperature"] += rng.uniform(10, 16)


def leaking_memory(rng, row):
    """Memory fuller than at any peak, with little other activity."""
    row["memory"] = rng.uniform(82, 94)
    row["disk_queue"] += rng.uniform(2, 4)


def silent_machine(rng, row):
    """Busy, but without traffic: cut off from the network."""
    row["network_in"] = rng.uniform(0, 4)
    row["network_out"] = rng.uniform(0, 4)


def error_burst(rng, row):
    """Requests come in, errors go out."""
    row["errors_per_min"] = rng.uniform(4, 8)
    row["network_out"] *= rng.uniform(0.15, 0.3)


def throttled_cpu(rng, row):
    """The processor slows down at a busy hour: work queues up at the disk."""
    row["cpu"] = rng.uniform(10, 18)
    row["disk_queue"] += rng.uniform(3, 5)
    with_cooling(rng, row)


FAULTS = {
    failing_fan: range(10, 20),
    leaking_memory: [0, 1, 2, 3, 4, 5, 6, 22, 23],
    silent_machine: range(11, 20),
    error_burst: range(9, 21),
    throttled_cpu: range(11, 20),
}
"""The hours of the day at which each sort of fault is planted."""


def plant_faults(rng, rows):
    """Assign every kind of fault its share of healthy rows."""
    for fault, hours in FAULTS.items():
        healthy = [row for row in rows if row["hour"] in hours and not row["fault"]]
        for row in rng.sample(healthy, FAULTS_OF_EACH_SORT):
            fault(rng, row)
            row["fault"] = 1


def fleet(seed):
    rng = random.Random(seed)
    sizes = [rng.uniform(0.7, 1.1) for _ in range(MACHINES)]
    rows = [
        reading(rng, machine, day, hour, sizes[machine])
        for day in range(DAYS)
        for hour in range(24)
        for machine in range(MACHINES)
    ]
    plant_faults(rng, rows)
    return rows


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(DECIMALS)
        for row in fleet(SEED):
            writer.writerow(f"{row[name]:.{decimals}f}" for name, decimals in DECIMALS.items())


if __name__ == "__main__":
    main()
