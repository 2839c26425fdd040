// SPDX-License-Identifier: Apache-2.0
#include "model/outer_survey.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "each_target.h"

namespace pidforest::model {
namespace {

constexpr std::size_t n_outer = 40;

/// The outermost values by sorting all of them: the plain counterpart.
std::vector<double> largest_of(std::vector<double> values, double sign) {
  std::erase_if(values, [](double x) { return std::isnan(x); });
  for (double& x : values) x *= sign;
  std::ranges::sort(values, std::ranges::greater{});
  values.resize(std::min(values.size(), n_outer));
  for (double& x : values) x *= sign;
  return values;
}

/// Surveys a column, in batches of `batch_rows` rows, and compares it with the plain counterpart.
void check(const std::vector<double>& values, std::size_t batch_rows) {
  const std::vector<schema::AxisInfo> infos(1);
  for (const unsigned threads : {1U, 3U}) {
    OuterSurvey survey(infos, n_outer);
    for (std::size_t begin = 0; begin < values.size(); begin += batch_rows) {
      const std::size_t n = std::min(batch_rows, values.size() - begin);
      (void)survey.add(Table(n, {{.name = "x", .first = values.data() + begin}}), {.threads = threads});
    }
    EXPECT_EQ(survey.highest(0), largest_of(values, 1));
    EXPECT_EQ(survey.lowest(0), largest_of(values, -1));
  }
}

std::vector<double> values_of(std::size_t n, auto value_of) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(value_of(i));
  return values;
}

TEST(OuterSurvey, keeps_the_outermost_values_of_any_column) {
  std::mt19937_64 generator(2019);
  std::normal_distribution<> normal;
  const auto missing = std::numeric_limits<double>::quiet_NaN();
  for_each_target([&] {
    for (const std::size_t n : {100U, 9'000U, 40'000U}) {
      check(values_of(n, [&](std::size_t) { return normal(generator); }), n);
      check(values_of(n, [&](std::size_t i) { return static_cast<double>(i); }), n);
      check(values_of(n, [&](std::size_t i) { return static_cast<double>(i % 3); }), n);
      check(values_of(n, [&](std::size_t i) { return i % 7 == 0 ? normal(generator) : missing; }), n);
    }
  });
}

TEST(OuterSurvey, a_wrong_guess_of_the_outermost_values_changes_nothing) {
  constexpr std::size_t n = 512 * 40;
  // The guess sees each fortieth row, where the values lie beyond all others. Few of them are different.
  check(values_of(n, [](std::size_t i) { return i % 40 == 0 ? 1000.0 + static_cast<double>(i % 5) : std::sin(i); }), n);
  check(values_of(n, [](std::size_t i) { return i % 40 == 0 && i < 800 ? static_cast<double>(i) : std::cos(i); }), n);
  check(values_of(n, [](std::size_t i) { return i % 1600 == 0 ? -1e6 - static_cast<double>(i) : std::cos(i); }), n);
}

TEST(OuterSurvey, batches_give_the_outermost_values_of_all_rows) {
  std::mt19937_64 generator(7);
  std::lognormal_distribution<> skewed;
  const auto values = values_of(50'000, [&](std::size_t i) { return skewed(generator) + (i > 30'000 ? 3.0 : 0.0); });
  for (const std::size_t batch_rows : {1'000U, 9'000U, 20'000U}) check(values, batch_rows);
}

}  // namespace
}  // namespace pidforest::model
