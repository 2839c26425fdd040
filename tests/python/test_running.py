# SPDX-License-Identifier: Apache-2.0
"""How work is run: other Python threads continue, forks and interrupts work, progress is shown."""

import io
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pytest
from tables import numbers, orders

from pidforest import PIDForest, exact_pid_score
from pidforest.progress import Bar

X = numbers()


def test_many_threads_score_one_model():
    frame = orders()
    forest = PIDForest(n_jobs=2).fit(frame)
    expected = forest.score_samples(frame)
    reasons = [str(e) for e in forest.explain(frame).top(5)]

    def work(i):
        if i % 8 == 0:
            return [str(e) for e in forest.explain(frame).top(5)] == reasons
        return np.array_equal(forest.score_samples(frame), expected)

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(work, range(64)))


def test_other_threads_go_on_during_a_fit():
    """The progress callback of the fit waits for another Python thread; if the fit held the lock, it would wait
    forever."""
    moved = threading.Event()
    asked = threading.Event()

    def move():
        asked.wait(20)
        moved.set()

    def on_progress(stage, done, total):
        asked.set()
        assert moved.wait(20)

    thread = threading.Thread(target=move)
    thread.start()
    PIDForest(verbose=on_progress).fit(X)
    thread.join()


def score_in_child(forest):
    return forest.fit(X).score_samples(X).sum()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_it_works_after_a_fork():
    forest = PIDForest(n_jobs=4).fit(X)
    expected = forest.score_samples(X).sum()
    context = multiprocessing.get_context("fork")
    with context.Pool(4) as pool:
        assert pool.map_async(score_in_child, [forest] * 8).get(timeout=20) == [expected] * 8


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_it_works_in_joblib(backend):
    forest = PIDForest().fit(X)
    scores = joblib.Parallel(2, backend=backend, timeout=60)(joblib.delayed(forest.score_samples)(part) for part in np.array_split(X, 4))
    assert np.array_equal(np.concatenate(scores), forest.score_samples(X))


INTERRUPTED = """
import os, signal, threading
import numpy as np
from pidforest import PIDForest, exact_pid_score
signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background is deaf to it
X = np.random.default_rng(0).normal(size=(200_000, 20))
forest = PIDForest(n_jobs=1).fit(X)
def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
for work in (lambda: PIDForest(n_jobs=1, n_estimators=100_000).fit(X), lambda: PIDForest(n_jobs=2, n_estimators=100_000).fit(X),
             lambda: exact_pid_score(X[:3000, :6], n_jobs=1, seconds=600)):
    threading.Timer(1.0, interrupt).start()
    try:
        work()
        print("not interrupted")
    except KeyboardInterrupt:
        print("interrupted")
print(forest.score_samples(X[:5]).shape)
"""


def test_ctrl_c_stops_the_work():
    printed = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120, check=True).stdout
    assert printed.splitlines() == ["interrupted"] * 3 + ["(5,)"]


def test_progress_is_reported_and_may_stop_the_work():
    seen = []
    forest = PIDForest(verbose=lambda *progress: seen.append(progress)).fit(X)
    assert seen
    assert all(isinstance(stage, str) and 0 <= done <= total for stage, done, total in seen)
    n_of_fit = len(seen)
    forest.score_samples(X)
    assert len(seen) > n_of_fit
    exact_pid_score(X[:50, :2], rows=[7], verbose=lambda *progress: seen.append(progress))

    class Enough(Exception):
        pass

    def stop(stage, done, total):
        raise Enough

    with pytest.raises(Enough):
        PIDForest(verbose=stop).fit(X)
    assert np.array_equal(forest.set_params(verbose=False).score_samples(X), PIDForest().fit(X).score_samples(X))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_is_drawn_on_terminals_only(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    PIDForest(verbose=True).fit(X)
    assert sys.stderr.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", Terminal())
    PIDForest(verbose=True).fit(X)
    drawn = sys.stderr.getvalue()
    assert "100%|########################|" in drawn
    assert drawn.endswith("\n")


def test_the_bar_says_how_far_the_work_is(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    bar = Bar()
    bar("growing trees", 0, 100)
    bar("growing trees", 50, 100)  # too soon to be drawn
    bar("growing trees", 100, 100)
    bar.close()
    lines = sys.stderr.getvalue().split("\r")
    assert lines[1].startswith("growing trees:   0%|                        | 0/100 [00:00<?]")
    assert lines[2].startswith("growing trees: 100%|########################| 100/100 [00:00<00:00]")
    assert len(lines) == 3
