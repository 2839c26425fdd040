// SPDX-License-Identifier: Apache-2.0
#include "geometry/cyclic_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/circle.h"
#include "geometry/ordered_axis.h"

namespace pidforest::geometry {

/// The values of a node as seen from the beginning of the arc that they are cut on.
struct CyclicAxis::Line {
  double origin;
  std::vector<double> distances;
  Interval interval;
};

double CyclicAxis::unroll(double x, double origin) const {
  const double distance = x - origin;
  return distance < 0 ? distance + period_ : distance;
}

double CyclicAxis::roll(double distance, double origin) const {
  const double x = origin + distance;
  return x < period_ ? x : x - period_;
}

double CyclicAxis::begin_of_shortest_arc(const NodeValues& values, double draw) const {
  // Seen from the first row's value: turning the circle then turns the answer with it, also where gaps are equal.
  const auto first_row = std::min_element(values.rows.begin(), values.rows.end()) - values.rows.begin();
  const double reference = values.values[static_cast<std::size_t>(first_row)];
  std::vector<double> distances;
  for (const double x : values.values) distances.push_back(unroll(x, reference));
  std::sort(distances.begin(), distances.end());
  double largest = period_ - distances.back();
  std::vector<std::size_t> after_gap{0};
  for (std::size_t i = 1; i < distances.size(); ++i) {
    const double gap = distances[i] - distances[i - 1];
    if (gap > largest) after_gap.clear();
    if (gap >= largest) after_gap.push_back(i);
    largest = std::max(largest, gap);
  }
  const double begin = distances[after_gap[static_cast<std::size_t>(draw * static_cast<double>(after_gap.size()))]];
  // The value itself, not what rounding makes of it.
  const auto found = std::ranges::find_if(values.values, [&](double x) { return unroll(x, reference) == begin; });
  return has_cells_ ? std::floor(*found) : *found;
}

CyclicAxis::Line CyclicAxis::line_of(const NodeValues& values, const Interval& interval, const Draws& draws) const {
  Line line{.origin = interval.low, .distances = {}, .interval = {0, interval.high - interval.low}};
  if (values.values.empty()) return line;
  if (is_whole(interval)) line.origin = begin_of_shortest_arc(values, draws.order.front());
  for (const double x : values.values) line.distances.push_back(unroll(x, line.origin));
  return line;
}

CyclicAxis::PlainCut CyclicAxis::draw_plain_cut(const Line& line, bool is_circle, const Draws& draws) const {
  const ValueRange range = range_of(line.distances);
  PlainCut cut{.cut = sampled_cut(range, draws.cut),
               .sides = OrderedAxis(false).sides_of({.values = line.distances}, line.interval, draws)};
  if (!is_circle || !range.can_be_cut()) return cut;
  // How many gaps as long as the largest an even spread has, on average.
  const double seen_share = range.largest / period_;
  const double expected =
      gap_caution * static_cast<double>(range.present) * chance_of_all(range.present - 1, seen_share);
  const SampledSides margin = sides_of_margin(range.present, seen_share, expected);
  if (margin.evidence > cut.sides.evidence) cut = {.is_margin_alone = true, .sides = margin};
  return cut;
}

SampledSides CyclicAxis::sides_of(const NodeValues& values, const Interval& interval, const Draws& draws) const {
  const Line line = line_of(values, interval, draws);
  if (line.distances.empty()) return {};
  if (!has_cells_) return draw_plain_cut(line, is_whole(interval), draws).sides;
  return draw_cell_cut(line.distances, {line.interval.high, is_whole(interval)}, draws.cut).sides;
}

Split CyclicAxis::split_at(const NodeValues& values, const Interval& interval, const Draws& draws) const {
  const Line line = line_of(values, interval, draws);
  std::vector<double> borders{line.origin};
  const auto add = [&](double border) {
    if (border != borders.back() && border != borders.front()) borders.push_back(border);
  };
  if (has_cells_) {
    const CellCut cut = draw_cell_cut(line.distances, {line.interval.high, is_whole(interval)}, draws.cut);
    for (const double border : {cut.begin, cut.cut, cut.end})
      if (border < line.interval.high) add(roll(border, line.origin));
    return split_into_arcs(borders, interval);
  }
  const PlainCut drawn = draw_plain_cut(line, is_whole(interval), draws);
  const auto [nearest, farthest] = std::minmax_element(line.distances.begin(), line.distances.end());
  const double first = values.values[static_cast<std::size_t>(nearest - line.distances.begin())];
  const double last = values.values[static_cast<std::size_t>(farthest - line.distances.begin())];
  // What is no longer than rounding makes it is no margin: it would come and go as the circle is turned.
  const double shortest_margin = period_ * smallest_share;
  if (*nearest > shortest_margin) add(first);
  if (!drawn.is_margin_alone) {
    const double cut = roll(drawn.cut, line.origin);
    const double distance = unroll(cut, first);
    add(distance > 0 && distance <= unroll(last, first) ? cut : last);
  }
  const double after_last = std::nextafter(last, std::numeric_limits<double>::infinity());
  if (line.interval.high - *farthest > shortest_margin) add(after_last < period_ ? after_last : 0);
  return split_into_arcs(borders, interval);
}

Split CyclicAxis::split_into_arcs(const std::vector<double>& borders, const Interval& interval) const {
  const double whole = interval.high - interval.low;
  Split split{.kind = AxisKind::cyclic};
  double from = 0;
  for (std::size_t i = 0; i < borders.size(); ++i) {
    const bool is_last = i + 1 == borders.size();
    const double to = is_last ? whole : std::max(from, unroll(borders[i + 1], borders[0]));
    split.shares.push_back((to - from) / whole);
    split.parts.push_back({.low = borders[i], .high = borders[i] + (to - from)});
    from = to;
  }
  const auto least = std::min_element(borders.begin(), borders.end());
  split.cuts.assign(least, borders.end());
  split.cuts.insert(split.cuts.end(), borders.begin(), least);
  for (std::size_t i = 1; i < split.cuts.size(); ++i) split.cuts[i] = std::max(split.cuts[i], split.cuts[i - 1]);
  // What lies before the first cut belongs to the child that begins at the last.
  split.first = static_cast<std::uint32_t>((static_cast<std::size_t>(least - borders.begin()) + borders.size() - 1) %
                                           borders.size());
  set_aside_missing(split, interval);
  return split;
}

void CyclicAxis::lay_out_from(double origin, const NodeValues& sorted, const Interval& interval, Layout& layout) const {
  const auto after = std::lower_bound(sorted.values.begin(), sorted.values.end(), origin);
  layout.origin = origin;
  layout.unrolled.clear();
  for (auto x = after; x != sorted.values.end(); ++x) layout.unrolled.push_back(unroll(*x, origin));
  for (auto x = sorted.values.begin(); x != after; ++x) layout.unrolled.push_back(unroll(*x, origin));
  OrderedAxis(has_cells_).lay_out({.values = layout.unrolled}, {0, interval.high - interval.low}, layout);
}

void CyclicAxis::lay_out(const NodeValues& sorted, const Interval& interval, Layout& layout) const {
  if (sorted.values.empty()) return layout.cells.clear();
  if (!is_whole(interval)) return lay_out_from(interval.low, sorted, interval, layout);
  // From the first row's value on: turning the circle then turns the layout with it.
  const auto first_row = std::min_element(sorted.rows.begin(), sorted.rows.end()) - sorted.rows.begin();
  const double first = sorted.values[static_cast<std::size_t>(first_row)];
  const auto place = std::lower_bound(sorted.values.begin(), sorted.values.end(), first);
  const double before = place == sorted.values.begin() ? sorted.values.back() : *std::prev(place);
  // As seen from the value before, which is on the same cell or place if there is no other.
  const double distance = before == first ? period_ : unroll(first, before);
  const double start = has_cells_ ? std::floor(before) : before;
  const double border = has_cells_ ? cell_border_between(0.5, distance + 0.5) : border_between(0, distance);
  lay_out_from(roll(border, start), sorted, interval, layout);
}

int CyclicAxis::groups_to_bound(const Interval& interval, int k) const { return is_whole(interval) ? k + 1 : k; }

double CyclicAxis::border_before(std::size_t unit, const NodeValues& sorted, const Layout& layout) const {
  const double lower = layout.unrolled[unit - 1];
  const double upper = layout.unrolled[unit];
  if (has_cells_) return roll(cell_border_between(lower, upper), layout.origin);
  const double border = roll(border_between(lower, upper), layout.origin);
  const auto after = std::lower_bound(sorted.values.begin(), sorted.values.end(), layout.origin);
  const auto n_before = static_cast<std::size_t>(sorted.values.end() - after);
  const auto value = [&](std::size_t i) {  // not what rounding made of it
    return i < n_before ? after[static_cast<std::ptrdiff_t>(i)] : sorted.values[i - n_before];
  };
  return border == value(unit - 1) ? value(unit) : border;
}

Grouping CyclicAxis::group(const NodeValues& sorted, const Interval& interval, int k,
                           const std::function<void()>& breathe, Layout& layout) const {
  if (!is_whole(interval)) return Axis::group(sorted, interval, k, breathe, layout);
  const auto [opening, grouping] = partition_circle(layout.cells, k, breathe);
  if (opening > 0) lay_out_from(border_before(opening, sorted, layout), sorted, interval, layout);
  return grouping;
}

Split CyclicAxis::split_by(const NodeValues& sorted, const Interval& interval, const Layout& layout,
                           const Grouping& grouping) const {
  if (grouping.n_groups == 1) return split_off_missing(interval);
  std::vector<double> borders{layout.origin};
  for (std::size_t g = 1; g < static_cast<std::size_t>(grouping.n_groups); ++g)
    borders.push_back(border_before(grouping.first[g], sorted, layout));
  return split_into_arcs(borders, interval);
}

}  // namespace pidforest::geometry
