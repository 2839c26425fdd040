// SPDX-License-Identifier: Apache-2.0
#include "geometry/isolated.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace pidforest::geometry {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr double absent = std::numeric_limits<double>::quiet_NaN();

IsolatedParts isolated_in(std::vector<double> values, std::size_t n_axes = 10) {
  std::ranges::sort(values);
  OuterValues outer{.n_present = values.size(), .median = values[values.size() / 2]};
  const std::size_t n = std::min(n_outer(values.size()), values.size());
  outer.lowest.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
  outer.highest.assign(values.rbegin(), values.rbegin() + static_cast<std::ptrdiff_t>(n));
  return find_isolated(outer, n_axes);
}

template <class Draw>
std::vector<double> drawn(std::size_t n, Draw draw) {
  std::vector<double> values(n);
  for (double& x : values) x = draw();
  return values;
}

TEST(Isolated, OneWindOfAThousandIsSetApart) {
  std::mt19937_64 random(1);
  std::weibull_distribution<double> wind(2, 10);
  std::vector<double> values = drawn(26'115, [&] { return wind(random); });
  const double next = *std::ranges::max_element(values);
  values[500] = 1048.4;
  const IsolatedParts parts = isolated_in(values, 6);
  ASSERT_EQ(parts.above.size(), 1U);
  EXPECT_EQ(parts.above[0].inner, next);
  EXPECT_EQ(parts.above[0].outer, 1048.4);
  EXPECT_EQ(parts.above[0].n_rows, 1U);
  EXPECT_GT(parts.above[0].bits, 14);
  EXPECT_EQ(parts.core_high(), next);
  EXPECT_EQ(parts.core_low(), -endless);
}

TEST(Isolated, RegularColumnsHaveNoParts) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::exponential_distribution<double> exponential;
  std::poisson_distribution<int> rare(0.5);
  std::poisson_distribution<int> poisson(3);
  for (const std::size_t n : {1'000U, 10'000U, 100'000U})
    for (int repeat = 0; repeat < 20; ++repeat) {
      EXPECT_FALSE(isolated_in(drawn(n, [&] { return normal(random); }), 2).has_rows());
      EXPECT_FALSE(isolated_in(drawn(n, [&] { return uniform(random); }), 2).has_rows());
      EXPECT_FALSE(isolated_in(drawn(n, [&] { return exponential(random); }), 2).has_rows());
      EXPECT_FALSE(isolated_in(drawn(n, [&] { return static_cast<double>(rare(random)); }), 2).has_rows());
      EXPECT_FALSE(isolated_in(drawn(n, [&] { return static_cast<double>(poisson(random)); }), 2).has_rows());
    }
}

TEST(Isolated, PartsAtBothEndsAndBehindEachOther) {
  std::vector<double> values;
  for (int i = 0; i < 10'000; ++i) values.push_back(i * 0.001);
  values.insert(values.end(), {-500, 70, 71, 900});
  const IsolatedParts parts = isolated_in(values);
  ASSERT_EQ(parts.below.size(), 1U);
  ASSERT_EQ(parts.above.size(), 2U);
  EXPECT_EQ(parts.above[0].inner, 71);
  EXPECT_EQ(parts.above[1].outer, 71);
  EXPECT_LT(parts.above[1].nearest, 30);
  EXPECT_EQ(parts.above[1].n_rows, 2U);
  EXPECT_EQ(parts.core_high(), 9.999);
  EXPECT_EQ(parts.core_low(), 0);
  EXPECT_EQ(parts.bits_of(5), 0);
  EXPECT_EQ(parts.bits_of(30), parts.above[1].bits);  // in the gap
  EXPECT_EQ(parts.bits_of(300), parts.above[1].bits + std::log2((300 - 9.999) / (71 - 9.999)));
  EXPECT_EQ(parts.bits_of(600), parts.above[0].bits);
  EXPECT_EQ(parts.bits_of(absent), 0);
}

TEST(Isolated, ManyEqualOutliersAreNoLongerIsolated) {
  std::vector<double> values;
  for (int i = 0; i < 10'000; ++i) values.push_back(i * 0.001);
  values.insert(values.end(), 30, 500.0);
  EXPECT_TRUE(isolated_in(values).has_rows());
  values.insert(values.end(), 100, 500.0);
  EXPECT_FALSE(isolated_in(values).has_rows());
}

TEST(Isolated, MissingValuesWhereHardlyAnyIsMissing) {
  IsolatedParts parts;
  isolate_missing(50, 10'000, 10, parts);
  EXPECT_TRUE(parts.empty());
  isolate_missing(1, 10'000, 5, parts);
  EXPECT_FALSE(parts.empty());
  EXPECT_EQ(parts.bits_of(absent), parts.missing_bits);
}

TEST(Isolated, ARegularColumnSaysWhichNewValuesWouldBeIsolated) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(100, 10);
  const std::vector<double> values = drawn(10'000, [&] { return normal(random); });
  const IsolatedParts parts = isolated_in(values);
  const double largest = *std::ranges::max_element(values);
  EXPECT_FALSE(parts.has_rows());
  EXPECT_EQ(parts.bits_of(largest), 0);
  EXPECT_EQ(parts.bits_of(largest + 2), 0);
  EXPECT_GT(parts.bits_of(3 * largest), 12);
  EXPECT_GT(parts.bits_of(-largest), 12);
}

TEST(Isolated, AValueJustBeyondTheOthersIsNotInThePartOfAWildOne) {
  std::mt19937_64 random(4);
  std::lognormal_distribution<double> amount(3, 1);
  std::vector<double> values = drawn(5'000, [&] { return amount(random); });
  const double next = *std::ranges::max_element(values);
  values[7] = 1e6;
  const IsolatedParts parts = isolated_in(values);
  EXPECT_EQ(parts.above.back().inner, next);
  EXPECT_GT(parts.bits_of(1e6), 10);
  EXPECT_EQ(parts.bits_of(1.01 * next), 0);
  EXPECT_GT(parts.bits_of(100 * next), 10);
}

TEST(Isolated, AGapThatGrowsIsolatesANewValueFromSomePointOn) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> values = drawn(4'000, [&] { return normal(random); });
  const double from = isolated_in(values).above.back().nearest;
  values.push_back(0.99 * from);
  EXPECT_FALSE(isolated_in(values).has_rows());
  values.back() = 1.01 * from;
  const IsolatedParts parts = isolated_in(values);
  EXPECT_EQ(parts.core_high(), parts.above.back().inner);
  EXPECT_EQ(parts.above.back().outer, values.back());
}

TEST(Isolated, UnseenLevelsWhereAllLevelsAreCommon) {
  IsolatedParts parts;
  isolate_unseen(3, 5'000, {.n_rows = 2'000, .n_once = 0}, 7, parts);
  EXPECT_FALSE(parts.has_rows());
  EXPECT_EQ(parts.bits_of(2), 0);
  EXPECT_NEAR(parts.bits_of(3), std::log2(5'001 / 4.0), 1e-9);
  EXPECT_EQ(parts.bits_of(absent), 0);
  EXPECT_EQ(parts.core_high(), endless);
}

TEST(Isolated, UnseenLevelsAreToBeExpectedWhereManyLevelsOccurOnce) {
  IsolatedParts parts;
  isolate_unseen(100, 5'000, {.n_rows = 2'000, .n_once = 40}, 7, parts);
  EXPECT_TRUE(parts.empty());
  isolate_unseen(1'000, 5'000, {.n_rows = 2'000, .n_once = 0}, 7, parts);
  EXPECT_TRUE(parts.empty());
}

TEST(Isolated, AMissingValueWhereNoneIsMissing) {
  IsolatedParts parts;
  isolate_missing(0, 20'000, 7, parts);
  EXPECT_FALSE(parts.has_rows());
  EXPECT_NEAR(parts.bits_of(absent), std::log2(10'000.5), 1e-9);
  IsolatedParts of_few_rows;
  isolate_missing(0, 1'000, 7, of_few_rows);
  EXPECT_TRUE(of_few_rows.empty());
}

std::vector<double> any_column() {
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const auto n_outliers = *rc::gen::inRange<std::size_t>(0, 6);
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> body(0, *rc::gen::element(0.1, 0.5, 1.0));
  std::vector<double> values = drawn(4'000, [&] { return body(random); });
  for (std::size_t i = 0; i < n_outliers; ++i)
    values.push_back((*rc::gen::arbitrary<bool>() ? 1 : -1) * std::exp2(*rc::gen::inRange(3, 40)));
  return values;
}

RC_GTEST_PROP(Isolated, DoNotDependOnTheUnitOrTheDirectionOfAColumn, ()) {
  const std::vector<double> values = any_column();
  const IsolatedParts parts = isolated_in(values);
  std::vector<double> turned;
  for (const double x : values) turned.push_back(-4 * x);
  const IsolatedParts of_turned = isolated_in(turned);
  RC_ASSERT(parts.above.size() == of_turned.below.size());
  RC_ASSERT(parts.below.size() == of_turned.above.size());
  for (std::size_t i = 0; i < parts.above.size(); ++i) {
    RC_ASSERT(-4 * parts.above[i].inner == of_turned.below[i].inner);
    RC_ASSERT(parts.above[i].n_rows == of_turned.below[i].n_rows);
    // A part without rows begins where the median decides, which is another of the two middle values when turned.
    const double precision = parts.above[i].n_rows > 0 ? 1e-9 : 0.01;
    RC_ASSERT(std::abs(parts.above[i].bits - of_turned.below[i].bits) < precision);
  }
}

RC_GTEST_PROP(Isolated, PartsHoldTheRowsThatTheyCountAndTouchEachOther, ()) {
  const std::vector<double> values = any_column();
  const IsolatedParts parts = isolated_in(values);
  for (const auto* end : {&parts.above, &parts.below})
    for (std::size_t i = 0; i < end->size(); ++i) {
      const IsolatedPart& part = (*end)[i];
      const auto holds = [&](double x) { return parts.part_of(x) == &part; };
      RC_ASSERT(static_cast<std::uint64_t>(std::ranges::count_if(values, holds)) == part.n_rows);
      RC_ASSERT(!holds(part.inner));
      RC_ASSERT(holds(part.nearest));
      RC_ASSERT(holds(part.outer));
      if (i > 0) RC_ASSERT((*end)[i - 1].inner == part.outer);
    }
}

RC_GTEST_PROP(Isolated, BitsGrowBeyondTheOutermostPart, ()) {
  std::vector<double> values = any_column();
  values.push_back(1e6);
  const IsolatedParts parts = isolated_in(values);
  RC_PRE(!parts.above.empty());
  double before = 0;
  for (double x = parts.above[0].outer; x < 1e300; x *= 1e10) {
    RC_ASSERT(parts.bits_of(x) >= before);
    before = parts.bits_of(x);
  }
  RC_ASSERT(std::isfinite(parts.bits_of(endless)));
  RC_ASSERT(parts.bits_of(endless) >= before);
}

}  // namespace
}  // namespace pidforest::geometry
