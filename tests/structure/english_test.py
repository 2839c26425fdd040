# SPDX-License-Identifier: Apache-2.0
"""Finds sentences that begin with a banned opening, and words of our old dialect, in the files of COVERED (docs/style.md has the rules).

    python3 tests/structure/english_test.py             checks the files of COVERED
    python3 tests/structure/english_test.py src cli     lists what the files of these folders still have
"""

import re
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The files that must be clean: paths and patterns below the root. Add a folder as soon as it is.
COVERED = [
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md"),
    *("src/**/README.md", "cli/**/README.md", "python/README.md"),
    *("Makefile", "benchmarks/**/*", "cmake/*", "examples/*", "scripts/*"),
    *("src/**/*", "cli/**/*", "include/**/*", "python/**/*", "tests/**/*"),
]
# The rules quote what they forbid.
EXEMPT = {"docs/style.md", "tests/structure/english_test.py"}

OPENINGS = ["Of", "Those", "The same", "What is", "So many", "Whose"]
DIALECT = [
    *("anew", "at hand", "heard of", "held against", "of whatever", "so many", "worked out"),
    *("asked wrongly", "few columns alone", "goes on after line"),
]
SUFFIXES = {"", ".cmake", ".md", ".h", ".cpp", ".py", ".js", ".mjs", ".html", ".txt"}
NOT_OURS = {"node_modules", "__pycache__", ".venv", "build"}

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
# A sentence begins a line (after the marks of a comment, list, table, heading or quote), or follows an end, a colon or a quote.
BEGIN = r"(?:^[\s/#*>|\-+\d.)(\"'`]*|[.!?:][)\"'`*]*\s+|[\"'(|]\s*|//+\s*)[*_`(]*"
OPENING = re.compile(BEGIN + rf"({'|'.join(OPENINGS)})\b(?![\w(<:=])", re.MULTILINE)
WORD = re.compile(rf"\b({'|'.join(DIALECT)})\b", re.IGNORECASE)


def prose(file: Path) -> str:
    """The text of a file; of a page without the code and output in it, which keep their lines."""
    text = file.read_text(encoding="utf-8", errors="replace")
    return FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text) if file.suffix == ".md" else text


def findings(text: str) -> Iterator[tuple[int, str]]:
    """The number of the line and the words of each finding."""
    for pattern in (OPENING, WORD):
        for found in pattern.finditer(text):
            yield text.count("\n", 0, found.start(1)) + 1, found[1]


def bad_english(root: Path, patterns: list[str]) -> list[str]:
    bad = []
    for file in sorted({file for pattern in patterns for file in root.glob(pattern) if file.is_file()}):
        where = file.relative_to(root).as_posix()
        if file.suffix in SUFFIXES and where not in EXEMPT and NOT_OURS.isdisjoint(where.split("/")):
            bad += [f"{where}:{line}: '{words}'" for line, words in sorted(findings(prose(file)))]
    return bad


class OurEnglish(unittest.TestCase):
    maxDiff = None

    def test_the_covered_files_keep_the_rules(self):
        self.assertEqual(bad_english(ROOT, COVERED), [])

    def test_every_pattern_covers_a_file(self):
        self.assertEqual([pattern for pattern in COVERED if not any(ROOT.glob(pattern))], [])


class PlantedSentences(unittest.TestCase):
    def found(self, name: str, text: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, name).write_text(text, encoding="utf-8")
            return [line.split("'")[1] for line in bad_english(Path(folder), ["*"])]

    def test_banned_openings_are_found_in_prose_comments_and_messages(self):
        for opening in OPENINGS:
            for name, text in [
                ("page.md", f"{opening} rows one is kept.\n"),
                ("page.md", f"A row is kept. {opening} rows go.\n"),
                ("page.md", f"| a | {opening} rows |\n"),
                ("page.md", f"- **{opening} rows**: kept\n"),
                ("page.md", f"## {opening} rows\n"),
                ("code.h", f"int n;  // {opening} rows.\n"),
                ("code.h", f"/// Counts. {opening} rows.\n"),
                ("code.cpp", f'throw Error("{opening} rows");\n'),
                ("code.py", f"# {opening} rows\n"),
                ("golden.txt", f"{opening} rows\n"),
            ]:
                with self.subTest(text=text):
                    self.assertIn(opening, self.found(name, text))

    def test_the_words_within_a_sentence_are_allowed(self):
        self.assertEqual(self.found("page.md", "Each of those is the same, and what is more, the one whose name is kept.\n"), [])

    def test_output_on_a_page_is_not_read(self):
        self.assertEqual(self.found("page.md", "Words.\n\n```text\nOf all rows\n```\n\nMore.\n"), [])

    def test_dialect_is_found(self):
        self.assertEqual(self.found("code.h", "// Bytes that are at hand.\n"), ["at hand"])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        found = bad_english(ROOT, [pattern for name in sys.argv[1:] for pattern in (name, f"{name}/**/*")])
        print(*found, f"{len(found)} findings", sep="\n")
        sys.exit(bool(found))
    unittest.main()
