// SPDX-License-Identifier: Apache-2.0
// Numbers that are cut at round numbers, so that conditions are easy to read.
#pragma once

#include "geometry/axis.h"

namespace pidforest::geometry {

class RoundAxis final : public Axis {
 public:
  [[nodiscard]] AxisKind kind() const override { return AxisKind::round; }

  void lay_out(const NodeValues& sorted, const Interval& interval, Layout& layout) const override;
  [[nodiscard]] Split split_by(const NodeValues& sorted, const Interval& interval, const Layout& layout,
                               const Grouping& grouping) const override;
  [[nodiscard]] SampledSides sides_of(const Shown& shown, const Interval& interval, const Draws& draws) const override;
  [[nodiscard]] Split split_at(const Shown& shown, const Interval& interval, const Draws& draws) const override;
};

}  // namespace pidforest::geometry
