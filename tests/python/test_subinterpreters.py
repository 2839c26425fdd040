# SPDX-License-Identifier: Apache-2.0
"""Subinterpreters of Python: the package refuses them, before and after it is imported in the main interpreter."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

IN_ANOTHER = '''
import os, sys
sys.path = PATH
try:
    import pidforest
    os.write(1, b"imported\\\\n")
except ImportError as error:
    os.write(1, ("refused: " + str(error) + "\\\\n").encode())
'''.replace("PATH", repr(sys.path))

def import_in_another():
    interpreters.run_string(interpreters.create(), IN_ANOTHER)

if sys.argv[1] == "first":
    import_in_another()
import pidforest
if sys.argv[1] == "later":
    import_in_another()
import numpy as np
found = pidforest.PIDForest().fit(np.arange(300.0).reshape(100, 3)).score_samples(np.zeros((2, 3)))
print("main:", len(found))
"""


@pytest.mark.parametrize("when", ["first", "later"])
def test_an_import_in_a_subinterpreter_is_refused_and_the_main_one_works(when):
    found = subprocess.run([sys.executable, "-c", SCRIPT, when], capture_output=True, text=True, timeout=60, check=False)
    lines = found.stdout.splitlines()
    assert found.returncode == 0, found.stderr
    assert lines[0] == "refused: pidforest can be used in the main interpreter of a process only; this is a subinterpreter."
    assert lines[1:] == ["main: 2"]
