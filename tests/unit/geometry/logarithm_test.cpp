// SPDX-License-Identifier: Apache-2.0
#include "geometry/logarithm.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace pidforest::geometry {
namespace {

RC_GTEST_PROP(Logarithm, agrees_with_the_standard_library_to_two_units_in_the_last_place, ()) {
  const double mantissa = 1 + 0x1p-30 * *rc::gen::inRange(0, 1 << 30);
  const double x = std::ldexp(mantissa, *rc::gen::inRange(-1074, 1023));
  RC_PRE(x > 0);
  const double expected = std::log(x);
  RC_ASSERT(std::abs(portable_log(x) - expected) <= 2 * 0x1p-52 * std::abs(expected) + 1e-18);
  const double expected2 = std::log2(x);
  RC_ASSERT(std::abs(portable_log2(x) - expected2) <= 2 * 0x1p-52 * std::abs(expected2) + 1e-18);
}

TEST(Logarithm, of_a_power_of_two_is_exact) {
  for (int exponent = -1074; exponent < 1024; ++exponent) EXPECT_EQ(portable_log2(std::ldexp(1.0, exponent)), exponent);
}

TEST(Logarithm, of_zero_is_minus_infinity_and_of_one_is_zero) {
  EXPECT_EQ(portable_log(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(portable_log2(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(portable_log(1), 0);
}

TEST(Exponential, agrees_with_the_standard_library_to_two_units_in_the_last_place) {
  for (double x = 0; x > -700; x -= 0.37) EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 5e-16) << x;
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-1e9), 0);
  EXPECT_EQ(portable_exp(-std::numeric_limits<double>::infinity()), 0);
}

}  // namespace
}  // namespace pidforest::geometry
