# SPDX-License-Identifier: Apache-2.0
"""Lets the comparison import the modules of the other benchmarks."""

import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1]
sys.path += [str(BENCHMARKS), *(str(BENCHMARKS / name) for name in ("paper", "accuracy", "speed", "mixed"))]
