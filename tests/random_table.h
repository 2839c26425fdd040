// SPDX-License-Identifier: Apache-2.0
// Tables of all sorts for the laws: continuous, discrete, heavy-tailed, constant and missing values.
#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "pidforest/pidforest.h"

namespace pidforest {

/// A table that owns its values, row by row.
struct OwnedTable {
  std::size_t n_columns;
  std::vector<double> values;

  [[nodiscard]] std::size_t n_rows() const { return values.size() / n_columns; }
  [[nodiscard]] Table table() const { return Table::row_major(values, n_columns); }
  [[nodiscard]] double& at(std::size_t row, std::size_t column) { return values[row * n_columns + column]; }
};

enum class ColumnSort { even, normal, heavy_tailed, few_values, constant, sometimes_missing, one_value_or_missing };

inline double draw_value(ColumnSort sort, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  switch (sort) {
    case ColumnSort::even:
      return std::uniform_real_distribution<double>(-1, 1)(random);
    case ColumnSort::normal:
      return normal(random);
    case ColumnSort::heavy_tailed:
      return std::exp(2 * normal(random));
    case ColumnSort::few_values:
      return static_cast<double>(random() % 3) * 0.1;
    case ColumnSort::constant:
      return 5;
    case ColumnSort::sometimes_missing:
      return random() % 5 == 0 ? std::numeric_limits<double>::quiet_NaN() : normal(random);
    case ColumnSort::one_value_or_missing:
      return random() % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : 7;
  }
  return 0;
}

/// Sorts of columns for RapidCheck to choose from; the values then come from one seed.
inline OwnedTable random_table(const std::vector<ColumnSort>& sorts, std::size_t n_rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  OwnedTable result{sorts.size(), {}};
  for (std::size_t i = 0; i < n_rows; ++i)
    for (const ColumnSort sort : sorts) result.values.push_back(draw_value(sort, random));
  return result;
}

inline OwnedTable any_table(int most_rows = 400, bool with_missing = true) {
  std::vector<ColumnSort> all{ColumnSort::even, ColumnSort::normal, ColumnSort::heavy_tailed, ColumnSort::few_values,
                              ColumnSort::constant};
  if (with_missing) all.insert(all.end(), {ColumnSort::sometimes_missing, ColumnSort::one_value_or_missing});
  const auto sorts = *rc::gen::nonEmpty(rc::gen::container<std::vector<ColumnSort>>(rc::gen::elementOf(all)));
  const auto n_columns = std::min<std::size_t>(sorts.size(), 12);
  const auto n_rows = static_cast<std::size_t>(*rc::gen::inRange(1, most_rows));
  return random_table({sorts.begin(), sorts.begin() + static_cast<std::ptrdiff_t>(n_columns)}, n_rows,
                      *rc::gen::arbitrary<std::uint32_t>());
}

/// A preset with few trees, or the same with the other cut rule.
inline Options any_options() {
  Options options = preset(*rc::gen::elementOf(std::vector<std::string>{"default", "paper", "authors"}));
  options.n_estimators = *rc::gen::inRange(1, 8);
  options.max_samples = *rc::gen::element(16, 64, 256);
  options.aggregate =
      *rc::gen::element(Aggregate::mean, Aggregate::quantile, Aggregate::max, Aggregate::top, Aggregate::vote);
  options.seed = *rc::gen::inRange(0, 1000);
  return options;
}

}  // namespace pidforest
