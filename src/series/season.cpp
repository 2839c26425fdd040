// SPDX-License-Identifier: Apache-2.0
#include "series/season.h"

#include <algorithm>
#include <cmath>

#include "schema/time_column.h"
#include "values/time.h"

namespace pidforest::series {

namespace {

constexpr std::size_t cells_per_day = 48;
constexpr std::size_t cells_per_week = 7 * cells_per_day;

/// NaN for no values. Reorders them.
double median_of(std::vector<double>& values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const double below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

}  // namespace

std::vector<std::uint16_t> half_hours(std::span<const std::int64_t> times, const ColumnSchema& time,
                                      std::size_t n_cells) {
  constexpr std::int64_t half_hour = values::microseconds_per_hour / 2;
  constexpr std::int64_t from_thursday = 3 * static_cast<std::int64_t>(cells_per_day);  // 1970 began on one
  const schema::TimeReader reader(time);
  const auto n = static_cast<std::int64_t>(n_cells);
  std::vector<std::uint16_t> cells;
  cells.reserve(times.size());
  for (const std::int64_t utc : times) {
    const std::int64_t local = reader.local(utc);
    const std::int64_t place = (local - (local % half_hour + half_hour) % half_hour) / half_hour + from_thursday;
    cells.push_back(static_cast<std::uint16_t>((place % n + n) % n));
  }
  return cells;
}

std::size_t n_half_hours(std::span<const std::int64_t> times) {
  constexpr std::int64_t days_for_week = 21;
  constexpr std::int64_t days_for_day = 3;
  if (times.empty()) return 0;
  const auto [first, last] = std::ranges::minmax(times);
  const std::int64_t days = (last - first) / values::microseconds_per_day;
  if (days >= days_for_week) return cells_per_week;
  return days >= days_for_day ? cells_per_day : 0;
}

std::vector<double> usual_values(std::span<const double> values, std::span<const std::uint16_t> half_hours,
                                 std::size_t n_cells) {
  std::vector<std::vector<double>> of_cells(n_cells);
  std::vector<std::vector<double>> of_days(cells_per_day);
  std::vector<double> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    of_cells[half_hours[i]].push_back(values[i]);
    of_days[half_hours[i] % cells_per_day].push_back(values[i]);
    all.push_back(values[i]);
  }
  if (all.empty()) return {};
  const double of_all = median_of(all);
  std::vector<double> usual;
  for (std::size_t cell = 0; cell < n_cells; ++cell) {
    usual.push_back(median_of(of_cells[cell]));
    if (std::isnan(usual.back())) usual.back() = median_of(of_days[cell % cells_per_day]);
    if (std::isnan(usual.back())) usual.back() = of_all;
  }
  return usual;
}

}  // namespace pidforest::series
