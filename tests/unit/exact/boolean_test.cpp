// SPDX-License-Identifier: Apache-2.0
// The Boolean cube, for which the paper defines pidLength: the paper's examples, with their numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "pidforest/exact.h"

namespace pidforest::exact {
namespace {

/// Rows of 0 and 1.
class BooleanTable {
 public:
  explicit BooleanTable(std::size_t n_columns) : n_columns_(n_columns) {}

  void add(const std::vector<double>& row, int times = 1) {
    for (int i = 0; i < times; ++i) values_.insert(values_.end(), row.begin(), row.end());
  }
  [[nodiscard]] std::size_t n_rows() const { return values_.size() / n_columns_; }

  /// log2(n) - bits, for the last row.
  [[nodiscard]] double pid_length_of_last() const { return pid_length_of(n_rows() - 1); }
  [[nodiscard]] double pid_length_of(std::size_t row) const {
    Schema schema;
    for (std::size_t j = 0; j < n_columns_; ++j)
      schema.columns.push_back({.name = fmt::format("x{}", j), .kind = Kind::boolean});
    const auto table = Table::row_major(values_, n_columns_);
    const ExactScore score = exact_scores(table, schema, std::vector<std::size_t>{row}).rows[0];
    EXPECT_TRUE(score.is_optimal);
    return std::log2(static_cast<double>(n_rows())) - score.bits;
  }

  /// Returns the smallest number of columns that distinguish the row from all others.
  [[nodiscard]] int id_length_of(std::size_t row) const {
    int least = static_cast<int>(n_columns_) + 1;
    for (std::uint32_t chosen = 0; chosen < 1U << n_columns_; ++chosen)
      if (std::popcount(chosen) < least && n_equal(row, chosen) == 1) least = std::popcount(chosen);
    return least;
  }

 private:
  [[nodiscard]] int n_equal(std::size_t row, std::uint32_t chosen) const {
    int n = 0;
    for (std::size_t other = 0; other < n_rows(); ++other) {
      bool is_equal = true;
      for (std::size_t j = 0; j < n_columns_; ++j)
        is_equal = is_equal && ((chosen >> j & 1U) == 0 || at(row, j) == at(other, j));
      n += is_equal ? 1 : 0;
    }
    return n;
  }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return values_[row * n_columns_ + column]; }

  std::size_t n_columns_;
  std::vector<double> values_;
};

TEST(PidLength, OfAWhiteElephantIsTwo) {
  BooleanTable animals(4);  // white, elephant, and two irrelevant ones
  for (const double a : {0.0, 1.0})
    for (const double b : {0.0, 1.0}) {
      animals.add({0, 1, a, b}, 50);
      animals.add({1, 0, a, b}, 50);
      animals.add({0, 0, a, b}, 50);
    }
  animals.add({1, 1, 0, 1});
  EXPECT_NEAR(animals.pid_length_of_last(), 2, 1e-9);
  // For a grey elephant, the irrelevant columns help: elephant alone gives 1 + log2(201), which is more.
  EXPECT_NEAR(animals.pid_length_of(0), 3 + std::log2(50), 1e-9);
}

TEST(PidLength, GrowsByLogTwoOfTheNumberOfWhiteElephants) {
  BooleanTable animals(2);
  animals.add({0, 1}, 100);
  animals.add({1, 0}, 100);
  animals.add({0, 0}, 100);
  animals.add({1, 1}, 8);
  EXPECT_NEAR(animals.pid_length_of_last(), 2 + 3, 1e-9);
}

TEST(PidLength, FarFromAHammingBallIsShortAndInItsMiddleIsLong) {
  constexpr std::size_t d = 12;
  BooleanTable ball(d);  // the origin, the points that differ from it in one column, and the farthest one
  ball.add(std::vector<double>(d, 0));
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<double> near(d, 0);
    near[j] = 1;
    ball.add(near);
  }
  ball.add(std::vector<double>(d, 1));
  EXPECT_NEAR(ball.pid_length_of_last(), 2, 1e-9);             // any two columns, or one and an impostor
  EXPECT_NEAR(ball.pid_length_of(0), std::log2(d + 2), 1e-9);  // the whole cube: no column helps
  EXPECT_EQ(ball.id_length_of(0), static_cast<int>(d));
}

TEST(PidLength, IsLessThanIdLengthWhereFewImpostorsAreLeft) {
  constexpr std::size_t d = 6;
  BooleanTable table(d);
  for (std::uint32_t point = 0; point < 1U << (d - 1); ++point) {  // all points with a 0 in the first column
    std::vector<double> row(d, 0);
    for (std::size_t j = 1; j < d; ++j) row[j] = point >> (j - 1) & 1U;
    table.add(row, 4);
  }
  table.add({1, 0, 0, 0, 0, 1});
  table.add({1, 1, 1, 1, 1, 1});
  table.add({1, 0, 1, 1, 1, 0});
  table.add({1, 1, 0, 1, 1, 0});
  table.add({1, 1, 1, 0, 1, 0});
  table.add({1, 1, 1, 1, 0, 0});
  table.add({1, 1, 1, 1, 1, 0});
  EXPECT_EQ(table.id_length_of(table.n_rows() - 1), static_cast<int>(d));
  EXPECT_NEAR(table.pid_length_of_last(), 1 + std::log2(7), 1e-9);  // the first column, and six impostors
}

}  // namespace
}  // namespace pidforest::exact
