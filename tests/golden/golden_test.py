# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of tests/golden/*.txt: each consists of commands, a line of dashes, and their output.

    PIDFOREST_BINARY=build/pidforest python3 tests/golden/golden_test.py            reports differences
    PIDFOREST_BINARY=build/pidforest python3 tests/golden/golden_test.py --update   rewrites the outputs

A case runs in an empty folder with the examples in examples/, and the files of tests/data/awkward in awkward/. Lines
that begin with `$ ` are its commands, for bash. Standard error is printed with the output, and an exit code other than 0
as `[exit 3]` after it. A line of equal signs separates cases. Lines above the first case are for the reader.
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

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BINARY = Path(os.environ["PIDFOREST_BINARY"]).resolve()
DASHES, EQUALS = "-----\n", "=====\n"


def output_of(command: str, folder: str) -> str:
    environment = {**os.environ, "PATH": f"{BINARY.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    found = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, timeout=120, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    text = found.stdout.decode(errors="backslashreplace")
    if text and not text.endswith("\n"):
        text += "\n"
    return text + (f"[exit {found.returncode}]\n" if found.returncode else "")


def run_case(commands: list[str]) -> str:
    """Return the output of the commands of one case, run one after the other in one folder."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "examples", Path(folder, "examples"))
        os.symlink(ROOT / "tests/data/awkward", Path(folder, "awkward"))
        return "".join(output_of(command, folder) for command in commands)


def cases(text: str) -> tuple[str, list[tuple[list[str], str]]]:
    """Return the text above the first case, and the commands and expected output of each case."""
    start = re.search(r"^\$ ", text, flags=re.MULTILINE).start()
    found = []
    for case in re.split(rf"^{EQUALS}", text[start:], flags=re.MULTILINE):
        commands, _, output = case.partition(DASHES)
        found.append(([line[2:] for line in commands.splitlines()], output))
    return text[:start], found


def updated(text: str) -> str:
    words, found = cases(text)
    return words + EQUALS.join(
        "".join(f"$ {command}\n" for command in commands) + DASHES + run_case(commands) for commands, _ in found
    )


class Golden(unittest.TestCase):
    maxDiff = None

    def test_commands_print_what_the_files_say(self):
        n_cases = 0
        for file in sorted(HERE.glob("*.txt")):
            for commands, expected in cases(file.read_text())[1]:
                n_cases += 1
                with self.subTest(file=file.name, commands=commands):
                    self.assertEqual(run_case(commands), expected)
        self.assertGreater(n_cases, 20)


if __name__ == "__main__":
    if "--update" in sys.argv:
        for golden in sorted(HERE.glob("*.txt")):
            golden.write_text(updated(golden.read_text()))
    else:
        unittest.main()
