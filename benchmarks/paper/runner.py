# SPDX-License-Identifier: Apache-2.0
"""Runs tasks in processes of their own, some side by side, each for a limited time, and keeps their results."""

import multiprocessing
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from algorithms import warm_up
from cache import Cache, Task

# A forked child has the packages imported already; importing takes a new process seconds, more than most tasks.
FORK = multiprocessing.get_context("fork")


class Running(NamedTuple):
    task: Task
    process: Any
    answer: Connection
    deadline: float


class Ended(NamedTuple):
    task: Task
    result: dict | None  # None: it failed and printed the reason


def work(run: Callable[[Task], dict], task: Task, answer: Connection) -> None:
    try:
        answer.send(run(task))
    except Exception:  # any exception of a library concerns only this task
        print(f"reproduce: FAILED {task.words()}\n{traceback.format_exc()}", file=sys.stderr, flush=True)


def start(run: Callable[[Task], dict], task: Task, limit: float) -> Running:
    receiver, sender = FORK.Pipe(duplex=False)
    process = FORK.Process(target=work, args=(run, task, sender), daemon=True)
    process.start()
    sender.close()
    return Running(task, process, receiver, time.monotonic() + limit)


def end(one: Running, limit: float) -> Ended:
    """Handle a process that has answered, died or exceeded its time."""
    if one.answer.poll():
        try:
            result = one.answer.recv()
        except EOFError:
            result = None
    else:
        one.process.kill()
        result = {"timeout": limit}
    one.process.join()
    one.answer.close()
    return Ended(one.task, result)


def run_all(run: Callable[[Task], dict], tasks: Sequence[Task], jobs: int, limit: float) -> Iterator[Ended]:
    """Yield the tasks as they end. A task that takes longer than `limit` seconds is killed; its result says so."""
    waiting, active = list(reversed(tasks)), []
    try:
        while waiting or active:
            while waiting and len(active) < jobs:
                active.append(start(run, waiting.pop(), limit))
            left = max(0.0, min(one.deadline for one in active) - time.monotonic())
            answered = wait([one.answer for one in active], timeout=left)
            over = [one for one in active if one.answer in answered or time.monotonic() >= one.deadline]
            active = [one for one in active if one not in over]
            for one in over:
                yield end(one, limit)
    finally:
        for one in active:
            one.process.kill()


def fill(
    cache: Cache, tasks: dict[Task, str], run: Callable[[Task], dict], jobs: int, limit: float, say: Callable[[str], None]
) -> bool:
    """Does the tasks that the cache lacks under their fingerprints. Whether all of them ended well."""
    missing = [task for task, fingerprint in tasks.items() if cache.get(task, fingerprint) is None]
    say(f"{len(tasks)} tasks, {len(tasks) - len(missing)} of them done before")
    if missing:
        warm_up()
    begin, failed = time.monotonic(), 0
    for done, ended in enumerate(run_all(run, missing, jobs, limit), 1):
        minutes = (time.monotonic() - begin) / 60
        say(f"{done} of {len(missing)}, {minutes:.1f} min: {ended.task.words()}")
        if ended.result is None:
            failed += 1
        else:
            cache.put(ended.task, tasks[ended.task], ended.result)
    if failed:
        say(f"{failed} tasks FAILED; the next run tries them again")
    return failed == 0
