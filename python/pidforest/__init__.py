# SPDX-License-Identifier: Apache-2.0
"""Anomaly detection by partial identification.

An anomaly is a row that a few attribute values set apart. `PIDForest` finds such rows in any table, and `explain` names
these values, with counts that anyone can check.

>>> import numpy as np
>>> from pidforest import PIDForest
>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(1000, 3))
>>> X[7, 1] = 9.0
>>> forest = PIDForest().fit(X)
>>> int(forest.score_samples(X).argmin())
7
"""

from ._core import version as __version__
from .changes import Changes, TimedIncident, TimedIncidents
from .estimator import PIDForest
from .exact import ExactScores, exact_pid_score
from .explanations import Explanation, Explanations, Incident, Incidents, Witness
from .series import Context, Shingles
from .stream import StreamingPIDForest

__all__ = [
    "Changes",
    "Context",
    "ExactScores",
    "Explanation",
    "Explanations",
    "Incident",
    "Incidents",
    "PIDForest",
    "Shingles",
    "StreamingPIDForest",
    "TimedIncident",
    "TimedIncidents",
    "Witness",
    "__version__",
    "exact_pid_score",
]
