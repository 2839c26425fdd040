// SPDX-License-Identifier: Apache-2.0
#include "geometry/ordered_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/logarithm.h"

namespace pidforest::geometry {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A cut of the values of a range: its share of the length, its share of the rows, and the same without the least and
/// the largest value, which define the range and so are no evidence.
struct CutCounts {
  CutCounts(const ValueRange& range, double cut, std::size_t below) : can_be_cut(range.can_be_cut()) {
    if (!can_be_cut) return;
    p = share_of(range.least, cut, {range.least, range.largest});
    q = static_cast<double>(below) / static_cast<double>(range.present);
    if (range.present <= 2) return;
    inner_n = static_cast<double>(range.present - 2);
    inner_q = (static_cast<double>(below) - 1) / inner_n;
  }

  [[nodiscard]] double value() const { return can_be_cut ? gain_term(p, q) + gain_term(1 - p, 1 - q) : 1; }
  [[nodiscard]] SampledSides sides() const {
    return {.value = value(),
            .evidence = inner_n > 0 ? likelihood_ratio(inner_n, inner_q, p) : 0,
            .can_be_cut = can_be_cut};
  }

  bool can_be_cut;
  double p = 0.5;
  double q = 0.5;
  double inner_n = 0;
  double inner_q = 0.5;
};

std::size_t count_below(std::span<const double> values, double cut) {
  std::size_t n = 0;
  for (const double x : values) n += x < cut ? 1 : 0;
  return n;
}

/// The sides of a cut between two cells.
SampledSides sides_of_cells(std::span<const double> values, const CellCut& cut, const CellLine& line) {
  const double seen = cut.end - cut.begin;
  // A full circle has no gap, so every cell has a value; otherwise only the cells at the ends are known to have one.
  const bool all_seen = line.is_circle && seen == line.length;
  const std::size_t below = count_below(values, cut.cut);
  const double p = (cut.cut - cut.begin) / seen;
  const double q = static_cast<double>(below) / static_cast<double>(values.size());
  const auto side = [&](double n_cells, std::array<SeenCells, 1>& seen_cells) {
    const double n_seen = all_seen ? n_cells : 1;
    seen_cells[0] = {.length = 1, .times = n_seen};
    return CellSide{seen_cells, n_cells - n_seen};
  };
  std::array<SeenCells, 1> first{};
  std::array<SeenCells, 1> second{};
  return {.value = gain_term(p, q) + gain_term(1 - p, 1 - q),
          .evidence = cell_likelihood_ratio(values.size(), below, side(cut.cut - cut.begin, first),
                                            side(cut.end - cut.cut, second)),
          .can_be_cut = true};
}

template <class BorderBetween>
Split split_groups(std::span<const double> values, const Interval& interval, const Grouping& grouping,
                   const BorderBetween& border_between) {
  Split split;
  double from = interval.low;
  for (std::size_t g = 1; g < static_cast<std::size_t>(grouping.n_groups); ++g) {
    const std::size_t first = grouping.first[g];
    const double cut = border_between(values[first - 1], values[first]);
    split.cuts.push_back(cut);
    split.shares.push_back(share_of(from, cut, interval));
    from = cut;
  }
  split.shares.push_back(share_of(from, interval.high, interval));
  set_aside_missing(split, interval);
  return split;
}

}  // namespace

ValueRange range_of(std::span<const double> values) {
  if (values.empty()) return {};
  ValueRange range{.least = values.front(), .largest = values.front(), .present = values.size()};
  for (const double x : values) {
    range.least = x < range.least ? x : range.least;
    range.largest = x > range.largest ? x : range.largest;
  }
  return range;
}

double sampled_cut(const ValueRange& range, double share) {
  const double cut = point_before(range.least, range.largest, share);
  return cut > range.least ? cut : range.largest;
}

SampledSides sides_of_cut(const ValueRange& range, double cut, std::span<const double> values) {
  return CutCounts(range, cut, count_below(values, cut)).sides();
}

SampledOffer offer_of_cut(const ValueRange& range, double missing_share, double cut, std::size_t below,
                          const Gate& gate) {
  const CutCounts counts(range, cut, below);
  if (missing_share == 0)  // judged without a logarithm where possible
    return {.gain = is_above_gate(counts.inner_n, counts.inner_q, counts.p, gate.one) ? counts.value() - 1 : 0};
  return offer_of(counts.sides(), range.present, range.missing, missing_share, gate);
}

namespace {

/// The empty margins as children, and between them the values, cut at `cut` if there is one.
Split split_with_margins(const Interval& interval, const ValueRange& range, std::optional<double> cut) {
  Split split;
  double from = interval.low;
  const auto add = [&](double border, double to) {
    split.shares.push_back(share_of(from, to, interval));
    if (border < infinity) split.cuts.push_back(border);
    from = to;
  };
  if (range.least > interval.low) add(range.least, range.least);
  if (cut) add(*cut, *cut);
  if (range.largest < interval.high) add(std::nextafter(range.largest, infinity), range.largest);
  add(infinity, interval.high);
  set_aside_missing(split, interval);
  return split;
}

}  // namespace

