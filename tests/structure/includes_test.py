# SPDX-License-Identifier: Apache-2.0
"""Checks the #include lines of the sources against the table of allowed dependencies, and the first lines of every
file.

    python3 tests/structure/includes_test.py
"""

import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The folders, or single headers of a folder, that each folder may include in addition to itself and the C++ standard
# library. A new folder in src/ needs a row here.
MAY_KNOW = {
    "include/pidforest": [],
    "src/system": ["include/pidforest/error.h", "include/pidforest/options.h", "include/pidforest/reader.h", "fmt", "posix"],
    "src/values": ["include/pidforest/error.h", "include/pidforest/schema.h", "fmt", "nlohmann"],
    "src/geometry": ["src/system/per_thread.h", "hwy"],
    "src/forest": [
        "src/geometry",
        "src/system",
        "include/pidforest/error.h",
        "include/pidforest/model.h",
        "include/pidforest/options.h",
        "hwy",
    ],
    "src/reasons": ["src/forest", "src/geometry", "src/system", "include/pidforest/options.h", "hwy"],
    "src/pairs": ["src/forest", "src/geometry", "src/system", "include/pidforest/options.h", "hwy"],
    "src/table": ["src/system", "src/values", "include/pidforest", "fmt"],
    "src/reader": ["src/system", "src/values", "include/pidforest", "fmt", "hwy", "nlohmann"],
    "src/schema": ["src/geometry/axis_kind.h", "src/system", "src/table", "src/values", "include/pidforest", "fmt"],
    "src/arrow": ["src/schema", "src/table", "src/values", "include/pidforest", "fmt"],
    "src/model": [
        *("src/forest", "src/geometry", "src/pairs", "src/reasons", "src/schema", "src/system", "src/table", "src/values"),
        *("include/pidforest", "fmt"),
    ],
    "src/explain": [
        *("src/forest", "src/geometry", "src/model", "src/pairs", "src/reasons", "src/schema", "src/system", "src/table"),
        *("src/values", "include/pidforest", "fmt"),
    ],
    "src/file": [
        *("src/forest", "src/geometry", "src/model", "src/pairs", "src/reader/file_kind.h", "src/reasons", "src/schema"),
        *("src/system", "src/values", "include/pidforest", "fmt"),
    ],
    "src/parts": [
        *("src/file", "src/forest", "src/geometry", "src/model", "src/pairs", "src/reasons", "src/schema", "src/table"),
        *("src/values", "include/pidforest", "fmt"),
    ],
    "src/series": ["src/schema", "src/table", "src/values", "include/pidforest", "fmt"],
    "src/stream": [
        *("src/explain", "src/file", "src/forest", "src/geometry", "src/model", "src/reasons"),
        *("src/schema", "src/series", "src/system", "src/table", "src/values"),
        *("include/pidforest", "fmt"),
    ],
    "src/compare": [
        *("src/explain", "src/forest", "src/geometry", "src/model", "src/reasons", "src/schema", "src/system", "src/values"),
        *("include/pidforest", "fmt"),
    ],
    "src/incidents": [
        *("src/explain", "src/file", "src/schema", "src/table", "src/values"),
        *("include/pidforest", "fmt"),
    ],
    "src/exact": [
        *("src/explain/wording.h", "src/geometry", "src/model/roots.h", "src/schema", "src/system"),
        *("include/pidforest", "fmt"),
    ],
    "src/report": [
        *("src/explain", "src/geometry", "src/model", "src/schema", "src/system", "src/table", "src/values"),
        *("include/pidforest", "fmt", "nlohmann"),
    ],
    "cli": [
        *("src/schema/times.h", "src/system", "src/values", "include/pidforest"),
        *("CLI", "bzlib.h", "fmt", "lzma.h", "nlohmann", "posix", "zlib.h", "zstd.h"),
    ],
    # The sources of the HTTP module, beside those of the command that use it.
    "cli/net": ["cli", "src/system", "src/values", "include/pidforest", "curl", "fmt", "httplib.h", "nlohmann", "posix"],
    "python/bindings": ["include/pidforest", "nanobind", "datetime.h"],  # datetime.h is Python's
}

