// SPDX-License-Identifier: Apache-2.0
#include "forest/route.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "each_target.h"
#include "forest/axis_choice.h"
#include "forest/sample.h"
#include "geometry/ordered_axis.h"
#include "model/state.h"
#include "random_table.h"
#include "schema/encoded_table.h"

namespace pidforest::forest {
namespace {

Rows rows_of(const Model& model, const Table& encoded) {
  Rows rows{.n = encoded.n_rows(), .columns = {}};
  for (const std::size_t axis : model::state_of(model).axis_order)
    rows.columns.push_back({encoded.columns()[axis].first, encoded.columns()[axis].stride});
  return rows;
}

/// Checks that the block of rows from `begin` on is routed as `route_plain` routes single rows.
void check_block(const Model& model, const Rows& rows, std::size_t begin) {
  const Forest& forest = *model::state_of(model).forest;
  const CodeBook& book = *model::state_of(model).book;
  RowBlock block(book, forest);
  block.load(rows, begin);
  std::vector<BlockSet> reached;
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
    const CodedTree coded(forest, book, tree);
    route(coded, block, reached);
    std::vector<double> numbers(coded.tree.nodes.size());
    for (std::size_t v = 0; v < numbers.size(); ++v) numbers[v] = static_cast<double>(v);
    std::array<double, block_rows> ends{};
    add_values(coded, reached, numbers, block.has_missing(), ends);
    for (std::size_t i = 0; i < block.n_rows(); ++i) RC_ASSERT(ends[i] == route_plain(coded.tree, rows, begin + i));
  }
}

RC_GTEST_PROP(Route, sends_a_block_of_rows_where_each_row_goes_by_itself, ()) {
  const OwnedTable fitted = any_table(800);
  const Model model = fitted.fit(any_options());
  // Other rows of the same columns, some beyond the fitted range and some missing.
  OwnedTable other = fitted;
  for (std::size_t i = 0; i < other.values.size(); ++i) {
    const ColumnSort sort = other.sorts[i % other.n_columns()];
    const double x = other.values[i];
    const double beyond = is_number(sort) ? std::numeric_limits<double>::infinity() : x;
    other.values[i] = *rc::gen::element(x, other_value(sort, x), std::numeric_limits<double>::quiet_NaN(), beyond);
  }
  for (const OwnedTable* table : {&fitted, static_cast<const OwnedTable*>(&other)}) {
    const schema::EncodedTable encoded(model::state_of(model).encoder, table->table(), {});
    const Rows rows = rows_of(model, encoded.table());
    const std::size_t begin = rows.n > block_rows ? block_rows : 0;
    for_each_target([&] { check_block(model, rows, begin); });
  }
}

TEST(Route, copes_with_trees_of_more_leaves_than_a_byte_can_number) {
  const OwnedTable owned = random_table({ColumnSort::normal, ColumnSort::even}, 3000, 1);
  Options options = preset("paper");
  options.n_estimators = 2;
  options.max_samples = 2000;
  options.max_depth = 40;
  const Model model = Model::fit(owned.table(), options);
  EXPECT_GT(model::state_of(model).forest->trees[0].nodes.size(), 600U);
  const Rows rows = rows_of(model, owned.table());
  for (std::size_t begin = 0; begin < rows.n; begin += block_rows) check_block(model, rows, begin);
}

TEST(Route, looks_up_levels_row_by_row_where_there_are_many) {
  std::mt19937_64 random(5);
  OwnedTable owned{{ColumnSort::category, ColumnSort::category}, {}};
  for (int i = 0; i < 3000; ++i)
    for (const std::uint64_t n : {40U, 3U}) owned.values.push_back(static_cast<double>(random() % n * (random() % n)));
  const Model model = owned.fit({.n_estimators = 20});
  EXPECT_GT(model::state_of(model).book->axis(0).n_codes, few_codes);
  EXPECT_LT(model::state_of(model).book->axis(1).n_codes, few_codes);
  const schema::EncodedTable encoded(model::state_of(model).encoder, owned.table(), {});
  const Rows rows = rows_of(model, encoded.table());
  for_each_target([&] {
    for (std::size_t begin = 0; begin < rows.n; begin += block_rows) check_block(model, rows, begin);
  });
}

RC_GTEST_PROP(Sample, has_the_same_values_whether_rows_are_copied_whole_or_by_column, ()) {
  const OwnedTable owned = any_table(100);
  std::vector<std::size_t> chosen(owned.n_rows());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  Rows whole{.n = owned.n_rows(), .columns = {}};
  for (std::size_t j = 0; j < owned.n_columns(); ++j)
    whole.columns.push_back({owned.values.data() + j, static_cast<std::ptrdiff_t>(owned.n_columns())});
  const CopiedRows by_column(whole, chosen);
  const forest::Sample expected(by_column.rows(), chosen);
  for_each_target([&] {
    const forest::Sample sample(whole, chosen);
    RC_ASSERT(sample.has_missing() == expected.has_missing());
    for (std::size_t row = 0; row < chosen.size(); ++row)
      for (std::size_t axis = 0; axis < sample.n_axes(); ++axis) {
        const double x = whole.columns[axis][row];
        RC_ASSERT((std::isnan(x) ? std::isnan(sample.value(row, axis)) : sample.value(row, axis) == x));
        RC_ASSERT(std::signbit(sample.value(row, axis)) == std::signbit(expected.value(row, axis)));
      }
  });
}

RC_GTEST_PROP(Sample, cuts_axes_alike_with_every_instruction_set, ()) {
  const OwnedTable owned = any_table(100);
  Rows all{.n = owned.n_rows(), .columns = {}};
  for (std::size_t j = 0; j < owned.n_columns(); ++j)
    all.columns.push_back({owned.values.data() + j, static_cast<std::ptrdiff_t>(owned.n_columns())});
  std::vector<std::size_t> chosen;
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < owned.n_rows(); ++i) {
    chosen.push_back(i);
    if (i % 3 != 1) rows.push_back(static_cast<std::uint32_t>(i));
  }
  const forest::Sample sample(all, chosen);
  std::vector<std::uint32_t> axes(sample.n_axes());
  std::iota(axes.begin(), axes.end(), 0U);
  const std::vector<LaneGroup> groups = lane_groups(axes);
  for_each_target([&] {
    SampleCuts found(sample);
    for (const double share : {0.25, 0.75}) {  // the second time with the ranges of the first
      std::ranges::fill(found.shares, share);
      cut_groups(sample, rows, groups, share > 0.5, found);
      for (std::size_t axis = 0; axis < sample.n_axes(); ++axis) {
        geometry::ValueRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                                   0};
        double expected_below = 0;
        for (const std::uint32_t row : rows) {
          const double x = sample.value(row, axis);
          if (std::isnan(x)) continue;
          ++range.present;
          range.least = std::min(range.least, x);
          range.largest = std::max(range.largest, x);
          expected_below += x < found.cuts[axis] ? 1 : 0;
        }
        RC_ASSERT(found.ranges.least[axis] == range.least);
        RC_ASSERT(found.ranges.largest[axis] == range.largest);
        RC_ASSERT(found.ranges.present[axis] == static_cast<double>(range.present));
        if (range.can_be_cut()) RC_ASSERT(found.cuts[axis] == geometry::sampled_cut(range, share));
        RC_ASSERT(found.below[axis] == expected_below);
      }
    }
  });
}

