# SPDX-License-Identifier: Apache-2.0
"""Settings that must be in place before any test is imported."""

import os

os.environ["SCIPY_ARRAY_API"] = "1"  # scipy reads it on import; without it scikit-learn skips a check
