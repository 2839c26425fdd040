# SPDX-License-Identifier: Apache-2.0
"""A progress bar for long work."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

Callback = Callable[[str, int, int], Any]


class Bar:
    """Redraws one line of standard error, a few times a second: ``counting  45%|####      | 45/100 [00:01<00:02]``."""

    width = 24

    def __init__(self) -> None:
        self._stage = ""
        self._begin = 0.0
        self._drawn = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage != self._stage:
            self.close()
            self._stage, self._begin = stage, now
        elif done < total and now - self._drawn < 0.1:
            return
        self._drawn = now
        spent = now - self._begin
        share = done / total if total else 1.0
        left = f"{_clock(spent / share - spent)}" if share > 0 else "?"
        bar = ("#" * round(share * self.width)).ljust(self.width)
        sys.stderr.write(f"\r{stage}: {share:4.0%}|{bar}| {done}/{total} [{_clock(spent)}<{left}]\033[K")
        sys.stderr.flush()

    def close(self) -> None:
        if self._stage:
            sys.stderr.write("\n")
            self._stage = ""


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes:02d}:{seconds:02d}"


class Shown:
    """Context manager: the progress callback for the estimator's ``verbose``; ends the line of the bar on exit."""

    def __init__(self, verbose: bool | int | Callback) -> None:
        self._bar = Bar() if not callable(verbose) and verbose and sys.stderr.isatty() else None
        self._callback = verbose if callable(verbose) else self._bar

    def __enter__(self) -> Callback | None:
        return self._callback

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
