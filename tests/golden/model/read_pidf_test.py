# SPDX-License-Identifier: Apache-2.0
"""docs/file_format.md suffices to read a model file and to find the node at which a row ends.

    python3 tests/golden/model/read_pidf_test.py
"""

import json
import unittest
from pathlib import Path

from read_pidf import crc32c, end_of_row, read, summary

HERE = Path(__file__).resolve().parent


class ReadPidf(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.model = read((HERE / "v1_0.pidf").read_bytes())

    def test_the_checksum_has_its_known_value(self):
        self.assertEqual(crc32c(b"123456789"), 0xE3069283)

    def test_the_summary_is_the_recorded_one(self):
        self.assertEqual(summary(self.model), (HERE / "v1_0.summary").read_text())

    def test_a_model_of_a_stream_has_a_root_cube_per_tree(self):
        model = read((HERE / "v1_1.pidf").read_bytes())
        self.assertEqual(summary(model), (HERE / "v1_1.summary").read_text())
        n_trees = len(model["tree.n_nodes"])
        for name in ["axis.low", "axis.high", "axis.missing"]:
            self.assertEqual(len(model[name]), n_trees * len(model["axis.source"]))
        self.assertEqual(len(model["tree.median"]), n_trees)

    def test_a_model_of_windows_knows_how_they_were_made(self):
        model = read((HERE / "v1_4.pidf").read_bytes())
        self.assertEqual(summary(model), (HERE / "v1_4.summary").read_text())
        schema = json.loads(model["schema"]) if isinstance(model["schema"], (bytes, str)) else model["schema"]
        self.assertEqual(schema["windows"]["window"], 3)
        self.assertEqual([len(usual) for usual in schema["windows"]["usual"]], [48, 48])

    def test_a_profile_has_all_rows_of_its_sample_on_each_axis(self):
        model = read((HERE / "v1_5.pidf").read_bytes())
        self.assertEqual(summary(model), (HERE / "v1_5.summary").read_text())
        end = 0
        for n_missing, n_bins in zip(model["profile.missing"], model["profile.bins"]):
            end += n_bins
            self.assertEqual(n_missing + sum(model["profile.count"][end - n_bins : end]), model["profile.rows"][0])
        self.assertEqual(end, len(model["profile.count"]))

    def test_a_model_of_a_stream_may_have_bits_off_a_constant(self):
        model = read((HERE / "v1_3.pidf").read_bytes())
        self.assertEqual(summary(model), (HERE / "v1_3.summary").read_text())
        self.assertEqual(len(model["axis.bits_off"]), len(model["axis.low"]))
        finite = [i for i, bits in enumerate(model["axis.bits_off"]) if bits != float("inf")]
        self.assertTrue(finite and all(model["axis.low"][i] == model["axis.high"][i] for i in finite))

    def test_a_model_with_reasons_has_a_cube_for_each_leaf(self):
        model = read((HERE / "v1_2.pidf").read_bytes())
        self.assertEqual(summary(model), (HERE / "v1_2.summary").read_text())
        self.assertEqual(len(model["leaf.cube"]), sum(child == 0 for child in model["node.first_child"]))
        self.assertLess(max(model["leaf.cube"]), len(model["cube.count"]))
        self.assertEqual(model["cube.count"][0], model["node.count"][0])
        for parent, count in zip(model["cube.parent"], model["cube.count"]):
            self.assertLessEqual(count, model["cube.count"][parent])

    def test_every_row_ends_at_a_node_and_a_leaf_unless_a_value_is_missing(self):
        base = 0
        for tree, n_nodes in enumerate(self.model["tree.n_nodes"]):
            self.assertLess(end_of_row(self.model, tree, lambda axis: None), n_nodes)
            for x in [-1, 0, 1.5, 20]:
                node = end_of_row(self.model, tree, lambda axis: x)
                self.assertEqual(self.model["node.first_child"][base + node], 0)
            base += n_nodes

    def test_counts_add_up_down_every_tree(self):
        base = 0
        for n_nodes in self.model["tree.n_nodes"]:
            for node in range(base, base + n_nodes):
                first = self.model["node.first_child"][node]
                n = self.model["node.n_values"][node] + self.model["node.has_missing"][node]
                if first:
                    children = self.model["node.count"][base + first : base + first + n]
                    self.assertEqual(sum(children), self.model["node.count"][node])
            base += n_nodes


if __name__ == "__main__":
    unittest.main()
