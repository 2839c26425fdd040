// SPDX-License-Identifier: Apache-2.0
// Random tables for the laws: continuous, discrete, heavy-tailed, constant and missing values.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "pidforest/pidforest.h"

namespace pidforest {

/// The content of a column: numbers of some distribution, or numbers that encode another kind.
enum class ColumnSort : std::uint8_t {
  even,
  normal,
  heavy_tailed,
  few_values,
  constant,
  sometimes_missing,
  one_value_or_missing,
  category,
  category_or_missing,
  many_levels,
  hierarchy,
  ordinal,
  cyclic,
  cyclic_cells,
  cyclic_or_missing,
  boolean,
  constant_boolean,
  time
};

inline const std::vector<ColumnSort> sorts_of_numbers{ColumnSort::even, ColumnSort::normal, ColumnSort::heavy_tailed,
                                                      ColumnSort::few_values, ColumnSort::constant};
inline const std::vector<ColumnSort> sorts_with_missing{ColumnSort::sometimes_missing,
                                                        ColumnSort::one_value_or_missing};
inline const std::vector<ColumnSort> other_sorts{
    ColumnSort::category, ColumnSort::many_levels,      ColumnSort::hierarchy,
    ColumnSort::ordinal,  ColumnSort::cyclic,           ColumnSort::cyclic_cells,
    ColumnSort::boolean,  ColumnSort::constant_boolean, ColumnSort::time};
inline const std::vector<ColumnSort> other_sorts_with_missing{ColumnSort::category_or_missing,
                                                              ColumnSort::cyclic_or_missing};

inline bool is_number(ColumnSort sort) { return sort <= ColumnSort::one_value_or_missing; }
inline bool is_circle(ColumnSort sort) {
  return sort == ColumnSort::cyclic || sort == ColumnSort::cyclic_cells || sort == ColumnSort::cyclic_or_missing;
}
inline bool is_category(ColumnSort sort) {
  return sort == ColumnSort::category || sort == ColumnSort::category_or_missing || sort == ColumnSort::many_levels ||
         sort == ColumnSort::hierarchy;
}
inline double period_of(ColumnSort sort) { return sort == ColumnSort::cyclic_cells ? 7 : 24; }

inline ColumnSchema schema_of(ColumnSort sort, std::string name) {
  ColumnSchema column{.name = std::move(name)};
  if (is_category(sort)) column.kind = Kind::category;
  if (sort == ColumnSort::many_levels) column.numeric_levels = true;
  if (sort == ColumnSort::many_levels)
    for (int level = 0; level < 300; ++level) column.levels.push_back(std::to_string(level));
  if (sort == ColumnSort::hierarchy)
    column.parents = {{"0", "a"}, {"1", "a"}, {"2", "b"}, {"3", "b"},   {"4", "b"},
                      {"5", "c"}, {"a", "x"}, {"b", "x"}, {"c", "all"}, {"x", "all"}};
  if (sort == ColumnSort::ordinal) column.kind = Kind::ordinal;
  if (sort == ColumnSort::ordinal) column.range = {1, 9};
  if (is_circle(sort)) column.kind = Kind::cyclic;
  if (is_circle(sort)) column.period = period_of(sort);
  if (sort == ColumnSort::cyclic_cells) column.step = 1;
  if (sort == ColumnSort::boolean || sort == ColumnSort::constant_boolean) column.kind = Kind::boolean;
  if (sort == ColumnSort::time) column.kind = Kind::time;
  if (sort == ColumnSort::time) column.epoch_unit = EpochUnit::seconds;
  return column;
}

/// A table that owns its values, in row-major order.
struct OwnedTable {
  std::vector<ColumnSort> sorts;
  std::vector<double> values;

