# SPDX-License-Identifier: Apache-2.0
"""Compares the symbols that libpidforest.so exports with the names that the public headers declare.

The library is found in the build folder of PIDFOREST_BINARY.
"""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracle  # noqa: E402, F401

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Path(os.environ["PIDFOREST_BINARY"]).resolve().parent / "src" / "libpidforest.so"
HEADERS = sorted((ROOT / "include" / "pidforest").glob("*.h"))
COMMENT = re.compile(r"//.*|/\*.*?\*/", re.DOTALL)


def outer_text(code: str) -> str:
    """The text of namespace pidforest without the contents of braces."""
    code = code[code.index("] pidforest {") + len("] pidforest {") :]
    depth, kept = 0, []
    for character in code:
        depth -= character == "}"
        if depth < 0:
            break
        if depth == 0:
            kept.append(character)
        depth += character == "{"
    return "".join(kept)


class Names:
    """The names that a header declares in namespace pidforest."""

    def __init__(self, headers: list[Path]):
        self.types, self.classes, self.functions, self.hidden = set(), set(), set(), set()
        for header in headers:
            code = re.sub(r"^\s*#.*$", "", "\n".join(COMMENT.sub("", line) for line in header.read_text().splitlines()), flags=re.M)
            self.hidden |= set(re.findall(r"^ +(?:struct|class) (\w+);", code, flags=re.M))
            if "] pidforest {" not in code:
                continue
            text = outer_text(code)
            self.types |= set(re.findall(r"\b(?:class|struct) (\w+)", text))
            self.classes |= set(re.findall(r"\bclass (\w+)[^;{]*{", text)) - set(re.findall(r"enum class (\w+)", text))
            without_bodies = re.sub(r"\b(?:class|struct|enum)\b[^;]*;|\busing\b[^;]*;", "", text)
            self.functions |= set(re.findall(r"(?<!<)\b(\w+)\(", without_bodies))


def exported_symbols() -> list[str]:
    """All but the weak symbols of the standard library's templates, which every program has."""
    lines = subprocess.run(["nm", "-D", "--defined-only", "--demangle", LIBRARY], check=True, text=True, capture_output=True).stdout
    symbols = [line.split(" ", 2)[1:] for line in lines.splitlines()]
    return [name for kind, name in symbols if kind not in "WVu" or qualified_name(name)[0] == "pidforest" or "std::" not in name]


def qualified_name(symbol: str) -> list[str]:
    """['pidforest', 'Model', 'fit'] of 'pidforest::Model::fit(...)'; other symbols come back as they are."""
    symbol = re.sub(r"^(vtable|VTT|typeinfo name|typeinfo) for ", "", symbol)
    symbol = re.sub(r"\[abi:\w+\]", "", symbol)
    return re.split(r"::", re.split(r"[(<]", symbol)[0])


class Symbols(unittest.TestCase):
    def setUp(self):
        self.names = Names(HEADERS)
        self.exported = exported_symbols()

    def test_the_headers_are_read(self):
        self.assertLessEqual({"Model", "Table", "Stream", "Error"}, self.names.classes)
        self.assertLessEqual({"preset", "infer_schema", "exact_scores", "nearest_normal"}, self.names.functions)
        self.assertEqual(self.names.hidden, {"State", "Shared"})

    def test_every_exported_symbol_is_public(self):
        public = self.names.types | self.names.functions
        for symbol in self.exported:
            name = qualified_name(symbol)
            with self.subTest(symbol=symbol):
                self.assertEqual(name[0], "pidforest")
                self.assertIn(name[1], public)
                self.assertTrue(self.names.hidden.isdisjoint(name), "a private part of a class")

    def test_every_public_function_and_class_is_exported(self):
        exported = {name[1] for name in map(qualified_name, self.exported) if name[0] == "pidforest"}
        self.assertEqual((self.names.functions | self.names.classes) - exported, set())

    def test_the_library_has_a_versioned_name(self):
        dynamic = subprocess.run(["readelf", "-d", LIBRARY], check=True, text=True, capture_output=True).stdout
        self.assertRegex(dynamic, r"SONAME.*\[libpidforest\.so\.\d+\.\d+\]")


if __name__ == "__main__":
    unittest.main()
