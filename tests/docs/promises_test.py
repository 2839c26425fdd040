# SPDX-License-Identifier: Apache-2.0
"""Every test that docs/promises.md names beside a promise must exist, and every promise must name one."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "promises.md"
ROW = re.compile(r"^\| (?!promise|---)(.+?) \| (.+) \|$", re.MULTILINE)
GTEST = re.compile(r"\b(?:RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP|TEST|TEST_F)\((\w+),\s*(\w+)")


def tests_of_the_project() -> set[str]:
    names = set()
    for path in (ROOT / "tests").rglob("*.cpp"):
        names.update(".".join(found) for found in GTEST.findall(path.read_text(encoding="utf-8")))
    for path in (ROOT / "tests").rglob("*.py"):
        names.update(re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8")))
    return names


class Promises(unittest.TestCase):
    def test_every_promise_names_tests_that_exist(self):
        known = tests_of_the_project()
        promises = ROW.findall(PAGE.read_text(encoding="utf-8"))
        self.assertGreater(len(promises), 20)
        for promise, held_by in promises:
            names = re.findall(r"`([^`]+)`", held_by)
            self.assertTrue(names, promise)
            for name in names:
                self.assertTrue(name in known or (ROOT / name).is_file(), f"{promise}: there is no test {name}")


if __name__ == "__main__":
    unittest.main()
