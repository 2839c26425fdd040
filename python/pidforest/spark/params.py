# SPDX-License-Identifier: Apache-2.0
"""The parameters of the estimator and of the model. The options of a fit are parameters as the library declares them."""

from __future__ import annotations

from typing import Any, TypeVar

from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasInputCols, HasPredictionCol

from .. import _core
from ..settings import option_text, schema_text, to_value


Self = TypeVar("Self", bound="ColumnParams")


def param_name(option: str) -> str:
    """The name of an option in Spark's style: max_depth is maxDepth."""
    first, *others = option.split("_")
    return first + "".join(word.capitalize() for word in others)


OPTION_OF = {param_name(spec.name): spec.name for spec in _core.option_specs()}


class OptionConverter:
    """Checks the value of an option. Raises ValueError for one that is not allowed."""

    def __init__(self, option: str) -> None:
        self._option = option

    def __call__(self, value: Any) -> Any:
        text = option_text(self._option, value)
        _core.check_options({self._option: text})
        return next(to_value(spec, text) for spec in _core.option_specs() if spec.name == self._option)


class ColumnParams(HasInputCols, HasPredictionCol):
    """The columns that are read and written."""

    scoreCol: Any = Param(Params._dummy(), "scoreCol", "column for the bits of each row; higher is rarer", TypeConverters.toString)
    reasonCol: Any = Param(
        Params._dummy(), "reasonCol", "column for the reason of each row in words; empty for none, as reasons take longer than scores", TypeConverters.toString
    )
    idCol: Any = Param(Params._dummy(), "idCol", "column that names rows; it is no feature, and the report names rows by it", TypeConverters.toString)
    schema: Any = Param(Params._dummy(), "schema", "what the columns mean, as JSON or a dict (docs/schema.md); None infers it", schema_text)

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(scoreCol="score", predictionCol="prediction", reasonCol="", schema=None)
        defaults = _core.preset("default")
        self._setDefault(**{name: to_value(spec, defaults[spec.name]) for name, spec in zip(OPTION_OF, _core.option_specs())})

    def setParams(self: Self, **params: Any) -> Self:
        """Set parameters by their names. Raises ValueError for a value that is not allowed, and TypeError for an unknown name."""
        for name in params:
            if not self.hasParam(name):
                known = ", ".join(param.name for param in self.params)
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}. It has {known}.")
        self._set(**params)
        return self

    def _input_cols(self) -> list[str] | None:
        return list(self.getInputCols()) if self.isDefined("inputCols") else None

    def _id_col(self) -> str | None:
        return self.getOrDefault("idCol") if self.isDefined("idCol") else None

    def _options(self) -> dict[str, str]:
        return {option: option_text(option, self.getOrDefault(name)) for name, option in OPTION_OF.items()}


for _spec in _core.option_specs():
    _name = param_name(_spec.name)
    setattr(ColumnParams, _name, Param(Params._dummy(), _name, f"{_spec.help}: {_spec.allowed}", OptionConverter(_spec.name)))
