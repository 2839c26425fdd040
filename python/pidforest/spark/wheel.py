# SPDX-License-Identifier: Apache-2.0
"""Work on executors, which may lack the package or have another version of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .. import __version__

HOW_TO_SHIP = (
    "Install the wheel on every executor, or ship it with the job: rename it to pidforest.zip and start Spark with "
    "--archives pidforest.zip#pidforest_wheel --conf spark.executorEnv.PYTHONPATH=pidforest_wheel (docs/spark.md)."
)


def executor_check(version: str = __version__) -> Callable[[], str | None]:
    """A function that says, on an executor, what is wrong with the package there; None if nothing is.

    It is sent as code, not by its name: it must work where the package is missing.
    """
    how_to_ship = HOW_TO_SHIP

    def problem() -> str | None:
        import importlib
        import socket

        try:
            found = importlib.import_module("pidforest._core").version
        except ImportError as error:
            return f"the Python of executor {socket.gethostname()} cannot import pidforest ({error}). {how_to_ship}"
        if found != version:
            return f"executor {socket.gethostname()} has pidforest {found}, and the driver has {version}. Give both one version. {how_to_ship}"
        return None

    return problem


def on_executors(task: str, *arguments: Any) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """The function `pidforest.spark.tasks.<task>(batches, *arguments)` for Spark. It raises RuntimeError on an executor without it."""
    problem = executor_check()

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        import importlib

        wrong = problem()
        if wrong is not None:
            raise RuntimeError(wrong)
        yield from getattr(importlib.import_module("pidforest.spark.tasks"), task)(batches, *arguments)

    return run


def reporting_errors(task: str, schema: Any, *arguments: Any) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """As `on_executors`, for `mapInArrow`. An error becomes a row of this Arrow schema with the text in column `error`.

    Spark would run a task that raises again, although the error is in the data or in the installation.
    """
    problem = executor_check()

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        import importlib

        import pyarrow

        wrong = problem()
        try:
            if wrong is not None:
                raise ValueError(wrong)
            yield from getattr(importlib.import_module("pidforest.spark.tasks"), task)(batches, *arguments)
        except (ValueError, TypeError) as error:
            from pyspark import TaskContext

            context = TaskContext.get()
            row = {"partition": context.partitionId() if context else 0, "error": str(error) or repr(error)}
            yield pyarrow.RecordBatch.from_pylist([row], schema=schema)

    return run
