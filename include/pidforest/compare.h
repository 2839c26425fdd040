// SPDX-License-Identifier: Apache-2.0
// What changed: the rows of a fit beside other rows, column by column.
//
//   std::vector<double> speed;
//   for (int i = 0; i < 1000; ++i) speed.push_back(i % 50);
//   const auto model = pidforest::Model::fit(pidforest::Table::row_major(speed, 1, {"speed"}));
//   for (double& x : speed) x += 10;
//   const auto change = pidforest::compare(model, pidforest::Table::row_major(speed, 1, {"speed"}));
//   std::cout << change.columns[0].words;  // prints speed < 10 in 0 % of the rows, was 20 %
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/model.h"
#include "pidforest/options.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace [[gnu::visibility("default")]] pidforest {

/// A level and the number of rows that have it.
struct LevelCount {
  std::string level = {};
  std::uint64_t n = 0;

  bool operator==(const LevelCount&) const = default;
};

/// The condition on a column whose share of the rows differs most, for the numbers of rows.
struct Shift {
  Condition condition = {};
  double share_then = 0;
  double share_now = 0;

  bool operator==(const Shift&) const = default;
};

/// A column in the rows of the fit (then) and in other rows (now).
struct ColumnChange {
  std::string column = {};
  /// The chance of a difference like the strongest if all rows were drawn alike, times the number of tests of all
  /// columns; at most 1.
  double p = 1;
  /// Tells the strongest changes apart where p is 0: about the square of the normal deviate with this chance.
  double strength = 0;
  bool is_changed = false;
  double missing_then = 0;
  double missing_now = 0;
  /// Columns of numbers that are axes themselves: the smallest and the largest value. Without a value in `range_now` if
  /// all values are missing.
  std::optional<std::pair<double, double>> range_then = {};
  std::optional<std::pair<double, double>> range_now = {};
  std::uint64_t n_beyond_range = 0;
  /// Rows with levels that the fit has not seen.
  std::uint64_t n_new_levels = 0;
  /// Known levels that no row has; at most 20.
  std::vector<std::string> vanished = {};
  std::optional<Shift> shift = {};
  /// "missing 51 %, was 2 %": the strongest difference.
  std::string words = {};

  bool operator==(const ColumnChange&) const = default;
};

struct TableComparison {
  std::uint64_t n_then = 0;
  std::uint64_t n_now = 0;
  /// The share of the rows above the model's threshold; without a value if it has none.
  std::optional<double> anomalies_now = {};
  /// All columns that the model uses, the strongest change first.
  std::vector<ColumnChange> columns = {};

  [[nodiscard]] std::uint64_t n_changed() const;
};

/// Compares rows with those of the fit. A column has changed if its p is below `level`. The model knows the ranges of
/// all fitted rows, and everything else of an even sample of at most 4096 of them. Rows that depend on each other, such
/// as windows of a series, differ more than the tests expect. Throws InvalidInput for a model without a profile (of an
/// older version, of a stream, or without reasons), for rows that do not fit it and for no rows, and Cancelled.
TableComparison compare(const Model& model, const Batches& rows, double level = 0.01, const Run& run = {});

}  // namespace pidforest
