# SPDX-License-Identifier: Apache-2.0
"""Kills the process or breaks the disk while a model is saved: the file must be the complete old or new one.

    PIDFOREST_BINARY=build/pidforest python3 tests/faults/save_test.py

The program save_model is expected next to PIDFOREST_BINARY.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracle  # noqa: E402, F401

PROGRAM = str(Path(os.environ["PIDFOREST_BINARY"]).resolve().parent / "save_model")
KILLS = 200


def can_trace() -> bool:
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0


class Saving(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = str(self.folder / "m.pidf")

    def run_program(self, *arguments: str, before: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
        command = [*before, PROGRAM, *arguments]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False)

    def which(self) -> str:
        return self.run_program("which", self.path).stdout.strip()

    def names(self) -> list[str]:
        return sorted(file.name for file in self.folder.iterdir())

    def test_kill_9_leaves_the_old_file_or_the_new_one_and_the_next_save_leaves_no_other(self):
        whole = []
        for which in "01":
            self.assertEqual(self.run_program("save", self.path, which).returncode, 0)
            whole.append(Path(self.path).read_bytes())
        n_leftovers = 0
        for seed in range(KILLS):
            with subprocess.Popen([PROGRAM, "loop", self.path], stdout=subprocess.PIPE) as process:
                process.stdout.readline()
                time.sleep(random.Random(seed).uniform(0, 0.02))
                process.kill()
            self.assertIn(Path(self.path).read_bytes(), whole)
            n_leftovers += len(self.names()) - 1
            self.assertLessEqual(len(self.names()), 2)  # the next process has removed leftovers
        self.assertGreater(n_leftovers, 0, "no kill came while a temporary file was there: the test shows nothing")
        self.assertEqual(self.run_program("save", self.path, "1").returncode, 0)
        self.assertEqual(self.names(), ["m.pidf"])
        self.assertEqual(self.which(), "1")

    def test_a_full_device_is_refused_with_a_sentence(self):
        result = self.run_program("save", "/dev/full", "0")
        self.assertEqual((result.returncode, result.stderr), (5, "cannot write '/dev/full': No space left on device.\n"))

    @unittest.skipUnless(can_trace(), "strace may not trace here, so errors of the system are not injected")
    def test_errors_of_the_system_leave_the_old_file_and_nothing_else(self):
        words = {"ENOSPC": "No space left on device", "EIO": "Input/output error", "EDQUOT": "Disk quota exceeded"}
        for calls, error, when in [
            ("write", "ENOSPC", "1"), ("write", "EIO", "2+"), ("write", "EDQUOT", "3"), ("fsync", "EIO", "1"),
            ("fsync", "ENOSPC", "1"), ("rename,renameat,renameat2", "EIO", "1"),
        ]:  # fmt: skip
            with self.subTest(calls=calls, error=error, when=when):
                self.assertEqual(self.run_program("save", self.path, "0").returncode, 0)
                inject = f"--inject={','.join('?' + call for call in calls.split(','))}:error={error}:when={when}"
                limit = "--trace=" + ",".join("?" + call for call in calls.split(","))
                result = self.run_program("save", self.path, "1", before=("strace", "-f", "-o", os.devnull, limit, inject))
                self.assertEqual(result.returncode, 5, result.stderr)
                if when != "2+":  # in that case the message is not written either
                    self.assertIn(words[error], result.stderr)
                self.assertEqual(self.names(), ["m.pidf"])
                self.assertEqual(self.which(), "0")

    @unittest.skipUnless(can_trace(), "strace may not trace here, so errors of the system are not injected")
    def test_a_folder_that_cannot_be_written_to_the_disk_is_told_and_the_new_file_is_whole(self):
        inject = "--inject=fsync:error=EIO:when=2"
        result = self.run_program("save", self.path, "1", before=("strace", "-f", "-o", os.devnull, "--trace=fsync", inject))
        self.assertEqual(result.returncode, 5)
        self.assertIn("is written, but might be lost on a power failure", result.stderr)
        self.assertEqual((self.which(), self.names()), ("1", ["m.pidf"]))


if __name__ == "__main__":
    unittest.main()
