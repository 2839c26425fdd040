// SPDX-License-Identifier: Apache-2.0
#include "stream/widen.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "model/state.h"
#include "random_table.h"
#include "reasons/node_parts.h"

namespace pidforest::stream {
namespace {

RC_GTEST_PROP(Widen, a_cube_has_the_volume_that_its_conditions_say, ()) {
  OwnedTable owned = any_table(200);
  owned.sorts.push_back(ColumnSort::even);  // at least one axis is a line
  OwnedTable with_line{.sorts = owned.sorts, .values = {}};
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < owned.values.size(); ++i) {
    with_line.values.push_back(owned.values[i]);
    if ((i + 1) % (owned.n_columns() - 1) == 0) with_line.values.push_back(draw_value(ColumnSort::even, random));
  }
  const Model model = with_line.fit(any_options());
  const auto& axis_order = model::state_of(model).axis_order;
  const auto found = std::ranges::find(axis_order, model::state_of(model).encoder.axes().size() - 1);
  RC_PRE(found != axis_order.end());
  const auto axis = static_cast<std::size_t>(found - axis_order.begin());
  for (forest::Tree tree : model::state_of(model).forest->trees) {
    std::vector<geometry::Interval> root = model::state_of(model).forest->root;
    RC_PRE(root[axis].low < root[axis].high);
    widen(tree, root, axis, root[axis].low - *rc::gen::element(0, 1, 1000),
          root[axis].high + *rc::gen::element(0, 1, 1000));
    double leaves = 0;
    const std::vector<geometry::Parts> parts = reasons::node_parts(tree);
    for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
      if (tree.nodes[v].is_leaf()) leaves += std::exp2(tree.log2_volumes[v]);
      if (tree.nodes[v].is_leaf() && std::ranges::all_of(parts[v], [&](const auto& part) { return part.axis == axis; }))
        RC_ASSERT(std::abs(tree.log2_volumes[v] - geometry::log2_volume(parts[v], root)) < 1e-6);
    }
    RC_ASSERT(std::abs(leaves - 1) < 1e-6);
  }
}

}  // namespace
}  // namespace pidforest::stream
