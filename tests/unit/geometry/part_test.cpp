// SPDX-License-Identifier: Apache-2.0
#include "geometry/part.h"

#include <gtest/gtest.h>

#include <limits>

namespace pidforest::geometry {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Part, HoldsNumbersFromLowUpToHigh) {
  const Part part{.low = 2, .high = 5};
  EXPECT_TRUE(part.holds(2));
  EXPECT_TRUE(part.holds(4.9));
  EXPECT_FALSE(part.holds(5));
  EXPECT_FALSE(part.holds(1.9));
  EXPECT_FALSE(part.holds(nan));
  EXPECT_TRUE(Part{.low = 2}.holds(1e300));
  EXPECT_TRUE(Part{.low = 2}.holds(std::numeric_limits<double>::infinity()));
}

TEST(Part, OfACircleMayWrap) {
  const Part winter{.kind = AxisKind::cyclic, .low = 10, .high = 2};
  EXPECT_TRUE(winter.holds(11));
  EXPECT_TRUE(winter.holds(0));
  EXPECT_FALSE(winter.holds(2));
  EXPECT_FALSE(winter.holds(6));
}

TEST(Part, HoldsLevelsAndThoseNeverHeardOf) {
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

TEST(Parts, AreAsSparseAsTheirVolumePerRow) {
  const std::vector<Interval> root{{.low = 0, .high = 8}, {.low = 0, .high = 4}};
  const Parts parts{{.axis = 0, .high = 1}, {.axis = 1, .low = 2}};
  EXPECT_DOUBLE_EQ(log2_volume(parts, root), -4);
  EXPECT_DOUBLE_EQ(bits_of(-4, 1, 64), 2);
  EXPECT_DOUBLE_EQ(bits_of(-4, 0, 64), 3);
}

}  // namespace
}  // namespace pidforest::geometry
