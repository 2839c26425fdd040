// SPDX-License-Identifier: Apache-2.0
// Splits of an axis of levels without an order: an interval is a set of levels, its length is their number. Of a
// hierarchy it is a set of whole branches; a branch that is alone opens into those below it. A flat category is a
// hierarchy of depth one.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/axis.h"

namespace pidforest::geometry {

class CategoryAxis final : public Axis {
 public:
  /// `parents` has the branch above each branch: first the levels, 0 up to n_levels, such that those of a branch lie
  /// side by side; the last is the whole and its own parent. Empty if there is no hierarchy.
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
  /// The seen branches in a random order; those before `cut` are the first side. Where what shows no values is the
  /// stronger evidence, all of them are, and only the margin is set apart.
  struct SampledCut {
    std::vector<SeenBranch> branches;
    std::size_t cut = 0;
    /// The sparser side, which unseen levels join if there is no margin.
    std::uint32_t rest = 0;
    SampledSides sides = {};
  };

  /// The coarsest branches of the interval that tell its values apart, in the order of their first rows.
  void find_branches(const NodeValues& values, const Interval& interval, std::vector<SeenBranch>& seen) const;
  [[nodiscard]] SampledCut draw_cut(const Shown& shown, const Interval& interval, const Draws& draws) const;
  /// The seen branches against the margin: so many levels without values where an even spread leaves how many empty?
  [[nodiscard]] SampledSides sides_with_margin(const Side& seen, const Interval& interval) const;
  /// The largest branch that has `code` and is smaller than `branch`; the level itself if there is none.
  [[nodiscard]] CodeRange branch_below(const CodeRange& branch, std::uint32_t code) const;

  std::vector<std::uint32_t> parents_;
  /// The levels of each branch; empty if there is no hierarchy.
  std::vector<CodeRange> levels_of_;
};

}  // namespace pidforest::geometry
