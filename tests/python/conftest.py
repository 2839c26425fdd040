# SPDX-License-Identifier: Apache-2.0
"""What must be so before any test is read."""

import os

os.environ["SCIPY_ARRAY_API"] = "1"  # scipy reads it when it is imported; without it scikit-learn skips a check
