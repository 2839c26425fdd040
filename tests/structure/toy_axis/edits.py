# SPDX-License-Identifier: Apache-2.0
"""Adds a toy kind of column, `round`, with a toy kind of axis: numbers that are cut at round numbers.

    python3 tests/structure/toy_axis/edits.py FOLDER

writes the changed and new files to FOLDER, with the paths that they have in the project. A build with FOLDER's include
paths before those of the project has the toy. docs/internals.md names the files; toy_axis_test.py compares.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# The text that is replaced, which must occur once, and its replacement.
COLUMN = {
    "include/pidforest/schema.h": [("  ignored  ", "  ignored, round ")],
    "src/schema/schema_words.h": [
        ("std::array<std::string_view, 7> kind_names", "std::array<std::string_view, 8> kind_names"),
        ('"ignored"};', '"ignored", "round"};'),
    ],
    "src/schema/codec.cpp": [
        (
            "make_axis(schema.name, geometry::AxisKind::ordered);\n  axis.range",
            "make_axis(schema.name, schema.kind == Kind::round ? geometry::AxisKind::round : geometry::AxisKind::ordered);"
            "\n  axis.range",
        ),
        ("    case Kind::continuous:\n", "    case Kind::continuous:\n    case Kind::round:\n"),
    ],
    "src/reader/column_choice.cpp": [("    case Kind::continuous:\n", "    case Kind::continuous:\n    case Kind::round:\n")],
    "src/explain/sql_column.cpp": [
        ("schema_.kind == Kind::continuous ||", "schema_.kind == Kind::continuous || schema_.kind == Kind::round ||")
    ],
}
AXIS = {
    "src/geometry/axis_kind.h": [
        ("{ ordered, cyclic, category }", "{ ordered, cyclic, category, round }"),
        ("last_axis_kind = AxisKind::category", "last_axis_kind = AxisKind::round"),
    ],
    "src/model/roots.cpp": [
        ('#include "geometry/ordered_axis.h"\n', '#include "geometry/ordered_axis.h"\n#include "geometry/round_axis.h"\n'),
        (
            "  return std::make_unique<geometry::OrderedAxis>(info.n_cells > 0);\n",
            "  if (info.kind == geometry::AxisKind::round) return std::make_unique<geometry::RoundAxis>();\n"
            "  return std::make_unique<geometry::OrderedAxis>(info.n_cells > 0);\n",
        ),
    ],
    "src/CMakeLists.txt": [("  geometry/partition_simd.cpp\n", "  geometry/partition_simd.cpp\n  geometry/round_axis.cpp\n")],
}
NEW = {"src/geometry/round_axis.h", "src/geometry/round_axis.cpp"}


def edited(path: str, root: Path = ROOT) -> str:
    """The text of a changed file. Raises ValueError if the text to replace does not occur exactly once."""
    text = (root / path).read_text(encoding="utf-8")
    for old, new in (COLUMN | AXIS)[path]:
        if text.count(old) != 1:
            raise ValueError(f"{path}: {old!r} must occur once; it occurs {text.count(old)} times.")
        text = text.replace(old, new)
    return text


def write_to(folder: Path) -> None:
    texts = {path: edited(path) for path in COLUMN | AXIS}
    texts |= {path: (Path(__file__).parent / Path(path).name).read_text(encoding="utf-8") for path in NEW}
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_to(Path(sys.argv[1]))
