# SPDX-License-Identifier: Apache-2.0
"""The command of the release is hardened: PIDFOREST_BINARY is its path."""

import os
import shutil
import subprocess
import unittest


def readelf(*flags):
    words = ["readelf", "--wide", *flags, os.environ["PIDFOREST_BINARY"]]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@unittest.skipIf(shutil.which("readelf") is None, "no readelf")
class Hardening(unittest.TestCase):
    def test_relocations_are_read_only_once_the_command_runs(self):
        self.assertIn("GNU_RELRO", readelf("--segments"))
        self.assertRegex(readelf("--dynamic"), r"BIND_NOW|FLAGS_1.*\bNOW\b")

    def test_its_address_is_chosen_at_random(self):
        self.assertIn("DYN", readelf("--file-header"))

    def test_no_segment_may_be_both_written_and_run(self):
        for line in readelf("--segments").splitlines():
            if line.split()[:1] in (["LOAD"], ["GNU_STACK"]):
                self.assertNotIn("RWE", line)

    def test_stacks_and_buffers_are_checked(self):
        symbols = readelf("--dyn-syms")
        self.assertIn("__stack_chk_fail", symbols)
        self.assertRegex(symbols, r"__\w+_chk@")


if __name__ == "__main__":
    unittest.main()
