# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Frauds among a shop's orders
# Orders have texts, amounts, times and holes. Nothing is encoded or scaled: what columns mean is said once, in a schema.
# Run it cell by cell in an editor, or as a whole: python examples/fraud.py

# %%
from pathlib import Path

import numpy as np
import pandas as pd

from pidforest import PIDForest

HERE = Path(__file__).parent
orders = pd.read_csv(HERE / "orders.csv", parse_dates=["placed_at"])
fraud = orders.pop("fraud") == 1  # what was planted; the forest does not see it
print(orders.head(3).to_string(), "\n")

# %% The schema leaves the order's number out, takes times by the hour of the shop's own clock and puts countries into continents.
forest = PIDForest(schema=HERE / "orders.schema.json").fit(orders)
for column in forest.schema_["columns"]:
    print(f"{column['name']:>12}: {column['kind']}")

# %% The threshold is automatic: it flags little, and what it flags should be worth a look.
flagged = forest.predict(orders) == -1
print(f"\n{flagged.sum()} orders have more than {-forest.offset_:.2f} bits; {(flagged & fraud).sum()} of them are frauds\n")

# %% Why? Each reason is a cube in the columns' own units, and how many orders are in it.
reasons = forest.explain(orders)
for reason in reasons.top(3):
    print(f"{orders['order_id'][reason.row]}: {reason.score:.1f} bits because {reason}")
    print(f"         it would be normal with {reason.normal_if()}")

# %% Anyone can check a count, here or in SQL.
rarest = reasons.top(1)[0]
print(f"\nSELECT COUNT(*) FROM orders WHERE {rarest.sql()}")
print(f"the same in Python: {forest.matches(orders, rarest).sum()} of {len(orders)}\n")

# %% How good is the ranking? A reviewer who reads from the top finds:
order = np.argsort(forest.score_samples(orders))
for n in (3, 30, 300):
    print(f"{fraud.to_numpy()[order[:n]].sum():2} of {fraud.sum()} frauds in the first {n} orders")
