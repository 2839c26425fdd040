# SPDX-License-Identifier: Apache-2.0
"""The paper's generated data. A seed gives the same data on every machine."""

from typing import NamedTuple

import numpy as np

MASKING_ROWS, MASKING_OUTLIERS, MASKING_COLUMNS = 1000, 30, 10
MIXTURE_ROWS, MIXTURE_RARE = 1000, 100
PERIOD, POINTS, STRETCHES, STRETCH, SHINGLE = 40, 2000, 10, 20, 10


class Labelled(NamedTuple):
    rows: np.ndarray
    labels: np.ndarray  # 1 is an anomaly
    places: np.ndarray | None = None  # for a series: where the flat stretches begin


def masking(seed: int) -> Labelled:
    """Random corners of a cube, and a cluster of rows at its centre that is large enough for masking."""
    random = np.random.RandomState(seed)
    rows = random.choice((-1.0, 1.0), (MASKING_ROWS, MASKING_COLUMNS))
    hidden = random.choice(MASKING_ROWS, MASKING_OUTLIERS, replace=False)
    rows[hidden] = 0
    labels = np.zeros(MASKING_ROWS, int)
    labels[hidden] = 1
    return Labelled(rows, labels)


def gaussian(random: np.random.RandomState, mean: float, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return n points around (mean, mean) with variances 1 and 2 along random axes, and the inverse of their
    covariance."""
    angle = random.uniform(0, np.pi)
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    points = mean + random.standard_normal((n, 2)) * np.sqrt([1, 2]) @ axes.T
    return points, axes @ np.diag([1, 0.5]) @ axes.T


def mixture(noise: float, n_noisy: int, seed: int) -> Labelled:
    """Two Gaussians in the plane, plus columns of uniform noise. The anomalies are the points of lowest likelihood."""
    random = np.random.RandomState(seed)
    means = (0.0, 4.0)
    drawn = [gaussian(random, mean, MIXTURE_ROWS // 2) for mean in means]
    points = np.concatenate([one for one, _ in drawn])
    likelihood = np.zeros(MIXTURE_ROWS)
    for mean, (_, precision) in zip(means, drawn):
        away = points - mean
        likelihood += np.exp(-0.5 * np.einsum("ij,jk,ik->i", away, precision, away))
    labels = np.zeros(MIXTURE_ROWS, int)
    labels[np.argsort(likelihood)[:MIXTURE_RARE]] = 1
    return Labelled(np.hstack([points, random.uniform(-noise, noise, (MIXTURE_ROWS, n_noisy))]), labels)


def sine(seed: int) -> Labelled:
    """Windows of a noisy sine with ten flat stretches, which may overlap, as in the authors' notebook. A window that
    touches one of them is an anomaly."""
    random = np.random.RandomState(seed)
    series = np.sin(2 * np.pi * np.arange(POINTS) / PERIOD) + random.normal(0, 0.05, POINTS)
    places = random.randint(0, POINTS - STRETCH - 1, STRETCHES)
    is_flat = np.zeros(POINTS, bool)
    for place in places:
        series[place : place + STRETCH] = series[place]
        is_flat[place : place + STRETCH] = True
    series += random.normal(0, 0.01, POINTS)
    windows = np.lib.stride_tricks.sliding_window_view
    labels = windows(is_flat, SHINGLE).any(axis=1).astype(int)
    return Labelled(windows(series, SHINGLE).copy(), labels, places)
