# SPDX-License-Identifier: Apache-2.0
"""Why rows are rare, as objects."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, overload

import numpy as np

from . import _core


class Witness:
    """A cube that a row lies in and how many rows it holds: what one COUNT(*) can check.

    Attributes
    ----------
    text : str
        The conditions, and how many rows satisfy them, in words.
    conditions : list of dict
        What a row must have in a column to lie in the cube; docs/explanations.md describes the keys.
    volume : float
        The cube's share of the space.
    n_inside, n_rows : int
        The rows of the reference inside the cube, and all of them.
    expected : float
        The rows that an even spread would put inside; of a rare pair, the rows that unrelated columns would have there.
    bits : float
        log2 of how many times fewer rows are inside than that.
    """

    def __init__(self, witnesses: _core.Witnesses, place: int) -> None:
        self._witnesses = witnesses
        self._place = place

    @cached_property
    def _figures(self) -> dict[str, Any]:
        figures: dict[str, Any] = json.loads(self._witnesses.json(self._place))
        return figures

    @cached_property
    def text(self) -> str:
        return self._witnesses.words(self._place)

    @property
    def conditions(self) -> list[dict[str, Any]]:
        conditions: list[dict[str, Any]] = self._figures["conditions"]
        return conditions

    @property
    def volume(self) -> float:
        return float(self._figures["volume"])

    @property
    def n_inside(self) -> int:
        return int(self._figures["n_inside"])

    @property
    def n_rows(self) -> int:
        return int(self._figures["n_rows"])

    @property
    def expected(self) -> float:
        return float(self._figures.get("n_unrelated", self.volume * self.n_rows))

    @property
    def bits(self) -> float:
        return float(self._figures["bits"])

    def sql(self, dialect: Literal["standard", "sqlite"] = "standard") -> str:
        """What follows WHERE in the SQL that counts the rows inside.

        Parameters
        ----------
        dialect : {"standard", "sqlite"}
            PostgreSQL and DuckDB, or SQLite.

        Returns
        -------
        str

        Examples
        --------
        >>> from pidforest import PIDForest
        >>> X = [[float(i % 10), float(i % 7)] for i in range(700)] + [[5.0, 60.0]]
        >>> print(PIDForest().fit(X).explain(X)[700].sql())
        NULLIF(CAST("x1" AS DOUBLE PRECISION), 'NaN') > 6
        """
        return self._witnesses.sql(self._place, dialect)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.text}>"


class Explanation(Witness):
    """Why one row is rare: its score, its witness, and the bits of each column.

    The attribute `text` begins with the row's own values. Besides the attributes of `Witness`:

    Attributes
    ----------
    row : int
        The place of the row in the table that was explained, from 0.
    score : float
        Its bits: minus `PIDForest.score_samples`.
    is_anomaly : bool or None
        Whether the score is above the model's threshold, or at least `min_bits`, and not suppressed; None without a threshold.
    is_suppressed : bool
        Whether a rule of `suppress` holds the row.
    impostors : list of int or None
        The first other rows that the witness holds, by their place in the table that was counted; None unless
        `PIDForest.explain` was asked for them.
    column_bits : dict of str to float
        How many bits of the score each column gives: first the columns that the witness names, then the others, most bits
        first.
    """

    def __init__(self, explanations: Explanations, row: int) -> None:
        super().__init__(explanations._witnesses, int(explanations._witness_of[row]))
        self._explanations = explanations
        self.row = row
        self.score = float(explanations.scores[row])
        self.is_anomaly = None if explanations._flags is None else bool(explanations._flags[row])
        self.is_suppressed = bool(explanations._suppressed) and explanations._suppressed[row]
        self.impostors = None if explanations._details is None else explanations._details[row][0]

    @cached_property
    def text(self) -> str:
        return self._explanations._reason(self.row)

    @cached_property
    def column_bits(self) -> dict[str, float]:
        bits = zip(self._explanations.columns, self._explanations.column_bits[self.row].tolist())
        named = {condition["column"] for condition in self.conditions}
        return dict(sorted(bits, key=lambda item: (item[0] not in named, -item[1])))

    def normal_if(self) -> str | None:
        """The nearest change that would make the row normal, in words: "memory <= 70.7".

        None if no change of one or two columns does, or if the model has no threshold; "anything" if the row is normal.
        """
        return self._explanations._normal_if(self)


class Explanations(Sequence[Explanation]):
    """The explanations of the rows of a table, in their order.

    Attributes
    ----------
    scores : ndarray of shape (n_rows,)
        The bits of the rows.
    column_bits : ndarray of shape (n_rows, n_columns)
        How many bits of a row's score each column gives.
    columns : list of str
        The names of the columns.

    Examples
    --------
    >>> from pidforest import PIDForest
    >>> X = [[float(i % 10), float(i % 7)] for i in range(700)] + [[5.0, 60.0]]
    >>> found = PIDForest().fit(X).explain(X)
    >>> rarest = found.top(1)[0]
    >>> rarest.row, rarest.n_inside, list(rarest.column_bits)
    (700, 1, ['x1', 'x0'])
    """

    def __init__(
        self,
        scored: _core.ScoredRows,
        columns: list[str],
        explained: tuple[_core.Witnesses, np.ndarray[Any, Any], np.ndarray[Any, Any]],
        options: _core.FindOptions,
        details: list[tuple[list[int] | None, str | None]] | None,
        threads: int,
        index: Any = None,
    ) -> None:
        self._index = index
        self._scored = scored
        self._threads = threads
        self._block: tuple[int, list[str]] | None = None
        self._witnesses, self._witness_of, self.column_bits = explained
        self._options = options
        self._details = details
        self._flags = scored.flags(options.min_bits)
        self._suppressed = scored.suppressed
        self.scores = scored.bits
        self.columns = columns

    def _normal_if(self, one: Explanation) -> str | None:
        if self._details is not None and self._options.normal_if and one.is_anomaly:
            return self._details[one.row][1]
        return self._scored.normal_if(one.row, self._options.min_bits)

    def _reasons(self, begin: int, end: int) -> list[str]:
        return self._scored.reasons(self._witnesses, self._witness_of, np.arange(begin, end, dtype=np.uint64), self._threads)

    def _reason(self, row: int) -> str:
        # Reasons are put into words block by block; whoever reads all of them reads them in order.
        rows_at_once = 256
        begin = row - row % rows_at_once
        if self._block is None or self._block[0] != begin:
            self._block = begin, self._reasons(begin, min(begin + rows_at_once, len(self)))
        return self._block[1][row - begin]

    def __len__(self) -> int:
        return len(self._witness_of)

    @overload
    def __getitem__(self, index: int) -> Explanation: ...

    @overload
    def __getitem__(self, index: slice) -> list[Explanation]: ...

    def __getitem__(self, index: int | slice) -> Explanation | list[Explanation]:
        if isinstance(index, slice):
            return [Explanation(self, row) for row in range(*index.indices(len(self)))]
        row = index + len(self) if index < 0 else index
        if not 0 <= row < len(self):
            raise IndexError(f"there are {len(self)} explanations; got {index}.")
        return Explanation(self, row)

    def __iter__(self) -> Iterator[Explanation]:
        return (Explanation(self, row) for row in range(len(self)))

    def top(self, n: int = 10) -> list[Explanation]:
        """The explanations of the n rows with the most bits, most first.

        Parameters
        ----------
        n : int, default=10
            How many; all of them if there are fewer.

        Returns
        -------
        list of Explanation
        """
        order = np.argsort(-self.scores, kind="stable")[:n]
        return [Explanation(self, int(row)) for row in order]

    def _table(self) -> dict[str, Any]:
        """The columns of `to_frame`, as arrays where they hold numbers."""
        witnesses = [Witness(self._witnesses, i) for i in range(len(self._witnesses))]
        details: dict[str, list[Any]] = {}
        if self._details is not None and self._options.normal_if:
            details["normal_if"] = [normal_if for _, normal_if in self._details]
        if self._details is not None and self._options.impostors > 0:
            details["impostors"] = [impostors for impostors, _ in self._details]
        return {
            "score": self.scores,
            "is_anomaly": [None] * len(self) if self._flags is None else self._flags,
            "reason": self._reasons(0, len(self)),
            "n_inside": np.array([one.n_inside for one in witnesses], dtype=np.int64)[self._witness_of],
            "expected": np.array([one.expected for one in witnesses])[self._witness_of],
            "witness_bits": np.array([one.bits for one in witnesses])[self._witness_of],
            **details,
            **{f"bits_{name}": self.column_bits[:, i] for i, name in enumerate(self.columns)},
        }

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns of `to_frame`."""
        return {name: column.tolist() if isinstance(column, np.ndarray) else column for name, column in self._table().items()}

    def to_frame(self) -> Any:
        """One line per row: score, reason, counts, what else was asked for, and the bits of each column.

        A frame of pandas, or else of polars. If the table was a frame of pandas, its index is kept.
        """
        try:
            import pandas

            return pandas.DataFrame(self._table(), index=self._index)
        except ImportError:
            pass
        try:
            import polars
        except ImportError as error:
            raise ImportError("to_frame requires pandas or polars; to_dict returns the same columns as lists.") from error
        return polars.DataFrame(self._table())

    def __repr__(self) -> str:
        lines = [f"row {e.row}: {e.score:.2f} bits: {e.text}" for e in self.top(5)]
        more = [f"({len(self) - 5} more)"] if len(self) > 5 else []
        return "\n".join([f"<Explanations of {len(self)} rows, most bits first>", *lines, *more])

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{e.row}</td><td>{e.score:.2f}</td><td style='text-align: left'>{html.escape(e.text)}</td></tr>" for e in self.top()
        )
        return f"<table><thead><tr><th>row</th><th>bits</th><th>reason</th></tr></thead><tbody>{cells}</tbody></table>"


