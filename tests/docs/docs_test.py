# SPDX-License-Identifier: Apache-2.0
"""Runs every snippet of the documentation: commands must print what the page shows, programs must compile and run.

PIDFOREST_BINARY is the path of the tool; the library is in the same build folder.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracle  # noqa: E402, F401

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["PIDFOREST_BINARY"]).resolve().parent
DRIVERS = ROOT / ".drivers"
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
ENVIRONMENT = {**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}", "COLUMNS": "100", "ADBC_DRIVER_PATH": str(DRIVERS)}
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def snippets(page: Path, language: str) -> list[str]:
    return [body for found, body in FENCE.findall(page.read_text()) if found == language]


def run(command, **more) -> str:
    result = subprocess.run(
        command, cwd=ROOT, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False, **more
    )
    return result.stdout


def console_steps(body: str) -> list[tuple[str, str]]:
    """Return the commands of a console snippet, each with its expected output."""
    parts = re.split(r"^\$ (.*)\n", body, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2]))


class Docs(unittest.TestCase):
    maxDiff = None

    def test_commands_print_what_the_pages_say(self):
        n_steps = 0
        for page in PAGES:
            if page.name == "sources.md" and not DRIVERS.exists():
                print("docs/sources.md is skipped: scripts/bootstrap sources installs its drivers", file=sys.stderr)
                continue
            for body in snippets(page, "console"):
                for command, expected in console_steps(body):
                    with self.subTest(page=page.name, command=command):
                        self.assertEqual(run(command, shell=True), expected)
                        n_steps += 1
        self.assertGreater(n_steps, 2)

    def test_programs_compile_and_print_what_the_pages_say(self):
        n_programs = 0
        for page in PAGES:
            outputs = snippets(page, "text")
            for i, program in enumerate(snippets(page, "cpp")):
                with self.subTest(page=page.name, program=i), tempfile.TemporaryDirectory() as folder:
                    source = Path(folder, "main.cpp")
                    source.write_text(program)
                    binary = Path(folder, "main")
                    parts = [str(BUILD / "src" / f"lib{part}.a") for part in ["pidforest_exact", "pidforest"]]
                    libraries = [*parts, "-lhwy_contrib", "-lhwy", "-lfmt", "-pthread"]
                    self.assertEqual(run(["g++", "-std=c++20", "-Iinclude", str(source), "-o", str(binary), *libraries]), "")
                    self.assertEqual(run([str(binary)]), outputs[i])
                    n_programs += 1
        self.assertGreater(n_programs, 0)

    def test_the_page_of_options_is_what_the_tool_declares(self):
        page = (ROOT / "docs" / "options.md").read_text()
        self.assertTrue(page.endswith(run(["pidforest", "options", "--markdown"])), "run: pidforest options --markdown")

    def test_the_page_of_the_command_line_has_every_verb(self):
        verbs = re.findall(r"^  ([a-z]+) {2,}\S", run(["pidforest", "--help"]), re.MULTILINE)
        self.assertGreater(len(verbs), 10)
        rows = re.findall(r"^\| `([a-z]+)\b.*` \|", (ROOT / "docs" / "cli.md").read_text(), re.MULTILINE)
        self.assertEqual(sorted(rows), sorted(verbs))

    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
                if "://" not in target:
                    self.assertTrue((page.parent / target).exists(), f"{page.name}: {target}")


if __name__ == "__main__":
    unittest.main()
