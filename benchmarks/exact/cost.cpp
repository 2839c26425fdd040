// SPDX-License-Identifier: Apache-2.0
// Measures the cost of finding the sparsest of all cubes: seconds of one processor per row, on generated tables. Prints
// a line of Markdown per table: how many of 20 rows were settled within 20 seconds each, and the median and longest
// time.
#include <fmt/format.h>
#include <pidforest/exact.h>
#include <pidforest/pidforest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace pidforest;

constexpr std::size_t n_asked = 20;
constexpr double most_seconds = 20;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Draws a standard normal number; a boolean, true half of the time; or one of six levels, each half as common as the
/// one before.
double draw(Kind kind, std::mt19937_64& random) {
  const auto even = [&] { return (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53; };
  if (kind == Kind::boolean) return even() < 0.5 ? 1 : 0;
  if (kind == Kind::category) return std::min(std::floor(-std::log2(even())), 5.0);
  return std::sqrt(-2 * std::log(even())) * std::cos(2 * std::numbers::pi * even());
}

void measure(Kind kind, std::size_t n_rows, std::size_t n_columns) {
  std::mt19937_64 random(1);
  std::vector<double> values;
  for (std::size_t i = 0; i < n_rows * n_columns; ++i) values.push_back(draw(kind, random));
  const Table table = Table::row_major(values, n_columns);
  Schema schema;
  for (const Column& column : table.columns()) schema.columns.push_back({.name = column.name, .kind = kind});
  std::vector<double> seconds;
  std::size_t n_settled = 0;
  for (std::size_t i = 0; i < n_asked; ++i) {
    const std::vector<std::size_t> row{i * n_rows / n_asked};
    const double begin = cpu_seconds();
    n_settled += exact_scores(table, schema, row, {.seconds = most_seconds}, {.threads = 1}).rows[0].is_optimal ? 1 : 0;
    seconds.push_back(cpu_seconds() - begin);
  }
  std::ranges::sort(seconds);
  fmt::print("| {} | {} | {} | {} | {:.3f} | {:.2f} |\n", name_of(kind), n_rows, n_columns, n_settled,
             seconds[n_asked / 2], seconds.back());
  std::fflush(stdout);
}

}  // namespace

int main() {
  fmt::print("| columns | rows | number | settled of {} | median seconds | longest |\n|---|---|---|---|---|---|\n",
             n_asked);
  for (const std::size_t n_rows : {100, 300, 1000})
    for (const std::size_t n_columns : {2, 4, 8}) measure(Kind::continuous, n_rows, n_columns);
  for (const std::size_t n_columns : {3, 6}) measure(Kind::category, 1000, n_columns);
  for (const std::size_t n_columns : {10, 20, 30}) measure(Kind::boolean, 1000, n_columns);
}
