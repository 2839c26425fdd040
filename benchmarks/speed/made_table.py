# SPDX-License-Identifier: Apache-2.0
"""The made table that the detectors are timed on."""

import numpy as np

SEED = 2019


def synthetic(n, d):
    """Half of the columns standard normal, half log-normal."""
    rows = np.random.default_rng(SEED).standard_normal((n, d))
    rows[:, d // 2 :] = np.exp(rows[:, d // 2 :])
    return rows