Split split_at(const Interval& interval, const ValueRange& range, double cut) {
  return split_with_margins(interval, range, cut);
}

double margin_evidence(const Interval& interval, const ValueRange& range) {
  if (!range.can_be_cut() || range.present <= 2) return 0;
  const double seen_share = share_of(range.least, range.largest, interval);
  return -2 * static_cast<double>(range.present - 2) * portable_log(seen_share);
}

Split split_off_margins(const Interval& interval, const ValueRange& range) {
  return split_with_margins(interval, range, std::nullopt);
}

double border_between(double lower, double upper) {
  const double middle = point_before(lower, upper, 0.5);
  return middle > lower ? middle : upper;
}

void lay_out_cells(std::span<const double> values, const Interval& interval, Cells& cells) {
  if (values.empty()) return cells.clear();
  // A power of two that keeps the length of the interval, and what it is divided into, within the range of a double.
  const double length = interval.high - interval.low;
  const double unit = length < 0x1p-900 ? 0x1p600 : length > 0x1p1000 ? 0x1p-600 : 1;
  const double low = unit * interval.low;
  const double scale = length == 0 ? 0 : 1 / (unit * interval.high - low);  // one value: no border is used
  cells.lay_out(
      values.size(),
      [&](std::size_t i) { return (0.5 * (unit * values[i]) + 0.5 * (unit * values[i + 1]) - low) * scale; },
      [&](std::size_t i) { return values[i] < values[i + 1]; });
}

Split split_by(std::span<const double> values, const Interval& interval, const Grouping& grouping) {
  return split_groups(values, interval, grouping, border_between);
}

CellCut draw_cell_cut(std::span<const double> values, const ValueRange& range, const CellLine& line, double draw) {
  CellCut cut{.begin = std::floor(range.least), .end = std::floor(range.largest) + 1};
  const double n_borders = cut.end - cut.begin - 1;
  cut.cut = n_borders > 0 ? cut.begin + 1 + std::floor(draw * n_borders) : cut.begin;
  if (n_borders > 0) cut.sides = sides_of_cells(values, cut, line);
  const double seen_share = (cut.end - cut.begin) / line.length;
  const double n_places = line.is_circle ? line.length : line.length - (cut.end - cut.begin) + 1;
  const double expected = gap_caution * n_places * chance_of_all(values.size(), seen_share);
  const SampledSides margin = sides_of_margin(values.size(), seen_share, expected);
  if (margin.evidence <= cut.sides.evidence) return cut;
  cut.sides = margin;
  cut.cut = cut.begin;
  return cut;
}

double cell_border_between(double lower, double upper) {
  return std::floor((std::floor(lower) + 1 + std::floor(upper)) / 2);
}

void OrderedAxis::lay_out(const NodeValues& sorted, const Interval& interval, Layout& layout) const {
  if (!has_cells_) return lay_out_cells(sorted.values, interval, layout.cells);
  if (sorted.values.empty()) return layout.cells.clear();
  const auto& values = sorted.values;
  layout.cells.lay_out(
      values.size(),
      [&](std::size_t i) { return share_of(interval.low, cell_border_between(values[i], values[i + 1]), interval); },
      [&](std::size_t i) { return values[i] < values[i + 1]; });
}

Split OrderedAxis::split_by(const NodeValues& sorted, const Interval& interval, const Layout& /*layout*/,
                            const Grouping& grouping) const {
  if (!has_cells_) return geometry::split_by(sorted.values, interval, grouping);
  return split_groups(sorted.values, interval, grouping, cell_border_between);
}

SampledSides OrderedAxis::sides_of(const Shown& shown, const Interval& interval, const Draws& draws) const {
  const auto& values = shown.node.values;
  if (values.empty()) return {};
  const ValueRange range = range_of(values);
  if (!has_cells_) return sides_of_cut(range, sampled_cut(range, draws.cut), values);
  return draw_cell_cut(values, range, {interval.high - interval.low}, draws.cut).sides;
}

Split OrderedAxis::split_at(const Shown& shown, const Interval& interval, const Draws& draws) const {
  const ValueRange range = range_of(shown.node.values);
  if (!has_cells_) return geometry::split_at(interval, range, sampled_cut(range, draws.cut));
  const CellCut cut = draw_cell_cut(shown.node.values, range, {interval.high - interval.low}, draws.cut);
  Split split;
  double from = interval.low;
  for (const double border : {cut.begin, cut.cut, cut.end}) {
    if (border <= from || border >= interval.high) continue;
    split.shares.push_back(share_of(from, border, interval));
    split.cuts.push_back(border);
    from = border;
  }
  split.shares.push_back(share_of(from, interval.high, interval));
  set_aside_missing(split, interval);
  return split;
}

}  // namespace pidforest::geometry
