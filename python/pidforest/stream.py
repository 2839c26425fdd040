# SPDX-License-Identifier: Apache-2.0
"""A forest that follows a stream of events."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _core
from .estimator import PIDForest
from .explanations import Witness
from .frames import other_columns, read
from .settings import OPTION_OF, PARAMETER_OF, option_names, option_text, schema_text, seed_of


def event_of(x: Any) -> dict[str, Any]:
    """An event that a caller gave. Raises TypeError unless it is a dict."""
    if isinstance(x, dict):
        return x
    raise TypeError(f"an event must be a dict of values by the names of columns; got {type(x).__name__}. Use update for tables of events.")


class StreamingPIDForest:
    """A forest that scores each event of a stream by the last ones, then learns it, in constant memory.

    It counts the last ``horizon`` events, and grows its trees on them again, one at a time. So the forest follows changes,
    and forgets. An event is a dict of values by the names of columns: numbers, booleans, texts, times
    (``datetime``), or None where a value is missing. The first event says what the columns are called, and those of the
    warm-up what they mean, unless ``schema`` says it.

    It has the methods of river's anomaly detectors and works in river's pipelines and filters. Equal events and parameters
    give equal scores, in batches of any size.

    Parameters
    ----------
    horizon : int, default=2048
        How many of the last events the model counts; older ones are forgotten.
    warm_up : int, default=256
        The rows that the first trees are grown on; nothing is scored before. At most ``horizon``.
    window : int, default=1
        The events of a row: 1, or how many successive ones make a shingle.
    views : {"lags,changes", "lags"}, default="lags,changes"
        What the trees look at in shingles: every other tree at the last values and by how much they rose over 1 to 8
        events, the others at all values; or all trees at all values.
    recent : int, default=512
        How many of the last events a second forest knows, which soon follows changes: an event has the lower of the two
        scores, less half of what the median of the last 64 scores is more than a bit above the usual one. 0 for neither; there is none either if ``recent`` is more than half of ``horizon`` or less than ``window``.
    time : str, optional
        The column with the times of events, as datetimes or ``datetime64``. It is not scored. With it, lags and rises are
        named by time while the steps between events are equal, and the season is learned. The half hours are those of the
        clock that naive times show, or of UTC.
    season : bool, default=True
        With ``time``: learn what is usual for each number at each half hour of the day and of the week. Once that is known,
        after at least 3 days, trees look at the number minus what is usual.
    means : iterable of int
        Adds the mean of each number over this many events up to the last one, such as "load mean of 288 samples", for
        each of these spans from 2 to 100,000.
    schema : dict, str or path, optional
        What the columns mean, as for `PIDForest`.
    no_score : float, default=nan
        The value returned without a score: during the warm-up, and before a window is complete. Filters of river that keep
        statistics of scores need 0.
    random_state : int, numpy generator or None, default=None
        As for `PIDForest`.
    **options
        Every option of `PIDForest`, with the same defaults but for ``n_estimators=25``: trees are grown again and again.
        ``count_rows`` must be "all".

    Attributes
    ----------
    is_anomaly_ : bool or ndarray of bool
        Whether what was last scored, an event or the events of a batch, was above the threshold of its time.
    threshold_ : float or None
        The threshold in bits, which follows the stream. None while the forest warms up, and for ``contamination=None``.
    n_to_warm_up_ : int
        Rows still needed before the first score; 0 after the warm-up.
    n_learned_ : int
        The events learned so far.
    schema_ : dict or None
        What the columns of rows mean, those of a window with their lag. None while the forest warms up.

    Raises
    ------
    ValueError
        If a parameter is out of its range, or the schema contradicts itself.
    TypeError
        If there is no such parameter.

    Examples
    --------
    >>> import math
    >>> from pidforest import StreamingPIDForest
    >>> forest = StreamingPIDForest()
    >>> for i in range(1000):
    ...     load = 50 + 20 * math.sin(i / 10)
    ...     event = {"load": load, "heat": 200 if i == 900 else 30 + load / 2}
    ...     score = forest.score_one(event)
    ...     if forest.is_anomaly_:
    ...         print(f"event {i}: {score:.1f} bits: {forest.explain_one(event)}")
    ...     forest.learn_one(event)
    event 900: 10.9 bits: heat = 200: beyond all 900 rows, which end below 65
    """

    _supervised = False  # asked by river's pipelines

    def __init__(
        self,
        *,
        horizon: int = 2048,
        warm_up: int = 256,
        window: int = 1,
        views: str = "lags,changes",
        recent: int = 512,
        time: str | None = None,
        season: bool = True,
        means: Iterable[int] = (),
        schema: Any = None,
        no_score: float = math.nan,
        random_state: Any = None,
        **options: Any,
    ) -> None:
        allowed = [PARAMETER_OF.get(name, name) for name in option_names()]
        for name in options:
            if name not in allowed:
                raise TypeError(f"StreamingPIDForest has no parameter {name!r}; options are {', '.join(allowed)}.")
        self.horizon = horizon
        self.warm_up = warm_up
        self.window = window
        self.views = views
        self.recent = recent
        self.time = time
        self.season = season
        self.means = tuple(int(span) for span in means)
        self.schema = schema
        self.no_score = no_score
        self.random_state = random_state
        self.options = options
        texts = {OPTION_OF.get(name, name): option_text(name, value) for name, value in options.items()}
        self._stream = _core.Stream({**texts, "seed": seed_of(random_state)}, horizon, warm_up, window, views, recent, time or "", season, self.means, schema_text(schema))
        self.is_anomaly_: bool | np.ndarray[Any, np.dtype[np.bool_]] = False

    def score_one(self, x: dict[str, Any]) -> float:
        """The bits of an event as if it came next: the higher, the rarer. Nothing is learned.

        Parameters
        ----------
        x : dict
            The event.

        Returns
        -------
        float
            ``no_score`` where there is none.

        Raises
        ------
        ValueError
            If the event has other columns than those before, or a value is not what its column holds.
        TypeError
            If a value is of a type that no column may have.
        """
        bits, self.is_anomaly_ = self._stream.score_one(event_of(x))
        return bits if bits == bits else self.no_score

    def learn_one(self, x: dict[str, Any]) -> None:
        """Learn an event; the oldest of the horizon is forgotten.

        Parameters and errors are those of `score_one`; after an error the forest is as it was.
        """
        self._stream.update_one(event_of(x))

    def update_one(self, x: dict[str, Any]) -> float:
        """Score an event and learn it: as `score_one` and `learn_one`, in one call.

        Parameters and errors are those of `score_one`, and so is what is returned.
        """
        bits, self.is_anomaly_ = self._stream.update_one(event_of(x))
        return bits if bits == bits else self.no_score

    def update(self, batch: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Score each event of a batch, then learn it before the next one is scored.

        Parameters
        ----------
        batch : array or data frame
            A table, as for `PIDForest`, whose rows are events in the order of time.

        Returns
        -------
        ndarray of shape (n_events,)
            The scores; ``no_score`` where there is none.

        Raises
        ------
        ValueError
            If the batch has other columns than the events before, or a value is not what its column holds.
        TypeError
            If the batch is no table, or has values of types that no column may have.

        Examples
        --------
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> X = rng.normal(size=(1000, 2))
        >>> X[900, 1] = 12.0
        >>> scores = StreamingPIDForest().update(X)
        >>> int(np.isnan(scores).sum()), int(np.nanargmax(scores))
        (256, 900)
        """
        frame = read(batch)
        rows, known = frame.rows, self._stream.columns
        if self._stream.n_learned == 0:
            self._stream.columns = rows.columns
        elif frame.names is None and frame.n_columns == len(known):
            rows = rows.renamed(known)
        elif frame.rows.columns != known:
            raise ValueError(other_columns(known, frame.rows.columns))
        bits, self.is_anomaly_ = self._stream.update(rows)
        return bits if math.isnan(self.no_score) else np.where(np.isnan(bits), self.no_score, bits)

    def learn_history(self, batch: Any) -> None:
        """Learn the past of the stream and end the warm-up, so that the next event is scored.

        Parameters and errors are those of `update`. A history of fewer than two rows is learned, but does not end the
        warm-up.

        Examples
        --------
        >>> import numpy as np
        >>> past = np.random.default_rng(0).normal(size=(100, 2))
        >>> stream = StreamingPIDForest()
        >>> stream.learn_history(past)
        >>> stream.n_to_warm_up_
        0
        """
        self.update(batch)
        self._stream.end_warm_up()

    def explain_one(self, x: dict[str, Any]) -> Witness:
        """Why an event is rare: a cube around it, and the number of events of the horizon inside now.

        Parameters
        ----------
        x : dict
            The event, as for `score_one`; it is scored as if it came next.

        Returns
        -------
        Witness

        Raises
        ------
        ValueError
            If there is no score, and so no reason.
        """
        return Witness(self._stream.explain_one(event_of(x)), 0)

    def model(self) -> PIDForest:
        """The forest over the horizon as a fitted `PIDForest`, which scores, explains, reports and saves.

        It has the trees, counts and threshold of now, and does not follow the stream from then on: it gives a row the
        score that the stream would give it next, or more where the second forest lowers that (``recent``). With
        ``window > 1`` its rows are windows, with the columns of ``schema_``, rises included. Its reasons count the rows of the horizon, unless the option ``reasons`` is off.

        Returns
        -------
        PIDForest
            Fitted, with the options of this forest.

        Raises
        ------
        ValueError
            If the forest is warming up.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.random.default_rng(0).normal(size=(1000, 2))
        >>> stream = StreamingPIDForest()
        >>> _ = stream.update(X)
        >>> forest = stream.model()
        >>> forest.predict([[0.1, -0.2], [0.3, 9.0]]).tolist()
        [1, -1]
        """
        return PIDForest._of_model(self._stream.model())

    def start_segment(self) -> None:
        """Start a new segment: no window holds events from before and after this call."""
        self._stream.start_segment()

    @property
    def threshold_(self) -> float | None:
        return self._stream.threshold

    @property
    def n_to_warm_up_(self) -> int:
        return self._stream.n_to_warm_up

    @property
    def n_learned_(self) -> int:
        return self._stream.n_learned

    @property
    def schema_(self) -> dict[str, Any] | None:
        text = self._stream.schema
        return None if text is None else json.loads(text)

    def clone(self, new_params: dict[str, Any] | None = None, include_attributes: bool = False) -> StreamingPIDForest:
        """A new forest with the same parameters, as river asks for one.

        Parameters
        ----------
        new_params : dict, optional
            Parameters that are to differ.
        include_attributes : bool
            Whether it has learned what this one has.

        Returns
        -------
        StreamingPIDForest
        """
        if include_attributes and not new_params:
            return copy.deepcopy(self)
        return type(self)(**{**self._get_params(), **(new_params or {})})

    def __copy__(self) -> StreamingPIDForest:
        return copy.deepcopy(self)  # what two copies learn must not mix

    def _get_params(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in ("horizon", "warm_up", "window", "views", "recent", "time", "season", "means", "schema", "no_score", "random_state")}
        return {**own, **self.options}

    def __repr__(self) -> str:
        lacking = self.n_to_warm_up_
        state = f"warming up, {lacking} rows still needed" if lacking else f"follows the last {min(self.n_learned_, self.horizon)} of {self.n_learned_} events"
        return f"<StreamingPIDForest: horizon {self.horizon}, window {self.window}; {state}>"
