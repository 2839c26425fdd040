// SPDX-License-Identifier: Apache-2.0
// Splits of a circle. An interval is an arc, which may wrap, and its length is its share of the circle. Measured from
// its beginning, an arc is an ordered interval; the whole circle is first opened at the best place.
#pragma once

#include "geometry/axis.h"

namespace pidforest::geometry {

class CyclicAxis final : public Axis {
 public:
  /// Values are from 0 up to but not including `period`; cells are as on an ordered axis.
  CyclicAxis(double period, bool has_cells) : period_(period), has_cells_(has_cells) {}

  [[nodiscard]] AxisKind kind() const override { return AxisKind::cyclic; }

  void lay_out(const NodeValues& sorted, const Interval& interval, Layout& layout) const override;
  [[nodiscard]] int groups_to_bound(const Interval& interval, int k) const override;
  [[nodiscard]] Grouping group(const NodeValues& sorted, const Interval& interval, int k,
                               const std::function<void()>& check_cancelled, Layout& layout) const override;
  [[nodiscard]] Split split_by(const NodeValues& sorted, const Interval& interval, const Layout& layout,
                               const Grouping& grouping) const override;
  void show(const NodeValues& values, const Interval& interval, Shown& shown) const override;
  [[nodiscard]] std::size_t n_order_draws(const Shown& shown) const override {
    return shown.arc_places.size() > 1 ? 1 : 0;
  }
  [[nodiscard]] SampledSides sides_of(const Shown& shown, const Interval& interval, const Draws& draws) const override;
  [[nodiscard]] Split split_at(const Shown& shown, const Interval& interval, const Draws& draws) const override;

 private:
  struct Line;
  /// A drawn cut of a line without cells. On a circle, a cut may separate only the largest gap.
  struct PlainCut {
    double cut = 0;
    bool is_margin_alone = false;
    SampledSides sides = {};
  };

  [[nodiscard]] bool is_whole(const Interval& interval) const { return interval.high - interval.low >= period_; }
  /// How far x lies after `origin`.
  [[nodiscard]] double unroll(double x, double origin) const;
  /// The point that lies `distance` after `origin`.
  [[nodiscard]] double roll(double distance, double origin) const;
  /// The first or last value of the arc that begins at `origin` and holds all values.
  [[nodiscard]] double value_at(const Shown& shown, double origin, bool is_last) const;
  [[nodiscard]] Line line_of(const Shown& shown, const Interval& interval, const Draws& draws) const;
  [[nodiscard]] PlainCut draw_plain_cut(const Line& line, bool is_circle, const Draws& draws) const;
  void lay_out_from(double origin, const NodeValues& sorted, const Interval& interval, Layout& layout) const;
  /// The border of the circle or arc before a unit of the layout.
  [[nodiscard]] double border_before(std::size_t unit, const NodeValues& sorted, const Layout& layout) const;
  /// The children that begin at `borders`, which are in the order of the circle and fill the interval.
  [[nodiscard]] Split split_into_arcs(const std::vector<double>& borders, const Interval& interval) const;

  double period_;
  bool has_cells_;
};

}  // namespace pidforest::geometry
