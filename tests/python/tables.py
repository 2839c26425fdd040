# SPDX-License-Identifier: Apache-2.0
"""Tables that several tests use."""

import os
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(os.environ.get("PIDFOREST_BINARY", ROOT / "build" / "pidforest"))


def numbers(n_rows=2000, n_columns=4, seed=0):
    """Return Gaussian columns; row 7 is far away in column 1."""
    X = np.random.default_rng(seed).normal(size=(n_rows, n_columns)).round(3)
    X[7, 1] = 9.0
    return X


def orders(n_rows=2000, seed=0):
    """Return a frame with a column of each type and some missing values; row 11 has a unique country."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "amount": rng.lognormal(size=n_rows).round(2),
            "country": rng.choice(["DE", "FR", "BR"], n_rows, p=[0.6, 0.3, 0.1]),
            "gift": rng.random(n_rows) < 0.1,
            "placed_at": pd.date_range("2026-01-01", periods=n_rows, freq="37min", tz="UTC").as_unit("us"),
            "items": rng.integers(1, 9, n_rows),
        }
    )
    frame.loc[11, "country"] = "AQ"
    frame.loc[5, "country"] = None
    frame.loc[9, "amount"] = np.nan
    return frame