POSIX = {
    *("dirent.h", "dlfcn.h", "fcntl.h", "glob.h", "poll.h", "pthread.h", "signal.h", "sys/file.h"),
    *("sys/ioctl.h", "sys/resource.h", "sys/stat.h", "sys/vfs.h", "unistd.h"),
}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)
GUARD = re.compile(r"^#pragma once$|^#ifndef (\w+)\n#define \1$|^#if defined\((\w+)\) == defined\(HWY_TARGET_TOGGLE\)$", re.M)
SPDX = "SPDX-License-Identifier: Apache-2.0"
COMMENT = {".h": "// ", ".cpp": "// ", ".js": "// ", ".mjs": "// ", ".py": "# ", "": "# "}
NOT_OURS = {"__pycache__", "node_modules"}


def sources(root: Path, folders: list[str], suffixes: set[str]) -> list[Path]:
    files = (file for folder in folders for file in (root / folder).rglob("*") if file.is_file())
    return sorted(file for file in files if file.suffix in suffixes and NOT_OURS.isdisjoint(file.parts))


def folder_of(file: Path, root: Path) -> str:
    """Return the row of the table for a file: src/forest, include/pidforest, python/bindings, cli/net, cli."""
    parts = file.relative_to(root).parts
    return parts[0] if parts[0] == "cli" and parts[1] != "net" else "/".join(parts[:2])


def may_use_highway(file: Path) -> bool:
    """Only a source, or a header that is included once per instruction set, in a folder that may use Highway."""
    return file.suffix == ".cpp" or file.name.endswith("-inl.h")


def known_by(name: str, is_quoted: bool, file: Path, root: Path) -> str:
    """Return the target of an include line: a path from the root, `std`, `posix` or the first folder of a
    third-party path."""
    if is_quoted or name.startswith("pidforest/"):
        for base in [root / "include", root / "src", root / "cli", file.parent]:
            if (base / name).is_file():
                return (base / name).relative_to(root).as_posix()
        return f"'{name}', which is no header from include/, src/, cli/ or its own folder"
    if re.fullmatch(r"[a-z_0-9]+", name):
        return "std"
    return "posix" if name in POSIX else name.split("/")[0]


def bad_includes(root: Path) -> list[str]:
    bad = []
    for file in sources(root, ["include", "src", "cli", "python"], {".h", ".cpp"}):
        where, text = file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")
        own = folder_of(file, root)
        if own not in MAY_KNOW:
            bad.append(f"{where}: {own} has no row in the table of who may know whom")
            continue
        for angled, quoted in INCLUDE.findall(text):
            target = known_by(angled or quoted, bool(quoted), file, root)
            if ".." in target:
                bad.append(f"{where} includes {quoted}: paths begin at src/, cli/ or include/")
            elif target == "hwy" and not may_use_highway(file):
                bad.append(f"{where} includes {angled}: of headers only -inl.h ones may")
            elif not any(target == one or target.startswith(one + "/") for one in [own, "std", *MAY_KNOW[own]]):
                bad.append(f"{where} includes {angled or quoted}: {own} may not know {target}")
    return bad


def without_licence(root: Path) -> list[str]:
    files = sources(root, ["include", "src", "cli", "python", "tests", "benchmarks", "examples"], set(COMMENT) - {""})
    bad = []
    for file in files + sources(root, ["scripts"], {"", ".py"}):
        lines = file.read_text(encoding="utf-8").splitlines() or [""]
        first = lines[1] if lines[0].startswith("#!") and len(lines) > 1 else lines[0]
        if first != COMMENT[file.suffix] + SPDX:
            bad.append(f"{file.relative_to(root)}: the first line must be '{COMMENT[file.suffix] + SPDX}'")
    return bad


def without_guard(root: Path) -> list[str]:
    headers = sources(root, ["include", "src", "cli", "python", "tests", "benchmarks"], {".h"})
    return [f"{h.relative_to(root)}: no #pragma once" for h in headers if not GUARD.search(h.read_text(encoding="utf-8"))]


