// SPDX-License-Identifier: Apache-2.0
#include "stream/walk.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "forest/route.h"
#include "model/state.h"
#include "random_table.h"

namespace pidforest::stream {
namespace {

/// A table without missing values, and a forest grown on it.
struct Walked {
  OwnedTable owned = any_table(200, false);
  Model model = owned.fit(any_options());
  forest::Rows rows = {};
  std::vector<std::ptrdiff_t> offsets = {};
  std::vector<WalkTree> trees = {};

  Walked() {
    rows.n = owned.n_rows();
    for (const std::size_t axis : model::state_of(model).axis_order) {
      rows.columns.push_back({owned.values.data() + axis, static_cast<std::ptrdiff_t>(owned.n_columns())});
      offsets.push_back(static_cast<std::ptrdiff_t>(axis));
    }
    for (const forest::Tree& tree : forest()) trees.emplace_back(tree, offsets);
  }
  [[nodiscard]] const std::vector<forest::Tree>& forest() const { return model::state_of(model).forest->trees; }
};

RC_GTEST_PROP(Walk, goes_where_a_row_goes_step_by_step, ()) {
  const Walked walked;
  std::vector<const WalkTree*> pointers;
  for (const WalkTree& tree : walked.trees) pointers.push_back(&tree);
  std::vector<std::uint32_t> ends(walked.trees.size());
  for (std::size_t row = 0; row < walked.rows.n; ++row) {
    walk(pointers, walked.owned.values.data() + row * walked.owned.n_columns(), ends);
    for (std::size_t t = 0; t < ends.size(); ++t)
      if (walked.trees[t].is_plain()) RC_ASSERT(ends[t] == forest::route_plain(walked.forest()[t], walked.rows, row));
  }
  for (std::size_t t = 0; t < walked.trees.size(); ++t) {
    if (!walked.trees[t].is_plain()) continue;
    std::vector<std::uint32_t> by_row(walked.rows.n);
    walk_rows(walked.trees[t], walked.owned.values.data(), walked.owned.n_columns(), by_row);
    for (std::size_t row = 0; row < by_row.size(); ++row)
      RC_ASSERT(by_row[row] == forest::route_plain(walked.forest()[t], walked.rows, row));
  }
}

TEST(walk, trees_of_numbers_by_sampled_cuts_are_plain) {
  std::vector<double> values(600);
  std::iota(values.begin(), values.end(), 0);
  for (double& value : values) value *= value;
  const Model model = Model::fit(Table::row_major(values, 2));
  const std::vector<std::ptrdiff_t> offsets{0, 1};
  for (const forest::Tree& tree : model::state_of(model).forest->trees) EXPECT_TRUE(WalkTree(tree, offsets).is_plain());
}

}  // namespace
}  // namespace pidforest::stream
