# SPDX-License-Identifier: Apache-2.0
"""Settings that must be in place before any test is imported."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracle  # noqa: E402, F401

os.environ["MPLBACKEND"] = "Agg"  # pictures without a screen
os.environ["SCIPY_ARRAY_API"] = "1"  # scipy reads it on import; without it scikit-learn skips a check
