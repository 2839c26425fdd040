// SPDX-License-Identifier: Apache-2.0
// Splits of an axis of numbers: an interval is low <= x < high and its length is high - low. The axis may be made of
// cells, one per level: cell i is [i, i + 1), and cuts lie between cells.
#pragma once

#include <cstddef>
#include <span>

#include "geometry/axis.h"
#include "geometry/interval.h"
#include "geometry/partition.h"

namespace pidforest::geometry {

/// A summary of a node's values on an axis: the least, the largest, their number, and the number of missing values.
struct ValueRange {
  double least = 0;
  double largest = 0;
  std::size_t present = 0;
  std::size_t missing = 0;

  [[nodiscard]] bool can_be_cut() const { return least < largest; }
};

ValueRange range_of(std::span<const double> values);

/// The cut at `share` of the way back from the largest value to the least; above the least, at most the largest.
double sampled_cut(const ValueRange& range, double share);

/// The two sides of a cut of `values`, whose range is `range`.
SampledSides sides_of_cut(const ValueRange& range, double cut, std::span<const double> values);

/// The offer of a cut with `below` of the present values below it, on an axis with `missing_share` of its length
/// missing.
SampledOffer offer_of_cut(const ValueRange& range, double missing_share, double cut, std::size_t below,
                          const Gate& gate);

/// The children of a sampled cut. The empty margins of `interval` beyond the values are separate children.
Split split_at(const Interval& interval, const ValueRange& range, double cut);

/// The evidence against an even spread over `interval` that its empty margins give, as a likelihood ratio; 0 if the
/// values have no length.
double margin_evidence(const Interval& interval, const ValueRange& range);
/// Separates only the empty margins.
Split split_off_margins(const Interval& interval, const ValueRange& range);

/// The border between two neighbours; the upper one belongs to the upper side.
double border_between(double lower, double upper);

/// Lays out the node's values as cells, borders halfway between neighbours. `values` are the present ones, increasing.
void lay_out_cells(std::span<const double> values, const Interval& interval, Cells& cells);

/// The children of a grouping of the cells of `values`.
Split split_by(std::span<const double> values, const Interval& interval, const Grouping& grouping);

/// A line or a circle of cells.
struct CellLine {
  double length = 0;
  bool is_circle = false;
};

/// The cells from the first to the last with values, `begin` up to `end`, and a drawn cut between two of them. `cut` is
/// `begin` if only the margin is separated.
struct CellCut {
  double begin = 0;
  double end = 0;
  double cut = 0;
  SampledSides sides = {};
};

/// A gap is tested in addition to the count below the cut. To keep the chance of passing either test close to that of
/// one test, the expected number of gaps is multiplied by this factor.
inline constexpr double gap_caution = 4;

/// Draws a cut. On a circle, the values are measured from the end of the largest gap.
CellCut draw_cell_cut(std::span<const double> values, const ValueRange& range, const CellLine& line, double draw);

/// The cell border halfway between the cells of two values of different cells.
double cell_border_between(double lower, double upper);

class OrderedAxis final : public Axis {
 public:
  explicit OrderedAxis(bool has_cells) : has_cells_(has_cells) {}

  [[nodiscard]] AxisKind kind() const override { return AxisKind::ordered; }
  [[nodiscard]] bool is_just_numbers() const override { return !has_cells_; }

  void lay_out(const NodeValues& sorted, const Interval& interval, Layout& layout) const override;
  [[nodiscard]] Split split_by(const NodeValues& sorted, const Interval& interval, const Layout& layout,
                               const Grouping& grouping) const override;
  [[nodiscard]] SampledSides sides_of(const Shown& shown, const Interval& interval, const Draws& draws) const override;
  [[nodiscard]] Split split_at(const Shown& shown, const Interval& interval, const Draws& draws) const override;

 private:
  bool has_cells_;
};

}  // namespace pidforest::geometry
