// SPDX-License-Identifier: Apache-2.0
#include "report/scale.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pidforest::report {
namespace {

TEST(Scale, IsEvenWhereTheNumbersAre) {
  const std::vector<double> sample{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const Scale scale(0, 10, sample);
  EXPECT_EQ(scale.words(), "");
  EXPECT_DOUBLE_EQ(scale.place_of(2.5), 0.25);
  EXPECT_DOUBLE_EQ(scale.number_at(0.75), 7.5);
  EXPECT_EQ(scale.round_numbers(), (std::vector<double>{0, 2, 4, 6, 8, 10}));
}

TEST(Scale, IsLogarithmicWhereAFewNumbersAreFarFromMost) {
  std::vector<double> sample(1000, 2);
  for (std::size_t i = 0; i < sample.size(); ++i) sample[i] += static_cast<double>(i) / 1000;
  const Scale above_zero(2, 20'000, sample);
  EXPECT_EQ(above_zero.words(), "logarithmic");
  EXPECT_NEAR(above_zero.place_of(200), 0.5, 1e-12);
  for (double& number : sample) number -= 2.5;
  const Scale around_zero(-20'000, 20'000, sample);
  EXPECT_EQ(around_zero.words(), "logarithmic from the middle");
  EXPECT_GT(around_zero.place_of(0.5) - around_zero.place_of(-0.5), 0.03);
}

TEST(Scale, HasAPlaceForTheOnlyNumberAndForHugeOnes) {
  EXPECT_DOUBLE_EQ(Scale(7, 7).place_of(7), 0.5);
  EXPECT_EQ(Scale(7, 7).round_numbers(), std::vector<double>{7});
  constexpr double huge = std::numeric_limits<double>::max();
  EXPECT_DOUBLE_EQ(Scale(-huge, huge).place_of(0), 0.5);
  EXPECT_DOUBLE_EQ(Scale(-huge, huge).number_at(1), huge);
}

TEST(Scale, is_even_for_a_sample_of_two_values) {
  std::vector<double> flags(1000, 0);
  flags.back() = 1;
  EXPECT_EQ(Scale(0, 1, flags).words(), "");
  EXPECT_DOUBLE_EQ(Scale(0, 1, flags).place_of(0.5), 0.5);
  flags[998] = 0.25;
  EXPECT_EQ(Scale(0, 1, flags).words(), "logarithmic from the middle");
}

RC_GTEST_PROP(Scale, keeps_the_order_and_finds_back, ()) {
  std::vector<double> numbers = *rc::gen::nonEmpty<std::vector<double>>();
  std::erase_if(numbers, [](double number) { return !std::isfinite(number); });
  RC_PRE(!numbers.empty());
  std::ranges::sort(numbers);
  const Scale scale(numbers.front(), numbers.back(), numbers);
  double before = 0;
  for (const double number : numbers) {
    const double place = scale.place_of(number);
    RC_ASSERT(place >= before && place <= 1);
    const double again = scale.place_of(scale.number_at(place));
    RC_ASSERT(std::abs(again - place) < 1e-6);
    before = place;
  }
  for (const double number : scale.round_numbers()) {
    const double slack = 1e-9 * std::max(std::abs(numbers.front()), std::abs(numbers.back()));
    RC_ASSERT(number >= numbers.front() - slack && number <= numbers.back() + slack);
  }
}

}  // namespace
}  // namespace pidforest::report
