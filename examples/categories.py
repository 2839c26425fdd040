# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Rare combinations of common values
# Elephants are common and so are white animals. A white elephant is not, though no single column can tell.
# Run it cell by cell in an editor, or as a whole: python examples/categories.py

# %% A zoo without white elephants, among columns that say nothing.
import numpy as np
import pandas as pd

from pidforest import PIDForest, exact_pid_score

COLOURS = {"elephant": ["grey", "brown"], "bear": ["white", "brown"], "swan": ["white", "black"], "horse": ["white", "brown", "black"]}
rng = np.random.default_rng(2019)
n_rows = 5000
species = rng.choice(list(COLOURS), n_rows, p=[0.4, 0.3, 0.2, 0.1])
zoo = pd.DataFrame({"species": species, "colour": [rng.choice(COLOURS[name]) for name in species]})
for i in range(6):
    zoo[f"noise_{i}"] = rng.choice(["a", "b", "c"], n_rows)
white_elephants = rng.choice(n_rows, 5, replace=False)
zoo.loc[white_elephants, ["species", "colour"]] = ["elephant", "white"]
print(zoo.groupby(["species", "colour"]).size().unstack(fill_value=0), "\n")

# %% Texts become categories. If only a few trees find a row rare, it stands out only if these trees decide its score.
forest = PIDForest(aggregate="top", max_samples=1024).fit(zoo)
bits = -forest.score_samples(zoo)
top = np.argsort(-bits)[:5]
print(f"planted: {sorted(white_elephants.tolist())}\nthe 5 rarest: {sorted(top.tolist())}\n")

# %% The reason names the two columns and leaves the noise out.
print(forest.explain(zoo)[int(top[0])], "\n")

# %% Levels have an order where their type says so: a run of sizes can then be set apart as one thing.
zoo["size"] = pd.Categorical(rng.choice(["S", "M", "L"], n_rows), categories=["XS", "S", "M", "L"], ordered=True)
found = {column["name"]: column for column in PIDForest().fit(zoo).schema_["columns"]}
print(f"species: {found['species']['kind']} of {found['species']['levels']}")
print(f"size: {found['size']['kind']} of {found['size']['levels']}\n")

# %% In a small table the sparsest of all cubes can be found by definition. Compare the cube of the forest with it.
small = zoo.loc[np.r_[white_elephants[:1], 0:300], ["species", "colour"]]
exact = exact_pid_score(small, rows=[0])
print(f"exactly: {exact.cubes[0]}")
