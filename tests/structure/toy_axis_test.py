# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/internals.md names exactly the files that the toy kind of column and axis changes.

    python3 tests/structure/toy_axis_test.py

The program toy_axis, which tests/CMakeLists.txt builds of those files and of the library as it is, fits, explains and
saves a model with the toy.
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/structure/toy_axis"))
import edits  # noqa: E402

TITLE = "## A new kind of column, a new kind of axis"


def named_files(document: str) -> tuple[set[str], set[str]]:
    """The paths in the two lists of the section: the files that a column needs, and those that an axis needs."""
    section = document.split(TITLE, 1)[1].split("\n## ", 1)[0]
    column, axis = section.split("**A new kind of axis**", 1)
    paths = re.compile(r"^- `([^`]+)`", re.M)
    return set(paths.findall(column)), set(paths.findall(axis.split("\n\n**", 1)[0]))


class ToyAxis(unittest.TestCase):
    def setUp(self):
        self.column, self.axis = named_files((ROOT / "docs/internals.md").read_text(encoding="utf-8"))

    def test_a_new_kind_of_column_changes_the_named_files_only(self):
        self.assertEqual(self.column, set(edits.COLUMN))

    def test_a_new_kind_of_axis_changes_the_named_files_only(self):
        with_toy_names = {path.replace("NAME_axis", "round_axis") for path in self.axis}
        self.assertEqual(with_toy_names, set(edits.AXIS) | edits.NEW)

    def test_each_edit_applies(self):
        for path in edits.COLUMN | edits.AXIS:
            self.assertNotEqual(edits.edited(path), (ROOT / path).read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
