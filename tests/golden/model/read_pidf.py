# SPDX-License-Identifier: Apache-2.0
"""Reads a model file using only docs/file_format.md and the standard library, and prints its contents.

    python3 tests/golden/model/read_pidf.py MODEL
"""

import json
import struct
import sys
from pathlib import Path

TYPES = {
    "axis.source": "I", "axis.low": "d", "axis.high": "d", "axis.missing": "d", "axis.bits_off": "d",
    "tree.n_nodes": "Q", "tree.n_cuts": "Q", "tree.n_pieces": "Q",
    "node.first_child": "I", "node.first_cut": "I", "node.n_cuts": "I", "node.axis": "I", "node.kind": "B",
    "node.n_values": "B", "node.fork_first": "B", "node.has_missing": "B", "node.log2_volume": "d", "node.count": "Q",
    "cut": "d", "piece.begin": "I", "piece.end": "I", "piece.child": "B", "threshold": "d",
    "tree.median": "d",
    "part.axis": "I", "part.kind": "B", "part.low": "d", "part.high": "d", "part.n_levels": "I",
    "level.begin": "I", "level.end": "I", "cube.parent": "I", "cube.part": "I", "cube.count": "Q", "leaf.cube": "I",
    "line.n_borders": "I", "line.border": "d", "line.cube": "I", "near.least": "d", "near.largest": "d", "near.missing": "B",
    "isolated.axis": "I", "isolated.side": "B", "isolated.inner": "d", "isolated.near": "d", "isolated.outer": "d",
    "isolated.share": "d", "isolated.rows": "Q", "isolated.bits": "d",
    "relation.first": "I", "relation.second": "I", "relation.nats": "d",
    "profile.rows": "Q", "profile.missing": "Q", "profile.borders": "I", "profile.bins": "I", "profile.border": "d", "profile.count": "Q",
    "pair.fitted": "Q", "pair.first": "I", "pair.low1": "d", "pair.high1": "d", "pair.second": "I", "pair.low2": "d",
    "pair.high2": "d", "pair.rows": "Q", "pair.expected": "d", "pair.bits": "d",
}  # fmt: skip


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def read(data: bytes) -> dict:
    """Return the sections by name: texts parsed as JSON, arrays as tuples of numbers."""
    magic, major, minor, n_sections, size, table_crc, header_crc = struct.unpack("<8sHHIQII", data[:32])
    assert magic == b"\x89PIDF\r\n\x1a" and major == 1 and size == len(data) and data.endswith(b"PIDF.END")
    assert header_crc == crc32c(data[:28])
    table = data[32 : 32 + 40 * n_sections]
    assert table_crc == crc32c(table)
    sections = {"format": f"{major}.{minor}"}
    for name, offset, length, crc, zero in struct.iter_unpack("<16sQQII", table):
        body = data[offset : offset + length]
        assert crc == crc32c(body) and offset % 8 == 0 and zero == 0
        name = name.rstrip(b"\0").decode()
        if name in TYPES:
            one = TYPES[name]
            sections[name] = struct.unpack(f"<{length // struct.calcsize('<' + one)}{one}", body)
        else:
            sections[name] = json.loads(body)
    return sections


def end_of_row(model: dict, tree: int, value_of) -> int:
    """Return the node at which a row ends; value_of(axis) is its value on an axis of the forest, None if missing."""
    base = sum(model["tree.n_nodes"][:tree])
    cuts = sum(model["tree.n_cuts"][:tree])
    pieces = sum(model["tree.n_pieces"][:tree])
    node = 0
    while True:
        first_child, kind, n_cuts, first_cut, n_values, fork_first = (
            model[f"node.{key}"][base + node] for key in ["first_child", "kind", "n_cuts", "first_cut", "n_values", "fork_first"]
        )
        if first_child == 0:
            return node
        x = value_of(model["node.axis"][base + node])
        if x is None:
            if not model["node.has_missing"][base + node]:
                return node
            node = first_child + n_values
        elif kind == 2:
            at = range(pieces + first_cut, pieces + first_cut + n_cuts)
            holding = [model["piece.child"][i] for i in at if model["piece.begin"][i] <= x < model["piece.end"][i]]
            node = first_child + (holding[0] if holding else fork_first)
        else:
            reached = sum(x >= cut for cut in model["cut"][cuts + first_cut : cuts + first_cut + n_cuts])
            node = first_child + (reached if kind == 0 else (reached + fork_first) % n_cuts)


def summary(model: dict) -> str:
    lines = [f"format {model['format']}"]
    lines += [f"option {key} = {value}" for key, value in model["options"].items()]
    lines += [f"column {column['name']}: {column['kind']}" for column in model["schema"]["columns"]]
    lines += [f"{name}: {len(model[name])} numbers, sum {sum(model[name]):.9g}" for name in TYPES if name in model]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(summary(read(Path(sys.argv[1]).read_bytes())), end="")
