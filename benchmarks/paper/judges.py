# SPDX-License-Identifier: Apache-2.0
"""How good scores are, by the same measure for us and the rivals."""

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from synthetic import MIXTURE_RARE, STRETCHES, Labelled

# False positive rates at which ROC curves are stored; denser on the left, where good detectors differ.
FALSE_POSITIVE_RATES = np.concatenate([[0, 0.001, 0.002, 0.005], np.linspace(0.01, 1, 100)])
REPORTED_SHARES = np.arange(0.005, 0.0651, 0.005)  # shares of the windows of a series
MASKING_TOP = 50


def top(scores: np.ndarray, n: int) -> np.ndarray:
    """Return the rows with the n highest scores; among equal scores the first ones."""
    return np.argsort(-scores, kind="stable")[:n]


def ranking(data: Labelled, scores: np.ndarray) -> dict:
    false, true, _ = roc_curve(data.labels, scores)
    last = np.append(np.diff(false) > 0, True)  # the highest true positive rate of each false positive rate
    curve = np.interp(FALSE_POSITIVE_RATES, false[last], true[last])
    return {
        "auc": roc_auc_score(data.labels, scores),
        "precision": average_precision_score(data.labels, scores),
        "roc": [round(float(rate), 4) for rate in curve],
    }


def found_in_top(n: int):
    """Return the share of the anomalies that are among the n highest scores."""

    def judge(data: Labelled, scores: np.ndarray) -> dict:
        return {"found": data.labels[top(scores, n)].sum() / data.labels.sum()}

    return judge


masked = found_in_top(MASKING_TOP)
rarest = found_in_top(MIXTURE_RARE)


def stretches(data: Labelled, scores: np.ndarray) -> dict:
    """Judge the ranking of windows. As in the authors' notebook, also count, for several shares of reported windows,
    how many reported windows are near a stretch and how many stretches are near a reported window."""
    near = (data.places >= np.arange(len(scores))[:, None] - 30) & (data.places <= np.arange(len(scores))[:, None] + 19)
    reported = [near[top(scores, int(share * len(scores)))] for share in REPORTED_SHARES]
    return ranking(data, scores) | {
        "reported_precision": [float(one.any(axis=1).mean()) for one in reported],
        "reported_recall": [int(one.any(axis=0).sum()) / STRETCHES for one in reported],
    }
