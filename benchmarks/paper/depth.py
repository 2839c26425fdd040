# SPDX-License-Identifier: Apache-2.0
"""The paper's ablation: the same trees, scored by the depth at which a row ends instead of the sparsity of its cube.

The library does not offer this, because users have no reason to want it. The trees are read from the model file instead
(docs/file_format.md), by the reader of the tests.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from algorithms import Algorithm, Scored, forest_of, timed

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden" / "model"))
from read_pidf import read  # noqa: E402


def trees_of(forest) -> list[dict[str, np.ndarray]]:
    """Return the nodes and cuts of each tree as arrays."""
    with tempfile.TemporaryDirectory() as folder:
        forest.save(Path(folder, "forest.pidf"))
        model = read(Path(folder, "forest.pidf").read_bytes())
    assert not any(model["node.kind"]), "all columns must be numbers"
    source = np.array(model["axis.source"])
    names = ("first_child", "first_cut", "n_cuts", "axis")
    nodes = {name: np.split(np.array(model[f"node.{name}"]), np.cumsum(model["tree.n_nodes"])[:-1]) for name in names}
    cuts = np.split(np.array(model["cut"]), np.cumsum(model["tree.n_cuts"])[:-1])
    trees = [{name: nodes[name][t] for name in names} | {"cut": cut} for t, cut in enumerate(cuts)]
    return [tree | {"axis": source[tree["axis"]]} for tree in trees]


def depths(tree: dict[str, np.ndarray], rows: np.ndarray) -> np.ndarray:
    """Return the depth of the leaf of each row; the root has depth 0."""
    found = np.zeros(len(rows), int)
    open_nodes = [(0, np.arange(len(rows)), 0)]
    while open_nodes:
        node, inside, depth = open_nodes.pop()
        first_child, first_cut, n_cuts = (tree[name][node] for name in ("first_child", "first_cut", "n_cuts"))
        if first_child == 0:
            found[inside] = depth
            continue
        reached = np.searchsorted(
            tree["cut"][first_cut : first_cut + n_cuts], rows[inside, tree["axis"][node]], "right"
        )
        open_nodes += [(first_child + child, inside[reached == child], depth + 1) for child in range(n_cuts + 1)]
    return found


def run_depth(rows: np.ndarray, seed: int, preset: str, **options: Any) -> Scored:
    """Score rows by depth: nearer to the root is rarer. Aggregated over the trees as the preset does with sparsity."""
    forest, fit_seconds = timed(lambda: forest_of(preset, seed, **options).fit(rows))
    scores, score_seconds = timed(lambda: -np.array([depths(tree, rows) for tree in trees_of(forest)]))
    if forest.aggregate == "quantile":
        return Scored(np.quantile(scores, forest.quantile, axis=0), fit_seconds, score_seconds)
    return Scored(scores.mean(axis=0), fit_seconds, score_seconds)


def depth_of(preset: str) -> Algorithm:
    return Algorithm(run_depth, "pidforest", {"preset": preset})
