# SPDX-License-Identifier: Apache-2.0
"""The base classes of scikit-learn if it is installed, and replacements with the members that the estimator uses if not."""

from __future__ import annotations

import html
import inspect
from typing import Any

try:
    from sklearn.base import BaseEstimator, OutlierMixin
    from sklearn.exceptions import NotFittedError
except ImportError:

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """Raised when an estimator is used before it is fitted."""

    class OutlierMixin:  # type: ignore[no-redef]
        """Marks outlier detectors."""

    class BaseEstimator:  # type: ignore[no-redef]
        """Gets and sets parameters by name, like scikit-learn's class."""

        @classmethod
        def _parameter_names(cls) -> list[str]:
            return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            return {name: getattr(self, name) for name in self._parameter_names()}

        def set_params(self, **params: Any) -> BaseEstimator:
            for name, value in params.items():
                if name not in self._parameter_names():
                    raise ValueError(
                        f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: {self._parameter_names()!r}."
                    )
                setattr(self, name, value)
            return self

        def __repr__(self) -> str:
            declared = inspect.signature(type(self).__init__).parameters
            changed = {name: value for name, value in self.get_params().items() if value is not declared[name].default and value != declared[name].default}
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in changed.items())})"

        def _repr_html_(self) -> str:
            rows = "".join(f"<tr><td>{name}</td><td>{html.escape(repr(value))}</td></tr>" for name, value in self.get_params().items())
            return f"<table><caption>{type(self).__name__}</caption>{rows}</table>"


__all__ = ["BaseEstimator", "NotFittedError", "OutlierMixin"]
