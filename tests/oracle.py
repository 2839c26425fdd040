# SPDX-License-Identifier: Apache-2.0
"""An oracle for every test that runs a program: importing this module makes bad ends fail the test.

The command must never end with exit code 1, an internal error. No program may die by a signal of a crash, also within a
shell, which reports such a signal as 128 more than its number.
"""

import os
import pathlib
import signal
import subprocess

BINARY = os.environ.get("PIDFOREST_BINARY", "")
INTERNAL_ERROR = 1
CRASHES = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSYS, signal.SIGTRAP}


def is_command(arguments):
    """Return whether the arguments of Popen run the command itself."""
    if isinstance(arguments, (str, bytes, os.PathLike)):
        return False
    return bool(BINARY) and pathlib.Path(os.fspath(arguments[0])).resolve() == pathlib.Path(BINARY).resolve()


def bad_end(arguments, code):
    """Return what is wrong with the end of a program, or None."""
    if code is None:
        return None
    number = -code if code < 0 else code - 128
    if number in CRASHES:
        return f"died by {signal.Signals(number).name}"
    return "ended with an internal error" if code == INTERNAL_ERROR and is_command(arguments) else None


class WatchedPopen(subprocess.Popen):
    def _checked(self, code):
        if complaint := bad_end(self.args, code):
            raise AssertionError(f"{self.args} {complaint}")
        return code

    def wait(self, timeout=None):
        return self._checked(super().wait(timeout))

    def poll(self):
        return self._checked(super().poll())


subprocess.Popen = WatchedPopen  # subprocess.run and its kin use it, too
