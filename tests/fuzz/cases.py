# SPDX-License-Identifier: Apache-2.0
"""Runs the command on random cases and keeps the cases that break it. Shared by the fuzz targets in Python.

A case breaks the command if it dies by a signal, exits with a code that `pidforest --help` does not document or with 1,
the code of an internal error, or runs for more than 30 seconds.

    tests/fuzz/NAME_fuzz.py SECONDS [SEED]   draws cases; a smaller case for each that breaks goes to build-fuzz/found/NAME
    tests/fuzz/NAME_fuzz.py                  replays corpus/NAME and draws a fixed number of cases
PIDFOREST_BINARY is the path of the command.
"""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BINARY = str(Path(os.environ.get("PIDFOREST_BINARY", ROOT / "build" / "pidforest")).resolve())
ALLOWED = {0, 2, 3, 4, 5, 6, 10}
"""Documented codes, except 1, an internal error, and 130, Ctrl-C."""
LONGEST = 30


def run(words, folder, text=b""):
    """Return the exit code, or 'timeout', and the output and the messages of the command run in a folder."""
    command = [BINARY, *(word.encode("utf-8", "surrogateescape") for word in words)]
    try:
        done = subprocess.run(command, cwd=folder, input=text, capture_output=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return "timeout", b"", b""
    except ValueError:  # a word with a null character, which no program can be given
        return 2, b"", b""
    return done.returncode, done.stdout, done.stderr


class Target:
    """A kind of cases. Derived classes draw a case, a JSON value, and run it in a folder of their files."""

    name = ""
    n_replayed = 100
    """How many cases are drawn in a replay."""

    def make_files(self, folder):
        raise NotImplementedError

    def draw(self, source):
        raise NotImplementedError

    def run(self, case, folder):
        """Return the exit code and the messages."""
        raise NotImplementedError

    def smaller(self, case):
        """Yield cases that are a little smaller."""
        return iter(())


class Trial:
    """Cases of a target, each run in a fresh copy of its files."""

    def __init__(self, target, folder):
        self.target = target
        self.files = Path(folder, "files")
        self.copy = Path(folder, "copy")
        self.files.mkdir()
        target.make_files(self.files)
        self.codes = {}

    def outcome(self, case):
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(self.files, self.copy, symlinks=True)
        code, messages = self.target.run(case, self.copy)
        return code, messages

    def is_broken(self, case):
        code, messages = self.outcome(case)
        self.codes[code] = self.codes.get(code, 0) + 1
        return None if code in ALLOWED else f"exit {code}: {messages.decode(errors='replace')[-300:]}"

    def shrunk(self, case):
        """Return the smallest case found that breaks in the same way."""
        code = self.outcome(case)[0]
        for smaller in self.target.smaller(case):
            if self.outcome(smaller)[0] == code:
                return self.shrunk(smaller)
        return case


def replay(target, folder):
    trial = Trial(target, folder)
    files = sorted((HERE / "corpus" / target.name).glob("*.json"))
    source = random.Random(2019)
    cases = [(file.name, json.loads(file.read_text())) for file in files]
    cases += [(f"drawn case {i}", target.draw(source)) for i in range(target.n_replayed)]
    broken = 0
    for name, case in cases:
        if words := trial.is_broken(case):
            broken += 1
            print(f"{name}: {json.dumps(case)}\n  {words}")
    print(f"{len(cases)} cases, {broken} broken; exit codes: {trial.codes}")
    return 1 if broken else 0


def fuzz(target, folder, seconds, seed):
    trial = Trial(target, folder)
    found = ROOT / "build-fuzz" / "found" / target.name
    found.mkdir(parents=True, exist_ok=True)
    source = random.Random(seed)
    end = time.monotonic() + seconds
    seen = {}
    while time.monotonic() < end:
        case = target.draw(source)
        words = trial.is_broken(case)
        if words and seen.setdefault(words[-60:], 0) < 2:
            case = trial.shrunk(case)
            text = json.dumps(case)
            print(f"found: {text}\n  {words}", flush=True)
            (found / f"{hashlib.sha1(text.encode()).hexdigest()}.json").write_text(text + "\n")
        if words:
            seen[words[-60:]] += 1
    n = sum(trial.codes.values())
    print(f"{target.name}: seed {seed}, {n} cases, {sum(seen.values())} broken in {len(seen)} ways; exit codes: {trial.codes}")
    return 1 if seen else 0


def main(target):
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) == 1:
            sys.exit(replay(target, folder))
        seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
        sys.exit(fuzz(target, folder, float(sys.argv[1]), seed))
