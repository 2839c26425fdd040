# SPDX-License-Identifier: Apache-2.0
"""Converts the parameters of the estimator to options of the library, and back."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _core
from .explanations import Witness

# Parameters with another name in the library; all other names and values are equal in both.
OPTION_OF = {"random_state": "seed"}
PARAMETER_OF = {option: parameter for parameter, option in OPTION_OF.items()}


def option_names() -> list[str]:
    return [spec.name for spec in _core.option_specs()]


def is_switch(spec: _core.OptionSpec) -> bool:
    """Whether the option is on or off, which is True or False in Python."""
    return spec.allowed == "one of off, on"


def option_text(name: str, value: Any) -> str:
    """The value of an option as text for the library."""
    if isinstance(value, (bool, np.bool_)) and any(spec.name == name and is_switch(spec) for spec in _core.option_specs()):
        return "on" if value else "off"
    return to_text(value)


def to_text(value: Any) -> str:
    """A parameter as text for the library."""
    if value is None:
        return "none"
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return "infinity" if value == np.inf else repr(float(value))
    return str(value)


def to_value(spec: _core.OptionSpec, text: str) -> bool | int | float | str | None:
    """The inverse of `option_text`."""
    if is_switch(spec):
        return text == "on"
    if text == "none":
        return None
    if text == "infinity":
        return float("inf")
    try:
        return int(text) if spec.type == "integer" else float(text)
    except ValueError:
        return text


def parameters_of(options: dict[str, str]) -> dict[str, Any]:
    """Options as parameters of the estimator."""
    return {PARAMETER_OF.get(spec.name, spec.name): to_value(spec, options[spec.name]) for spec in _core.option_specs()}


def seed_of(random_state: Any) -> str:
    """The seed as text. A generator draws the next seed; None is the default seed of the library."""
    if random_state is None:
        return "0"
    if isinstance(random_state, np.random.RandomState):
        return str(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return str(random_state.integers(2**31 - 1))
    return to_text(random_state)


def threads_of(n_jobs: int | None) -> int:
    """The number of threads, 0 for one per processor; negative numbers count down from all processors, as in joblib."""
    if n_jobs is None or n_jobs == -1:
        return 0
    if n_jobs == 0:
        raise ValueError("n_jobs must be a number of threads, or -1 for one per processor; got 0.")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


def schema_text(schema: Any) -> str | None:
    """A schema as JSON, from JSON, a dict, or the path of a file."""
    if schema is None:
        return None
    if isinstance(schema, (dict, list)):
        return json.dumps(schema)
    if isinstance(schema, os.PathLike):
        return Path(schema).read_text(encoding="utf-8")
    if isinstance(schema, str):
        return schema
    raise TypeError(f"schema must be a dict, JSON, or the path of a file (pathlib.Path); got {type(schema).__name__}.")


def rules_text(suppress: Any) -> str | None:
    """Known reasons as JSON: they are given so, as a list of witnesses or conditions, or as the path of a file."""
    if suppress is None:
        return None
    if isinstance(suppress, str):
        return rules_of_text(suppress)
    if isinstance(suppress, Sequence):
        rules = [suppress] if is_one_rule(suppress) else suppress
        return json.dumps([{"conditions": rule.conditions} if isinstance(rule, Witness) else rule for rule in rules])
    if isinstance(suppress, os.PathLike):
        return Path(suppress).read_text(encoding="utf-8")
    raise TypeError(f"suppress must be a list of rules, JSON, or the path of a file (pathlib.Path); got {type(suppress).__name__}.")


def rules_of_text(text: str) -> str:
    """Raises ValueError for a text that cannot be JSON, such as the name of a file."""
    if not text.lstrip().startswith(("[", "{")):
        raise ValueError(f"suppress: a text is read as JSON, an array of rules; got {text!r}. Give the path of a file as pathlib.Path({text!r}).")
    return text


def is_one_rule(rules: Sequence[Any]) -> bool:
    """Whether these are the conditions of one witness instead of a list of rules."""
    return len(rules) > 0 and all(isinstance(rule, dict) and "column" in rule for rule in rules)


def number_or_none(name: str, value: Any) -> float | None:
    """A parameter that is a number or None. Raises TypeError otherwise."""
    if value is None:
        return None
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        return float(value)
    raise TypeError(f"{name} must be a number or None; got {value!r}.")


def count_of(name: str, value: Any) -> int:
    """A parameter that is a whole number, at least 0. Raises TypeError or ValueError otherwise."""
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, at least 0; got {value!r}.") from None
    if count < 0:
        raise ValueError(f"{name} must be a whole number, at least 0; got {value!r}.")
    return count


def truth_of(name: str, value: Any) -> bool:
    """A parameter that is True or False. Raises TypeError otherwise."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise TypeError(f"{name} must be True or False; got {value!r}.")


def weights_of(sample_weight: Any, n_rows: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """How often each row counts. Raises ValueError unless there is one whole number per row."""
    weights = np.asarray(sample_weight)
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight must have one number per row, the shape ({n_rows},); got {weights.shape}.")
    as_numbers = weights.astype(np.float64)
    wrong = np.flatnonzero(~((as_numbers >= 0) & (as_numbers == np.floor(as_numbers)) & np.isfinite(as_numbers)))
    if wrong.size:
        row = int(wrong[0])
        raise ValueError(f"sample_weight must be whole numbers, as weights count rows; row {row + 1} has {weights[row]}.")
    if not as_numbers.any():
        raise ValueError("sample_weight is zero for every row; fitting requires at least one row with a weight.")
    return np.ascontiguousarray(weights.astype(np.uint64))
