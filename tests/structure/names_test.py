# SPDX-License-Identifier: Apache-2.0
"""Checks that no two types share a name, and that a reader of a .cpp file knows where its functions are declared.

    python3 tests/structure/names_test.py
"""

import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

COMMENT = re.compile(r"//[^\n]*")
# A type at namespace scope: clang-format puts nothing else at the beginning of a line.
TYPE = re.compile(r"^(?:class|struct|union|enum(?: class)?)\s+(?:[A-Z_]+\s+)?(\w+)\s*(?:final\s*)?(?::[^:;{][^;{]*)?\{", re.M)
ALIAS = re.compile(r"^using\s+(\w+)\s*=", re.M)
DECLARED_IN = re.compile(r"^// Declared in ([\w/]+\.h)\b", re.M)


def headers(root: Path) -> list[Path]:
    files = (file for folder in ["include", "src", "cli"] for file in (root / folder).rglob("*.h"))
    return sorted(file for file in files if "node_modules" not in file.parts)


def shared_names(root: Path) -> list[str]:
    """The names that two headers give to types at namespace scope, whatever their namespaces."""
    places: dict[str, list[str]] = {}
    for header in headers(root):
        text = COMMENT.sub("", header.read_text(encoding="utf-8"))
        for name in TYPE.findall(text) + ALIAS.findall(text):
            places.setdefault(name, []).append(header.relative_to(root).as_posix())
    return [f"{name} is declared in {', '.join(where)}" for name, where in sorted(places.items()) if len(where) > 1]


def without_header(root: Path) -> list[str]:
    """The sources of src/ without a header of their name whose first comment names no header either."""
    bad = []
    for source in sorted((root / "src").rglob("*.cpp")):
        if "node_modules" in source.parts:
            continue
        where = source.relative_to(root).as_posix()
        if source.with_suffix(".h").is_file() or (root / "include/pidforest" / f"{source.stem}.h").is_file():
            continue
        head = source.read_text(encoding="utf-8").split("\n#", 1)[0]
        named = DECLARED_IN.search(head)
        if not named:
            bad.append(f"{where}: has no header of its name; begin it with '// Declared in <header>.'")
        elif not any((root / base / named[1]).is_file() for base in ["include", "src"]):
            bad.append(f"{where}: {named[1]} is not a header in include/ or src/")
    return bad


class OurNames(unittest.TestCase):
    def test_the_headers_are_found(self):
        self.assertGreater(len(headers(ROOT)), 100)

    def test_no_two_headers_declare_types_of_the_same_name(self):
        self.assertEqual(shared_names(ROOT), [])

    def test_every_source_has_a_header_of_its_name_or_says_where_it_is_declared(self):
        self.assertEqual(without_header(ROOT), [])


class PlantedNames(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def plant(self, path: str, text: str):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def test_types_of_the_same_name_are_found_in_any_namespace(self):
        self.plant("src/exact/choice.h", "class Choice {\n};\nstruct Step {\n  struct Inner {\n  };\n};\n")
        self.plant("src/forest/choice.h", "struct Choice final : Base {\n};\nclass Step;\n// class Step {\nstruct Inner {\n};\n")
        self.assertEqual(shared_names(self.root), ["Choice is declared in src/exact/choice.h, src/forest/choice.h"])

    def test_an_alias_and_an_enumeration_are_types_too(self):
        self.plant("src/arrow/part.h", "using Part = std::unique_ptr<int>;\nenum class Form : std::uint8_t { a };\n")
        self.plant("cli/in/part.h", "struct Part {\n};\nstruct Form {\n};\n")
        self.assertEqual(len(shared_names(self.root)), 2)

    def test_a_source_needs_a_header_of_its_name_or_must_name_one(self):
        for header in ["src/a/own.h", "include/pidforest/public.h", "src/a/other.h"]:
            self.plant(header, "")
        for source in ["src/a/own.cpp", "src/a/public.cpp"]:
            self.plant(source, "#include <vector>\n")
        self.plant("src/a/named.cpp", "// Declared in a/other.h.\n#include <vector>\n")
        self.assertEqual(without_header(self.root), [])
        self.plant("src/a/silent.cpp", "// Counts.\n#include <vector>\n// Declared in a/other.h.\n")
        self.plant("src/a/wrong.cpp", "// Declared in a/gone.h.\n#include <vector>\n")
        self.assertEqual([line.split(":")[0] for line in without_header(self.root)], ["src/a/silent.cpp", "src/a/wrong.cpp"])


if __name__ == "__main__":
    unittest.main()
