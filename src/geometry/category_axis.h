// SPDX-License-Identifier: Apache-2.0
// Splits of an axis of levels without an order. An interval is a set of levels, and its length is their number. In a
// hierarchy, an interval is a set of whole branches; a single branch opens into the branches below it. A flat category
// is a hierarchy of depth one.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/axis.h"

namespace pidforest::geometry {

class CategoryAxis final : public Axis {
 public:
  /// `parents` has the parent of each branch. The first n_levels branches are the levels, with the levels of a branch
  /// adjacent; the last is the root and its own parent. Empty if there is no hierarchy.
  explicit CategoryAxis(std::uint32_t n_levels, std::vector<std::uint32_t> parents = {});

  [[nodiscard]] AxisKind kind() const override { return AxisKind::category; }

  void lay_out(const NodeValues& sorted, const Interval& interval, Layout& layout) const override;
  [[nodiscard]] Split split_by(const NodeValues& sorted, const Interval& interval, const Layout& layout,
                               const Grouping& grouping) const override;
  void show(const NodeValues& values, const Interval& interval, Shown& shown) const override;
  [[nodiscard]] std::size_t n_order_draws(const Shown& shown) const override { return shown.branches.size(); }
  [[nodiscard]] SampledSides sides_of(const Shown& shown, const Interval& interval, const Draws& draws) const override;
  [[nodiscard]] Split split_at(const Shown& shown, const Interval& interval, const Draws& draws) const override;

 private:
  struct Side;
  /// The seen branches in a random order; those before `cut` are the first side. If the levels without values are the
  /// stronger evidence, all branches are on the first side and only the margin is separated.
  struct SampledCut {
    std::vector<SeenBranch> branches;
    std::size_t cut = 0;
    /// The sparser side. Unseen levels join it if there is no margin.
    std::uint32_t rest = 0;
    SampledSides sides = {};
  };

  /// The coarsest branches of the interval that tell its values apart, in the order of their first rows.
  void find_branches(const NodeValues& values, const Interval& interval, std::vector<SeenBranch>& seen) const;
  [[nodiscard]] SampledCut draw_cut(const Shown& shown, const Interval& interval, const Draws& draws) const;
  /// The sides if the seen branches are separated from the margin, the levels without values.
  [[nodiscard]] SampledSides sides_with_margin(const Side& seen, const Interval& interval) const;
  /// The largest branch that has `code` and is smaller than `branch`; the level itself if there is none.
  [[nodiscard]] CodeRange branch_below(const CodeRange& branch, std::uint32_t code) const;

  std::vector<std::uint32_t> parents_;
  /// The levels of each branch; empty if there is no hierarchy.
  std::vector<CodeRange> levels_of_;
};

}  // namespace pidforest::geometry