def anomalies(n: int) -> str:
    return f"{n} anomaly" if n == 1 else f"{n} anomalies"


class Incident(Witness):
    """Anomalies that share a reason.

    In addition to the attributes of `Witness`, which are those of the reason:

    Attributes
    ----------
    rows : list of int
        The places of the anomalies in the table, from 0, the rarest first.
    score : float
        The bits of the rarest.
    """

    def __init__(self, witnesses: _core.Witnesses, place: int, rows: list[int], score: float) -> None:
        super().__init__(witnesses, place)
        self.rows = rows
        self.score = score

    def __repr__(self) -> str:
        return f"<Incident: {anomalies(len(self.rows))}, row {self.rows[0]} with {self.score:.2f} bits: {self.text}>"


class Incidents(Sequence[Incident]):
    """The anomalies of a table, grouped by their reasons; the incident of the rarest anomaly comes first.

    Attributes
    ----------
    n_anomalies : int
        The anomalies of all incidents.
    n_suppressed : int
        The rows that would be anomalies if no known reason held them.
    """

    def __init__(self, incidents: list[Incident], n_anomalies: int, n_suppressed: int) -> None:
        self._incidents = incidents
        self.n_anomalies = n_anomalies
        self.n_suppressed = n_suppressed

    def __len__(self) -> int:
        return len(self._incidents)

    @overload
    def __getitem__(self, index: int) -> Incident: ...

    @overload
    def __getitem__(self, index: slice) -> list[Incident]: ...

    def __getitem__(self, index: int | slice) -> Incident | list[Incident]:
        return self._incidents[index]

    def __repr__(self) -> str:
        lines = [f"{anomalies(len(one.rows))}, row {one.rows[0]} with {one.score:.2f} bits: {one.text}" for one in self[:10]]
        more = [f"({len(self) - 10} more)"] if len(self) > 10 else []
        counts = anomalies(self.n_anomalies) + (f", {self.n_suppressed} suppressed" if self.n_suppressed else "")
        return "\n".join([f"<Incidents: {len(self)} of {counts}>", *lines, *more])
