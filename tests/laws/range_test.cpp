// SPDX-License-Identifier: Apache-2.0
// The law of values beyond the fitted range, in columns that reach up to the largest doubles, too.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "random_table.h"

namespace pidforest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();

/// The largest absolute value of a column; at least 1.
double reach_of(OwnedTable& owned, std::size_t column) {
  double reach = 1;
  for (std::size_t row = 0; row < owned.n_rows(); ++row)
    if (!std::isnan(owned.at(row, column))) reach = std::max(reach, std::abs(owned.at(row, column)));
  return reach;
}

/// Scales the column so that its values reach up to `reach`.
void scale(OwnedTable& owned, std::size_t column, double reach) {
  const double before = reach_of(owned, column);
  for (std::size_t row = 0; row < owned.n_rows(); ++row) owned.at(row, column) = owned.at(row, column) / before * reach;
}

/// Rows that differ in one column only: its values move away from the range, up to infinity.
OwnedTable moving_away(OwnedTable& owned, std::size_t column, double sign) {
  const double reach = reach_of(owned, column);
  std::vector<double> places{reach, largest, infinity};
  for (const double factor : {1 + 1e-9, 1.5, 3.0, 1e3, 1e30, 1e300})
    places.push_back(std::min(reach * factor, largest));
  std::ranges::sort(places);
  OwnedTable rows{owned.sorts, {}};
  for (const double place : places)
    for (std::size_t j = 0; j < owned.n_columns(); ++j)
      rows.values.push_back(j == column ? sign * place : owned.at(0, j));
  return rows;
}

// Law 15
RC_GTEST_PROP(Law15, scores_are_finite_and_do_not_fall_beyond_the_range, ()) {
  OwnedTable owned = any_numbers(300);
  for (std::size_t j = 0; j < owned.n_columns(); ++j) scale(owned, j, *rc::gen::element(1.0, 1e30, 1e300, largest));
  const std::size_t column = *rc::gen::inRange<std::size_t>(0, owned.n_columns());
  if (*rc::gen::arbitrary<bool>()) owned.at(owned.n_rows() - 1, column) = -largest;
  if (*rc::gen::arbitrary<bool>()) owned.at(owned.n_rows() / 2, column) = largest;
  const Model model = owned.fit(any_options());
  const OwnedTable rows = moving_away(owned, column, *rc::gen::element(-1.0, 1.0));
  const std::vector<double> scores = model.score(rows.table());
  for (const double score : scores) RC_ASSERT(std::isfinite(score));
  for (std::size_t i = 1; i < scores.size(); ++i) RC_ASSERT(scores[i] >= scores[i - 1] - 1e-9);
  for (const double bits : model.column_bits(rows.table())) RC_ASSERT(std::isfinite(bits));
}

RC_GTEST_PROP(Law15, a_stream_of_any_finite_numbers_has_finite_scores, ()) {
  OwnedTable owned = any_numbers(300);
  RC_PRE(owned.n_rows() > 20);
  for (std::size_t j = 0; j < owned.n_columns(); ++j) scale(owned, j, *rc::gen::element(1.0, 1e30, 1e300, largest));
  for (std::size_t i = 0; i < 4; ++i)
    owned.values[*rc::gen::inRange<std::size_t>(0, owned.values.size())] = *rc::gen::element(-largest, largest, 0.0);
  StreamOptions options{.forest = any_options(), .horizon = 60, .warm_up = 10};
  options.forest.count_rows = Options::all_rows;
  options.window = *rc::gen::inRange<std::size_t>(1, 4);
  Stream stream(options, owned.schema());
  for (const EventScore& scored : stream.update(owned.table())) RC_ASSERT(!std::isinf(scored.bits));
  RC_ASSERT(stream.n_to_warm_up() > 0 || std::isfinite(stream.find_last({}).bits));
  RC_ASSERT(Stream::from_bytes(stream.to_bytes()).to_bytes() == stream.to_bytes());
}

TEST(Law15, infinity_counts_as_the_largest_double_where_the_range_reaches_it) {
  OwnedTable owned = random_table({ColumnSort::even}, 500, 1);
  scale(owned, 0, largest);
  owned.at(0, 0) = largest;
  owned.at(1, 0) = -largest;
  const Model model = owned.fit({});
  const std::vector<double> ends{infinity, largest, -infinity, -largest};
  const std::vector<double> scores = model.score(Table::row_major(ends, 1));
  EXPECT_EQ(scores[0], scores[1]);
  EXPECT_EQ(scores[2], scores[3]);
}

}  // namespace
}  // namespace pidforest