  [[nodiscard]] std::size_t n_columns() const { return sorts.size(); }
  [[nodiscard]] std::size_t n_rows() const { return values.size() / n_columns(); }
  [[nodiscard]] Table table() const { return Table::row_major(values, n_columns()); }
  [[nodiscard]] double& at(std::size_t row, std::size_t column) { return values[row * n_columns() + column]; }
  [[nodiscard]] Schema schema() const {
    Schema schema;
    for (std::size_t j = 0; j < n_columns(); ++j) schema.columns.push_back(schema_of(sorts[j], fmt::format("x{}", j)));
    return schema;
  }
  [[nodiscard]] Model fit(const Options& options, const Run& run = {}) const {
    return Model::fit(table(), schema(), options, run);
  }
};

inline double draw_value(ColumnSort sort, std::mt19937_64& random) {
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  std::normal_distribution<double> normal;
  std::geometric_distribution<int> uneven(0.3);
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
      return random() % 5 == 0 ? missing : normal(random);
    case ColumnSort::one_value_or_missing:
      return random() % 3 == 0 ? missing : 7;
    case ColumnSort::category:
      return std::min(uneven(random), 12);
    case ColumnSort::category_or_missing:
      return random() % 5 == 0 ? missing : uneven(random);
    case ColumnSort::many_levels:
      return static_cast<double>(random() % 30 * (random() % 10));
    case ColumnSort::hierarchy:
      return std::min(uneven(random), 5);
    case ColumnSort::ordinal:
      return 1 + std::min(uneven(random), 8);
    case ColumnSort::cyclic:
    case ColumnSort::cyclic_or_missing: {
      if (sort == ColumnSort::cyclic_or_missing && random() % 5 == 0) return missing;
      const double hour = std::round(64 * (23 + 2 * normal(random))) / 64;  // makes turning by halves exact
      return hour - 24 * std::floor(hour / 24);
    }
    case ColumnSort::cyclic_cells:
      return (5 + uneven(random)) % 7;
    case ColumnSort::boolean:
      return random() % 10 == 0 ? 1 : 0;
    case ColumnSort::constant_boolean:
      return 0;
    case ColumnSort::time:
      return 1.7e9 + 3600.0 * static_cast<double>(random() % 1000 * (random() % 7));
  }
  return 0;
}

/// Returns a value of the same sort that the fit may not have seen.
inline double other_value(ColumnSort sort, double x) {
  if (is_number(sort)) return *rc::gen::element(1.0, -3.0) * x;
  if (is_category(sort)) return *rc::gen::element(x, 1000.0, 3.0);
  if (sort == ColumnSort::ordinal) return *rc::gen::element(x, 0.0, 12.0, 9.0);
  if (sort == ColumnSort::boolean || sort == ColumnSort::constant_boolean) return *rc::gen::element(x, 1.0);
  return *rc::gen::element(x, x + 5, -x);
}

/// RapidCheck chooses the sorts of columns; the values are derived from one seed.
inline OwnedTable random_table(const std::vector<ColumnSort>& sorts, std::size_t n_rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  OwnedTable result{sorts, {}};
  for (std::size_t i = 0; i < n_rows; ++i)
    for (const ColumnSort sort : sorts) result.values.push_back(draw_value(sort, random));
  return result;
}

inline OwnedTable any_table_of(const std::vector<ColumnSort>& choice, int most_rows) {
  const auto sorts = *rc::gen::nonEmpty(rc::gen::container<std::vector<ColumnSort>>(rc::gen::elementOf(choice)));
  const auto n_columns = std::min<std::size_t>(sorts.size(), 12);
  const auto n_rows = static_cast<std::size_t>(*rc::gen::inRange(1, most_rows));
  return random_table({sorts.begin(), sorts.begin() + static_cast<std::ptrdiff_t>(n_columns)}, n_rows,
                      *rc::gen::arbitrary<std::uint32_t>());
}

/// Returns a table with columns of all kinds.
inline OwnedTable any_table(int most_rows = 400, bool with_missing = true) {
  std::vector<ColumnSort> choice = sorts_of_numbers;
  choice.insert(choice.end(), other_sorts.begin(), other_sorts.end());
  if (with_missing) choice.insert(choice.end(), sorts_with_missing.begin(), sorts_with_missing.end());
  if (with_missing) choice.insert(choice.end(), other_sorts_with_missing.begin(), other_sorts_with_missing.end());
  return any_table_of(choice, most_rows);
}

/// Returns a table with columns of numbers only.
inline OwnedTable any_numbers(int most_rows = 400) {
  std::vector<ColumnSort> choice = sorts_of_numbers;
  choice.insert(choice.end(), sorts_with_missing.begin(), sorts_with_missing.end());
  return any_table_of(choice, most_rows);
}

/// Returns a preset with few trees, perhaps with the other cut rule.
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
