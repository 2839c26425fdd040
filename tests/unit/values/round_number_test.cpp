// SPDX-License-Identifier: Apache-2.0
#include "values/round_number.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "values/number_text.h"

namespace pidforest::values {
namespace {

/// The significant digits of a number; 0 has none.
std::size_t n_digits(double number) {
  std::string text = shortest_text(std::abs(number));
  text.resize(std::min(text.find('e'), text.size()));
  std::erase(text, '.');
  text.erase(0, text.find_first_not_of('0'));
  text.erase(text.find_last_not_of('0') + 1);
  return text.size();
}

TEST(roundest_between, has_the_fewest_digits) {
  EXPECT_EQ(roundest_between(42.6, 1048.4), 50);
  EXPECT_EQ(roundest_between(1048.4, 42.6), 1000);
  EXPECT_EQ(roundest_between(69.2, 69.9), 69.2);
  EXPECT_EQ(roundest_between(0.773, 0.773966), 0.773);
  EXPECT_EQ(roundest_between(1.65697, 1.94529), 1.7);
  EXPECT_EQ(roundest_between(0.95, 0.91), 0.95);
  EXPECT_EQ(roundest_between(0.953, 0.899), 0.9);
  EXPECT_EQ(roundest_between(99.7, 101), 100);
  EXPECT_EQ(roundest_between(-3, 5), 0);
  EXPECT_EQ(roundest_between(-5.55, -4.2), -5);
  EXPECT_EQ(roundest_between(-4.2, -5.55), -5);
  EXPECT_EQ(roundest_between(7, 7), 7);
  EXPECT_EQ(roundest_between(1.0 / 3, 1.0 / 3), 1.0 / 3);
  EXPECT_EQ(roundest_between(1.7e308, 1.71e308), 1.7e308);
}

RC_GTEST_PROP(roundest_between, lies_between_and_no_number_tried_there_is_rounder, ()) {
  const auto any_number = [] {
    return std::ldexp(*rc::gen::inRange(-1'000'000, 1'000'000), *rc::gen::inRange(-40, 20));
  };
  const double a = any_number();
  const double b = *rc::gen::arbitrary<bool>() ? any_number() : a * (1 + std::ldexp(1, -*rc::gen::inRange(1, 50)));
  const double round = roundest_between(a, b);
  RC_ASSERT(std::min(a, b) <= round && round <= std::max(a, b));
  RC_ASSERT(n_digits(round) <= std::min(n_digits(a), n_digits(b)));
  for (int i = 0; i <= 100; ++i) {
    const double other = std::clamp(a + (b - a) * i / 100, std::min(a, b), std::max(a, b));
    RC_ASSERT(n_digits(other) >= n_digits(round));
    if (n_digits(other) == n_digits(round) && round != 0) RC_ASSERT(std::abs(other - a) >= std::abs(round - a));
  }
}

}  // namespace
}  // namespace pidforest::values
