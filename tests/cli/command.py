# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the command: how to run it, and how to check an error. PIDFOREST_BINARY is its path."""

import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import oracle  # noqa: E402, F401

BINARY = os.environ.get("PIDFOREST_BINARY", "")
ROOT = pathlib.Path(__file__).resolve().parents[2]
ORDERS = ROOT / "examples" / "orders.csv"
USAGE_ERROR, BAD_DATA, BAD_MODEL, FILE_ERROR, OUT_OF_MEMORY, ANOMALIES_FOUND, INTERRUPTED = 2, 3, 4, 5, 6, 10, 130

IS_SANITIZED = "ASAN_OPTIONS" in os.environ
"""A sanitized command takes too much memory and time for the tests that limit them."""
LONGEST = 600 if IS_SANITIZED else 60

MIXED = "id,colour,size\n" + "".join(f"k{i:03},{'red' if i % 3 else 'blue'},{i % 7}\n" for i in range(60))
"""An identifier, a text and a number."""


def run(*arguments, text="", **options):
    """Run the command with `text` as standard input."""
    words = [BINARY, *map(str, arguments)]
    return subprocess.run(words, input=text.encode(), capture_output=True, timeout=LONGEST, check=False, **options)


class CommandTest(unittest.TestCase):
    def expect(self, found, code, *words):
        """Expect the exit code, no output, and all the words in one line on standard error."""
        message = found.stderr.decode()
        self.assertEqual(found.returncode, code, message)
        self.assertEqual(found.stdout, b"")
        self.assertTrue(message.startswith("pidforest: "), message)
        self.assertEqual(message.count("\n"), 1, message)
        for word in words:
            self.assertIn(word, message)


def main():
    if not BINARY:
        sys.exit("set PIDFOREST_BINARY to the path of the command")
    unittest.main()