/// Ranges, cuts and counts of 24 axes, among them axes with one value, with the longest range, and without a value.
struct DrawnCuts {
  AxisRanges ranges;
  std::vector<double> shares = {};
  std::vector<double> below = {};

  DrawnCuts() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 24; ++axis) {
      const int kind = *rc::gen::inRange(0, 8);
      const double low = *rc::gen::inRange(-3, 3);
      const double high = low + *rc::gen::inRange(0, 50) / 8.0;
      const int present = kind == 1 ? 0 : *rc::gen::inRange(1, 60);
      ranges.least.push_back(kind == 0 ? -1.5e308 : kind == 1 ? infinity : low);
      ranges.largest.push_back(kind == 0 ? 1.5e308 : kind == 1 ? -infinity : present == 1 ? low : high);
      ranges.present.push_back(present);
      shares.push_back(*rc::gen::inRange(0, 100) / 100.0);
      below.push_back(present < 2 ? 0 : *rc::gen::inRange(1, present));
    }
  }
  [[nodiscard]] geometry::ValueRange range(std::size_t axis) const {
    return {ranges.least[axis], ranges.largest[axis], static_cast<std::size_t>(ranges.present[axis])};
  }
};

RC_GTEST_PROP(Sample, places_cuts_and_drops_even_ones_with_every_instruction_set, ()) {
  const DrawnCuts drawn;
  const geometry::Gate gate(*rc::gen::inRange(0, 20));
  std::vector<std::uint32_t> axes;
  for (std::uint32_t axis = 0; axis < 24; ++axis)
    if (*rc::gen::inRange(0, 3) > 0) axes.push_back(axis);
  for_each_target([&] {
    std::vector<LaneGroup> groups = lane_groups(axes);
    std::vector<double> cuts(24);
    place_cuts(drawn.ranges, groups, drawn.shares, cuts);
    drop_even(drawn.ranges, cuts, drawn.below, gate.one, groups);
    for (const std::uint32_t axis : axes) {
      const geometry::ValueRange range = drawn.range(axis);
      if (range.can_be_cut()) RC_ASSERT(cuts[axis] == geometry::sampled_cut(range, drawn.shares[axis]));
      const auto below = static_cast<std::size_t>(drawn.below[axis]);
      const double gain = geometry::offer_of_cut(range, 0, cuts[axis], below, gate).gain;
      const auto own = std::ranges::find(groups, axis / 8 * 8, &LaneGroup::first);
      if (gain > 0) RC_ASSERT((own->axes >> (axis % 8) & 1U) == 1U);
    }
  });
}

RC_GTEST_PROP(Sample, bounds_the_keys_of_cuts_with_every_instruction_set, ()) {
  const DrawnCuts drawn;
  const double power = *rc::gen::element(0.0, 0.5, 1.0, 2.0);
  const AxisChoice choice(power);
  std::vector<std::uint32_t> axes(24);
  std::iota(axes.begin(), axes.end(), 0U);
  std::vector<double> uniforms;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) uniforms.push_back(*rc::gen::inRange(1, 1000) / 1000.0);
  const double zero = 0;
  const Rows row{1, std::vector<StridedColumn>(axes.size(), {&zero, 1})};
  SampleCuts cuts(Sample(row, std::vector<std::size_t>{0}));
  cuts.ranges = drawn.ranges;
  cuts.below = drawn.below;
  for_each_target([&] {
    const std::vector<LaneGroup> groups = lane_groups(axes);
    std::vector<double> bounds(axes.size());
    place_cuts(cuts.ranges, groups, drawn.shares, cuts.cuts);
    bound_keys(cuts, groups, uniforms, power, bounds);
    for (const std::uint32_t axis : axes) {
      const auto below = static_cast<std::size_t>(cuts.below[axis]);
      const double gain = geometry::offer_of_cut(drawn.range(axis), 0, cuts.cuts[axis], below, geometry::Gate(0)).gain;
      if (gain > 0) RC_ASSERT(bounds[axis] >= choice.key(gain, uniforms[axis]));
    }
  });
}

}  // namespace
}  // namespace pidforest::forest
