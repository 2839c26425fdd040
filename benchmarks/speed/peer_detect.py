# SPDX-License-Identifier: Apache-2.0
"""The usual script: reads a CSV file with pandas, fits and scores an Isolation Forest, and prints the rarest rows.

    .venv/bin/python benchmarks/speed/peer_detect.py FILE
"""

import sys

import pandas
from sklearn.ensemble import IsolationForest

frame = pandas.read_csv(sys.argv[1])
model = IsolationForest(n_estimators=100, max_samples=256, random_state=0).fit(frame)
frame["score"] = -model.score_samples(frame)
print(frame.nlargest(10, "score"))
