# SPDX-License-Identifier: Apache-2.0
"""The data sets of the accuracy benchmark: known facts about them, and the files that the command reads."""

import csv
import gzip
import os
import random
import shutil
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PIDFOREST_DATA", ROOT.parent / "shared" / "data"))
SERIES = ("nyc_taxi", "ambient_temperature", "cpu_utilization", "machine_temperature")
SHINGLE = 10
NOISE_COLUMNS = 50
MASKING_OUTLIERS = 30
SCHEMAS = {"seismic": Path(__file__).with_name("seismic.schema.json")}  # sets in which some columns are not numbers


class Known(NamedTuple):
    paper: float  # AUC of PIDForest in the paper's tables 2 and 3
    floor: float  # the lowest AUC required of the default preset


TWELVE = {
    "thyroid": Known(0.876, 0.92),
    "mammography": Known(0.840, 0.85),
    "seismic": Known(0.733, 0.72),
    "satimage-2": Known(0.987, 0.995),
    "vowels": Known(0.741, 0.81),
    "musk": Known(1.000, 0.999),
    "http": Known(0.986, 0.997),
    "smtp": Known(0.923, 0.925),
    "nyc_taxi": Known(0.564, 0.57),
    "ambient_temperature": Known(0.810, 0.74),
    "cpu_utilization": Known(0.935, 0.915),
    "machine_temperature": Known(0.813, 0.815),
}
NOISY = {"thyroid50": Known(0.751, 0.91), "mammography50": Known(0.829, 0.845)}
KNOWN = TWELVE | NOISY


def write_csv(path, header, rows):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    return path


def read_csv(path):
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


def shingled(name, folder):
    """Row i holds the values i..i+9 as written in the file, and the label of the first of them."""
    header, rows = read_csv(DATA / f"{name}.csv")
    values = [row[header.index("value")] for row in rows]
    labels = [row[header.index("label")] for row in rows]
    windows = [values[i : i + SHINGLE] + [labels[i]] for i in range(len(rows) - SHINGLE + 1)]
    return write_csv(folder / f"{name}.csv", [f"x{i}" for i in range(SHINGLE)] + ["label"], windows)


def noisy(name, folder):
    """Return the data set with columns of uniform noise after its own."""
    rng = random.Random(NOISE_COLUMNS)
    header, rows = read_csv(DATA / f"{name.removesuffix(str(NOISE_COLUMNS))}.csv")
    header += [f"noise{i}" for i in range(NOISE_COLUMNS)]
    rows = [row + [rng.random() for _ in range(NOISE_COLUMNS)] for row in rows]
    return write_csv(folder / f"{name}.csv", header, rows)


def unzipped(name, folder):
    path = folder / f"{name}.csv"
    with gzip.open(DATA / f"{name}.csv.gz") as source, path.open("wb") as target:
        shutil.copyfileobj(source, target)
    return path


def masking_file(folder):
    """Write the paper's masking experiment: random corners of a cube, and a cluster of rows at its centre."""
    rng = random.Random(0)
    rows = [[rng.choice((-1, 1)) for _ in range(10)] + [0] for _ in range(1000 - MASKING_OUTLIERS)]
    rows += [[0] * 10 + [1]] * MASKING_OUTLIERS
    rng.shuffle(rows)
    return write_csv(folder / "masking.csv", [f"x{i}" for i in range(10)] + ["label"], rows)


def file_of(name, folder):
    """Return the data set as a CSV file with a column `label`, written into `folder` unless it exists."""
    if name in NOISY:
        return noisy(name, folder)
    if name in SERIES:
        return shingled(name, folder)
    plain = DATA / f"{name}.csv"
    return plain if plain.exists() else unzipped(name, folder)
