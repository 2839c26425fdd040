# SPDX-License-Identifier: Apache-2.0
"""Files of sections (docs/file_format.md) as a list of names and bytes, and back with correct checksums."""

import struct


def _table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = _table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def sections_of(data):
    """Return the minor version and the sections."""
    _, _, minor, n_sections = struct.unpack_from("<8sHHI", data)
    table = struct.iter_unpack("<16sQQII", data[32 : 32 + 40 * n_sections])
    return minor, [(name.rstrip(b"\0").decode(), data[at : at + n]) for name, at, n, _, _ in table]


def file_of(minor, sections):
    """Each section begins at a multiple of 8, with zeros before it."""
    table, body = b"", b""
    start = 32 + 40 * len(sections)
    for name, data in sections:
        table += struct.pack("<16sQQII", name.encode(), start + len(body), len(data), crc32c(data), 0)
        body += data + b"\0" * (-len(data) % 8)
    size = start + len(body) + 8
    head = struct.pack("<8sHHIQI", b"\x89PIDF\r\n\x1a", 1, minor, len(sections), size, crc32c(table))
    return head + struct.pack("<I", crc32c(head)) + table + body + b"PIDF.END"
