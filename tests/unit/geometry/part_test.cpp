// SPDX-License-Identifier: Apache-2.0
#include "geometry/part.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace pidforest::geometry {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Part, HoldsNumbersFromLowUpToHigh) {
  const Part part{.low = 2, .high = 5};
  EXPECT_TRUE(part.holds(2));
  EXPECT_TRUE(part.holds(4.9));
  EXPECT_FALSE(part.holds(5));
  EXPECT_FALSE(part.holds(1.9));
  EXPECT_FALSE(part.holds(nan));
  EXPECT_TRUE(Part{.low = 2}.holds(1e300));
  EXPECT_TRUE(Part{.low = 2}.holds(infinity));
}

TEST(Part, OfACircleMayWrap) {
  const Part winter{.kind = AxisKind::cyclic, .low = 10, .high = 2};
  EXPECT_TRUE(winter.holds(11));
  EXPECT_TRUE(winter.holds(0));
  EXPECT_FALSE(winter.holds(2));
  EXPECT_FALSE(winter.holds(6));
}

TEST(Part, HoldsLevelsAndUnseenLevels) {
  const Part part{.kind = AxisKind::category, .levels = {{1, 3}, {6, 7}}};  // of six levels
  EXPECT_TRUE(part.holds(2));
  EXPECT_FALSE(part.holds(0));
  EXPECT_FALSE(part.holds(3));
  EXPECT_TRUE(part.holds(6));
  EXPECT_DOUBLE_EQ(share_of(part, {.low = 0, .high = 6, .branches = {{0, 6}}}), 2.0 / 6);
}

TEST(Part, OfMissingValuesHoldsNothingElse) {
  const Part part{.is_missing = true};
  EXPECT_TRUE(part.holds(nan));
  EXPECT_FALSE(part.holds(0));
  EXPECT_DOUBLE_EQ(share_of(part, {.low = 0, .high = 1, .missing_share = 0.25}), 0.25);
}

TEST(Part, SharesLeaveRoomForMissingValuesAndEndWithTheAxis) {
  const Interval root{.low = 0, .high = 10, .missing_share = 0.5};
  EXPECT_DOUBLE_EQ(share_of(Part{.low = 8}, root), 0.1);
  EXPECT_DOUBLE_EQ(share_of(Part{.low = 20}, root), 0.5);  // an open end, so as long as all values
  EXPECT_DOUBLE_EQ(share_of(Part{.kind = AxisKind::cyclic, .low = 9, .high = 2}, {.low = 0, .high = 12}), 5.0 / 12);
}

using Ends = std::vector<std::pair<double, double>>;

Ends stretches_of(const Part& part) {
  Ends ends;
  for (const Stretch& stretch : part.stretches()) ends.emplace_back(stretch.low, stretch.high);
  return ends;
}

TEST(Part, HasItsValuesAsStretches) {
  EXPECT_EQ(stretches_of({.low = 2, .high = 5}), (Ends{{2, 5}}));
  EXPECT_EQ(stretches_of({.high = 5}), (Ends{{-infinity, 5}}));
  EXPECT_EQ(stretches_of({.kind = AxisKind::cyclic, .low = 2, .high = 10}), (Ends{{2, 10}}));
  EXPECT_EQ(stretches_of({.kind = AxisKind::cyclic, .low = 10, .high = 2}), (Ends{{-infinity, 2}, {10, infinity}}));
  EXPECT_EQ(stretches_of({.kind = AxisKind::category, .levels = {{1, 3}, {6, 7}}}), (Ends{{1, 3}, {6, 7}}));
  EXPECT_EQ(stretches_of({.is_missing = true}), Ends{});
}

TEST(Part, OfAWholeCircleHoldsAllOfIt) {
  const Part whole = whole_part(0, AxisKind::cyclic);
  for (const double x : {0.0, 5.5, 11.9}) EXPECT_TRUE(whole.holds(x));
}

TEST(Part, EndsAreThoseOfItsStretches) {
  std::vector<double> ends;
  add_ends({.low = 2}, ends);
  add_ends({.kind = AxisKind::cyclic, .low = 10, .high = 3}, ends);
  add_ends({.kind = AxisKind::category, .levels = {{4, 6}}}, ends);
  add_ends({.is_missing = true}, ends);
  EXPECT_EQ(ends, (std::vector<double>{2, 3, 10, 4, 6}));
}

TEST(Part, IsApproachedTheShorterWayAroundACircle) {
  const Interval day{.low = 0, .high = 24};
  const Stretch night{.low = 22, .high = infinity};
  EXPECT_NEAR(distance_to(1, AxisKind::cyclic, night, day), 1.0 / 24, 1e-12);
  EXPECT_DOUBLE_EQ(distance_to(1, AxisKind::ordered, night, day), 21.0 / 24);
  EXPECT_DOUBLE_EQ(distance_to(nan, AxisKind::ordered, night, day), 0.5);
  EXPECT_EQ(part_between(0, AxisKind::cyclic, night, day), (Part{.kind = AxisKind::cyclic, .low = 22, .high = 0}));
}

RC_GTEST_PROP(Part, stretches_hold_what_the_part_holds, ()) {
  const auto number = [] { return static_cast<double>(*rc::gen::inRange(0, 13)); };
  Part part{.kind = *rc::gen::element(AxisKind::ordered, AxisKind::cyclic, AxisKind::category)};
  part.low = number();
  part.high = number();
  for (std::uint32_t level = *rc::gen::inRange(0U, 3U); level < 12 && part.kind == AxisKind::category;) {
    const std::uint32_t end = level + *rc::gen::inRange(1U, 4U);
    part.levels.push_back({level, end});
    level = end + *rc::gen::inRange(1U, 3U);
  }
  const double x = number();
  bool is_held = false;
  if (part.kind == AxisKind::category)
    for (const CodeRange& range : part.levels) is_held = is_held || (range.begin <= x && x < range.end);
  else if (part.kind == AxisKind::ordered || part.low < part.high)
    is_held = part.low <= x && x < part.high;
  else
    is_held = part.low <= x || x < part.high;
  RC_ASSERT(part.holds(x) == is_held);
  RC_ASSERT(std::ranges::any_of(part.stretches(), [&](const Stretch& s) { return s.holds(x); }) == is_held);
}

TEST(Parts, AreAsSparseAsTheirVolumePerRow) {
  const std::vector<Interval> root{{.low = 0, .high = 8}, {.low = 0, .high = 4}};
  const Parts parts{{.axis = 0, .high = 1}, {.axis = 1, .low = 2}};
  EXPECT_DOUBLE_EQ(log2_volume(parts, root), -4);
  EXPECT_DOUBLE_EQ(bits_of(-4, 1, 64), 2);
  EXPECT_DOUBLE_EQ(bits_of(-4, 0, 64), 3);
}

}  // namespace
}  // namespace pidforest::geometry
