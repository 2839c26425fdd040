#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Downloads the paper's twelve data sets into the folder PIDFOREST_DATA, and verifies their checksums.

They come from the repository of the paper's authors, which has exactly the rows that they used. `--sources` lists their
origins and citations. None of them is ours to publish.

    .venv/bin/python benchmarks/paper/fetch.py            downloads missing files, checks all
    .venv/bin/python benchmarks/paper/fetch.py --check    downloads nothing
"""

import argparse
import csv
import gzip
import hashlib
import io
import sys
import urllib.request
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1] / "accuracy"))
from data_sets import DATA  # noqa: E402

AUTHORS = "https://raw.githubusercontent.com/vatsalsharan/pidforest/ee768d1d58b68b01d607a9740b9a0805a8512b1a/data/"
ODDS = "ODDS, http://odds.cs.stonybrook.edu"
NAB = "Numenta Anomaly Benchmark, https://github.com/numenta/NAB, data/realKnownCause"
NAMES = {
    "seismic": "seismic seismoacoustic shift genergy gpuls gdenergy gdpuls ghazard nbumps nbumps2 nbumps3 nbumps4 nbumps5 energy "
    "maxenergy"
}


class Source(NamedTuple):
    path: str  # in the authors' repository
    origin: str
    sha256: str  # of the CSV file, unpacked


SOURCES = {
    "thyroid": Source(
        "thyroid.mat", f"UCI ann-thyroid; {ODDS} ('annthyroid')",
        "d0604c8a2727f642a0bf997945b440e0ff17522700ad3892d8b5b29fb629670a",
    ),
    "mammography": Source(
        "mammography.mat", f"OpenML, https://www.openml.org/d/310; {ODDS}",
        "992b5904a46b4e1452dcbfead32e13366e01fde0035a71ac25a671ac097ad0b5",
    ),
    "seismic": Source(
        "siesmic.mat", "UCI seismic-bumps, without its three columns of zeros",
        "ec2fd5bf6b8fc4cdba524bc95c27266c4d05154b16ed01350dce6ca1883f13d9",
    ),
    "satimage-2": Source(
        "satimage-2.mat", f"UCI Statlog Landsat; {ODDS}",
        "2a66ebdc505a68b7a6417b55f00bc0d320b47b099854f9980f44679367ed552a",
    ),
    "vowels": Source(
        "vowels.mat", f"UCI Japanese Vowels; {ODDS}",
        "f80a2bdaba04032ef8f8431694e4ddd9b90c41eb2d12ffd01aeb7664fc6cbb85",
    ),
    "musk": Source(
        "musk.mat", f"UCI Musk, version 2; {ODDS}",
        "5d843b3307cc9af521ed6f46d10863064733dc97ed3863073ec2116ca2c7f14c",
    ),
    "http": Source(
        "http.mat", f"KDD Cup 1999; {ODDS}",
        "72bef6f286d53dff30fe067e579ceab91e34880799dbcf780bba7babbedb840c",
    ),
    "smtp": Source(
        "smtp.mat", f"KDD Cup 1999; {ODDS}",
        "3928d624dd97544649b347f47a6db85958bf7d231acac7f2360d4c38b3c952d1",
    ),
    "nyc_taxi": Source(
        "numenta/nyc_taxi.csv", NAB,
        "a9f4e0035ba893c406f9dae276e92f906df0fd30f99627dee8df921b8ec9c248",
    ),
    "ambient_temperature": Source(
        "numenta/ambient_temperature_system_failure.csv", NAB,
        "40c84d365e0cb79198661fbfd9ed325d31c61303a8101755bc762f7b6767fc15",
    ),
    "cpu_utilization": Source(
        "numenta/cpu_utilization_asg_misconfiguration.csv", NAB,
        "cabaf6fa6d35fb7bb239f3c97f0e71be0755513e0048857b00c724196fcf9ac9",
    ),
    "machine_temperature": Source(
        "numenta/machine_temperature_system_failure.csv", NAB,
        "b2f2f96e2c2b58a44b28e138ed9ac0afa2ed29708aedd0d2a03a7b7e6c1a7242",
    ),
}  # fmt: skip


def number(value: float) -> str:
    """Return the shortest text that parses to the same double; whole numbers without a point."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def csv_text(header: list[str], rows) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue().encode()


def from_matlab(name: str, content: bytes) -> bytes:
    import scipy.io

    matrix = scipy.io.loadmat(io.BytesIO(content))
    rows, labels = matrix["X"].astype(float).tolist(), matrix["y"].ravel().tolist()
    header = NAMES[name].split() if name in NAMES else [f"x{i}" for i in range(len(rows[0]))]
    lines = ([*map(number, row), int(label)] for row, label in zip(rows, labels, strict=True))
    return csv_text([*header, "label"], lines)


def from_series(content: bytes) -> bytes:
    lines = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
    times = ((datetime.strptime(line["timestamp"], "%m/%d/%y %H:%M").isoformat(), line) for line in lines)
    rows = ([time, number(float(line["value"])), int(line["label"])] for time, line in times)
    return csv_text(["timestamp", "value", "label"], rows)


def file_of(name: str) -> Path | None:
    return next((path for path in (DATA / f"{name}.csv", DATA / f"{name}.csv.gz") if path.exists()), None)


def fault(name: str, text: bytes) -> str | None:
    found = hashlib.sha256(text).hexdigest()
    wanted = SOURCES[name].sha256
    return None if found == wanted else f"{name}: the SHA-256 of the CSV text must be {wanted}; got {found}."


def fetch(name: str) -> str | None:
    """Return an error message, or None if the file was written."""
    url = AUTHORS + SOURCES[name].path
    print(f"fetch: {url}", file=sys.stderr, flush=True)
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            content = answer.read()
    except OSError as error:
        return f"{name}: {url} cannot be fetched: {error}."
    text = from_matlab(name, content) if url.endswith(".mat") else from_series(content)
    wrong = fault(name, text)
    if not wrong:
        DATA.mkdir(parents=True, exist_ok=True)
        if name == "http":
            (DATA / "http.csv.gz").write_bytes(gzip.compress(text, mtime=0))
        else:
            (DATA / f"{name}.csv").write_bytes(text)
    return wrong


def check(name: str, path: Path) -> str | None:
    text = path.read_bytes()
    return fault(name, gzip.decompress(text) if path.suffix == ".gz" else text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fetch nothing, check what is there")
    parser.add_argument("--sources", action="store_true", help="say where the data sets come from, and end")
    options = parser.parse_args()
    if options.sources:
        for name, source in SOURCES.items():
            print(f"{name}: {source.origin}")
        return 0
    wrong = []
    for name in SOURCES:
        path = file_of(name)
        if path:
            wrong.append(check(name, path))
        else:
            wrong.append(f"{name}: {DATA} has no {name}.csv." if options.check else fetch(name))
    faults = [one for one in wrong if one]
    for one in faults:
        print(f"fetch: {one}", file=sys.stderr)
    print(f"{len(SOURCES) - len(faults)} of {len(SOURCES)} data sets are in {DATA} as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
