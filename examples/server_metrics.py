# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Faults in the metrics of a fleet
# Twelve machines report every hour. Learn from the first week, keep the model, and judge the second week as it comes in.
# Run it cell by cell in an editor, or as a whole: python examples/server_metrics.py

# %%
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from pidforest import PIDForest

fleet = pd.read_csv(Path(__file__).parent / "fleet.csv")
fault = fleet.pop("fault").to_numpy() == 1  # what was planted; the forest does not see it
week = len(fleet) // 2
past, new = fleet[:week], fleet[week:].reset_index(drop=True)

# %% Types cannot say that an hour lies on a circle and that a machine's number is a name. Two entries do.
schema = PIDForest().fit(past).schema_
for column in schema["columns"]:
    if column["name"] == "hour":
        column.update(kind="cyclic", period=24, step=1)
    if column["name"] == "machine":
        column.update(kind="category")
forest = PIDForest(schema=schema, random_state=0).fit(past)

# %% A model file is read by the command line too: pidforest score fleet.pidf FILE
with tempfile.TemporaryDirectory() as folder:
    forest.save(Path(folder, "fleet.pidf"))
    forest = PIDForest.load(Path(folder, "fleet.pidf"))

# %% Score in batches, as they would come in: the cut into batches changes no score.
bits = np.concatenate([-forest.score_samples(new[i : i + 288]) for i in range(0, len(new), 288)])
alarms = np.flatnonzero(bits > -forest.offset_)
print(f"{len(alarms)} alarms in {len(new)} rows of the second week, {fault[week:][alarms].sum()} of them planted faults\n")

# %% What is wrong with them? The counts are among the rows of the first week.
reasons = forest.explain(new.loc[alarms], against=past)
for row, reason in sorted(zip(alarms, reasons), key=lambda pair: -pair[1].score):
    most = ", ".join(f"{name} {new[name][row]:g} (+{share:.1f} bits)" for name, share in list(reason.column_bits.items())[:2])
    print(f"machine {new['machine'][row]}, hour {new['hour'][row]}: {reason.score:.1f} bits from {most}")
    print(f"    {reason}; normal if {reason.normal_if()}")

# %% The ranking as a whole: a random fault lies above a random other row in this share of cases.
above = (bits[fault[week:]][:, None] > bits[~fault[week:]][None, :]).mean()
print(f"\narea under the curve: {above:.3f}")
