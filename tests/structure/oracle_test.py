# SPDX-License-Identifier: Apache-2.0
"""The oracle of bad ends works, and every test that runs the command uses it."""

import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import oracle  # noqa: E402

# Scripts that judge every end themselves, and go on after a bad one.
JUDGES = ("faults/soak.py", "faults/sweep.py", "fuzz/cases.py")
NEVER_RUN_IT = ("package/hardening_test.py",)  # reads the file of the command
IMPORTS = ("import oracle", "from oracle", "from command", "import command", "from sources import")


def unwatched(root):
    """Return the test files that run the command without the oracle.

    The tests of pytest have it in conftest.py, and the tests of benchmarks run scripts, not the command.
    """
    others = ("benchmarks", "python", "oracle.py")
    files = [path for path in sorted(root.rglob("*.py")) if path.relative_to(root).parts[0] not in others]
    texts = {path: path.read_text() for path in files}
    return [
        str(path.relative_to(root))
        for path, text in texts.items()
        if str(path.relative_to(root)) not in (*JUDGES, *NEVER_RUN_IT) and "PIDFOREST_BINARY" in text and "subprocess" in text and not any(words in text for words in IMPORTS)
    ]


class Oracle(unittest.TestCase):
    def test_every_test_that_runs_the_command_is_watched(self):
        self.assertEqual(unwatched(ROOT / "tests"), [])

    def test_pytest_is_watched(self):
        self.assertIn("import oracle", (ROOT / "tests" / "python" / "conftest.py").read_text())

    def test_a_crash_fails_a_run(self):
        for words in (["sh", "-c", "kill -SEGV $$"], ["sh", "-c", "sh -c 'kill -ABRT $$'; exit $?"]):
            with self.assertRaises(AssertionError):
                subprocess.run(words, check=False, capture_output=True)
            with self.assertRaises(AssertionError):
                subprocess.Popen(words, stderr=subprocess.DEVNULL).wait()

    def test_only_the_command_may_not_exit_with_1(self):
        self.assertEqual(subprocess.run(["false"], check=False).returncode, 1)
        before, oracle.BINARY = oracle.BINARY, "false"
        try:
            with self.assertRaises(AssertionError):
                subprocess.run(["false"], check=False)
        finally:
            oracle.BINARY = before

    def test_a_signal_that_a_test_sends_is_no_crash(self):
        self.assertEqual(subprocess.run(["sh", "-c", "kill -KILL $$"], check=False).returncode, -9)
        self.assertIsNone(oracle.bad_end(["sh"], 143))


if __name__ == "__main__":
    unittest.main()