class OurFiles(unittest.TestCase):
    def test_the_sources_are_found(self):
        self.assertGreater(len(sources(ROOT, ["include", "src", "cli"], {".h", ".cpp"})), 20)

    def test_every_include_is_allowed_by_the_table(self):
        self.assertEqual(bad_includes(ROOT), [])

    def test_every_file_begins_with_the_licence(self):
        self.assertEqual(without_licence(ROOT), [])

    def test_every_header_is_guarded(self):
        self.assertEqual(without_guard(ROOT), [])


class PlantedFiles(unittest.TestCase):
    """The checks above on small trees that contain one error."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for header in ["src/geometry/cube.h", "src/forest/tree.h", "src/table/column.h", "src/model/state.h"]:
            self.plant(header)
        for header in ["include/pidforest/options.h", "include/pidforest/table.h", "cli/verbs/verbs.h", "python/bindings/rows.h"]:
            self.plant(header)

    def plant(self, path: str, *lines: str):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join([f"// {SPDX}", "#pragma once", *lines, ""]), encoding="utf-8")

    def assert_refused(self, path: str, line: str):
        self.plant(path, "#include <vector>", line)
        self.assertEqual(len(bad_includes(self.root)), 1, f"{path}: {line}")
        self.plant(path)

    def test_a_tree_that_keeps_to_the_table_is_clean(self):
        self.plant("src/geometry/axis.h", "#include <cmath>", '#include "geometry/cube.h"')
        self.plant("src/forest/grow.h", '#include "geometry/cube.h"', '#include "pidforest/options.h"')
        self.plant("src/forest/count-inl.h", "#include <hwy/highway.h>")
        self.plant("src/model/model.cpp", "#include <fmt/format.h>", '#include "table/column.h"', '#include "forest/tree.h"')
        self.plant("cli/main.cpp", "#include <CLI/CLI.hpp>", "#include <unistd.h>", '#include "verbs/verbs.h"')
        self.plant("python/bindings/rows.cpp", "#include <nanobind/ndarray.h>", '#include "pidforest/table.h"', '#include "rows.h"')
        self.assertEqual(bad_includes(self.root), [])

    def test_an_include_against_the_arrows_is_refused(self):
        self.assert_refused("src/geometry/axis.h", '#include "forest/tree.h"')
        self.assert_refused("src/geometry/axis.h", '#include "pidforest/options.h"')
        self.assert_refused("src/geometry/axis.h", "#include <pidforest/options.h>")
        self.assert_refused("src/forest/grow.cpp", '#include "table/column.h"')
        self.assert_refused("src/forest/grow.cpp", '#include "pidforest/table.h"')
        self.assert_refused("src/forest/grow.cpp", "#include <fmt/format.h>")
        self.assert_refused("src/table/table.cpp", '#include "forest/tree.h"')
        self.assert_refused("src/model/model.cpp", "#  include <nlohmann/json.hpp>")
        self.assert_refused("include/pidforest/model.h", '#include "forest/tree.h"')
        self.assert_refused("include/pidforest/model.h", "#include <fmt/format.h>")
        self.assert_refused("cli/main.cpp", '#include "model/state.h"')
        self.assert_refused("cli/main.cpp", '#include "../src/model/state.h"')
        self.assert_refused("python/bindings/rows.cpp", '#include "model/state.h"')
        self.assert_refused("python/bindings/rows.cpp", "#include <fmt/format.h>")
        self.assert_refused("src/model/model.cpp", "#include <nanobind/nanobind.h>")

    def test_highway_is_refused_in_headers_and_outside_the_forest(self):
        self.assert_refused("src/forest/grow.h", "#include <hwy/highway.h>")
        self.assert_refused("src/model/model.cpp", "#include <hwy/foreach_target.h>")

    def test_a_header_that_is_not_there_and_a_folder_without_a_row_are_refused(self):
        self.assert_refused("src/forest/grow.h", '#include "forest/gone.h"')
        self.plant("src/utils/strings.h")
        self.assertEqual(len(bad_includes(self.root)), 1)

    def test_a_missing_licence_or_guard_is_refused(self):
        self.assertEqual(without_licence(self.root) + without_guard(self.root), [])
        (self.root / "cli/verbs/verbs.h").write_text("// Verbs.\n", encoding="utf-8")
        self.assertEqual(len(without_licence(self.root)), 1)
        self.assertEqual(len(without_guard(self.root)), 1)


if __name__ == "__main__":
    unittest.main()
