// SPDX-License-Identifier: Apache-2.0
#include "geometry/cyclic_axis.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/circle.h"
#include "geometry/ordered_axis.h"
#include "system/per_thread.h"

namespace pidforest::geometry {

struct CyclicAxis::Line {
  double origin;
  std::span<const double> distances;
  ValueRange range;
  Interval interval;
};

double CyclicAxis::unroll(double x, double origin) const {
  const double distance = x - origin;
  return distance + (distance < 0 ? period_ : 0);  // without a branch, which would be taken at random
}

double CyclicAxis::roll(double distance, double origin) const {
  const double x = origin + distance;
  return x < period_ ? x : x - period_;
}

void CyclicAxis::show(const NodeValues& values, const Interval& interval, Shown& shown) const {
  shown.node = values;
  shown.arc_places.clear();
  shown.arc_begins.clear();
  shown.distances.resize(values.values.size());
  if (values.values.empty()) return;
  // Measured from the first row's value, so that turning the circle turns the arcs with it, even if gaps are equal.
  const double reference = is_whole(interval) ? values.values.front() : interval.low;
  std::ranges::transform(values.values, shown.distances.begin(), [&](double x) { return unroll(x, reference); });
  if (!is_whole(interval)) return;

  static const system::PerThread<hwy::Sorter> sorters;  // may hold a buffer, so each thread has its own
  auto& distances = shown.distances;
  sorters()(distances.data(), distances.size(), hwy::SortAscending());
  double largest = period_ - distances.back();
  for (std::size_t i = 1; i < distances.size(); ++i) largest = std::max(largest, distances[i] - distances[i - 1]);
  if (period_ - distances.back() == largest) shown.arc_places.push_back(0);
  for (std::size_t i = 1; i < distances.size(); ++i)
    if (distances[i] - distances[i - 1] == largest) shown.arc_places.push_back(i);
  for (const std::size_t place : shown.arc_places) {  // the value itself, not what rounding makes of it
    const auto found =
        std::ranges::find_if(values.values, [&](double x) { return unroll(x, reference) == distances[place]; });
    shown.arc_begins.push_back(has_cells_ ? std::floor(*found) : *found);
  }
}

/// The values of a node as seen from the beginning of the arc that they are cut on; valid until the next call.
CyclicAxis::Line CyclicAxis::line_of(const Shown& shown, const Interval& interval, const Draws& draws) const {
  const Interval whole{0, interval.high - interval.low};
  if (shown.arc_places.empty()) return {interval.low, shown.distances, range_of(shown.distances), whole};
  std::size_t arc = 0;
  if (shown.arc_places.size() > 1)
    arc = static_cast<std::size_t>(draws.order.front() * static_cast<double>(shown.arc_places.size()));
  const auto begin = shown.distances.begin() + static_cast<std::ptrdiff_t>(shown.arc_places[arc]);
  const double half_cell = has_cells_ ? 0.5 : 0;
  static const system::PerThread<std::vector<double>> lines;
  std::vector<double>& turned = lines();
  turned.resize(shown.distances.size());
  const double to_begin = half_cell - *begin;
  auto next = std::transform(begin, shown.distances.end(), turned.begin(), [&](double x) { return x + to_begin; });
  std::transform(shown.distances.begin(), begin, next, [&](double x) { return x + (period_ + to_begin); });
  return {shown.arc_begins[arc], turned, {turned.front(), turned.back(), turned.size(), 0}, whole};
}

CyclicAxis::PlainCut CyclicAxis::draw_plain_cut(const Line& line, bool is_circle, const Draws& draws) const {
  const ValueRange& range = line.range;
  PlainCut cut{.cut = sampled_cut(range, draws.cut)};
  cut.sides = sides_of_cut(range, cut.cut, line.distances);
  if (!is_circle || !range.can_be_cut()) return cut;
  // The expected number of gaps at least as long as the largest, under an even spread.
  const double seen_share = range.largest / period_;
  const double expected =
      gap_caution * static_cast<double>(range.present) * chance_of_all(range.present - 1, seen_share);
  const SampledSides margin = sides_of_margin(range.present, seen_share, expected);
  if (margin.evidence > cut.sides.evidence) cut = {.is_margin_alone = true, .sides = margin};
  return cut;
}

SampledSides CyclicAxis::sides_of(const Shown& shown, const Interval& interval, const Draws& draws) const {
  if (shown.node.values.empty()) return {};
  const Line line = line_of(shown, interval, draws);
  if (!has_cells_) return draw_plain_cut(line, is_whole(interval), draws).sides;
  return draw_cell_cut(line.distances, line.range, {line.interval.high, is_whole(interval)}, draws.cut).sides;
}

Split CyclicAxis::split_at(const Shown& shown, const Interval& interval, const Draws& draws) const {
  const Line line = line_of(shown, interval, draws);
  std::vector<double> borders{line.origin};
  const auto add = [&](double border) {
    if (border != borders.back() && border != borders.front()) borders.push_back(border);
  };
  if (has_cells_) {
    const CellCut cut = draw_cell_cut(line.distances, line.range, {line.interval.high, is_whole(interval)}, draws.cut);
    for (const double border : {cut.begin, cut.cut, cut.end})
      if (border < line.interval.high) add(roll(border, line.origin));
    return split_into_arcs(borders, interval);
  }
  const PlainCut drawn = draw_plain_cut(line, is_whole(interval), draws);
  const double nearest = line.range.least;
  const double farthest = line.range.largest;
  const double first = value_at(shown, line.origin, false);
  const double last = value_at(shown, line.origin, true);
  // A gap no longer than the rounding error is not a margin: it would come and go as the circle is turned.
  const double shortest_margin = period_ * smallest_share;
  if (nearest > shortest_margin) add(first);
  if (!drawn.is_margin_alone) {
    const double cut = roll(drawn.cut, line.origin);
    const double distance = unroll(cut, first);
    add(distance > 0 && distance <= unroll(last, first) ? cut : last);
  }
  const double after_last = std::nextafter(last, std::numeric_limits<double>::infinity());
  if (line.interval.high - farthest > shortest_margin) add(after_last < period_ ? after_last : 0);
  return split_into_arcs(borders, interval);
}

double CyclicAxis::value_at(const Shown& shown, double origin, bool is_last) const {
  const auto nearer = [&](double a, double b) { return unroll(a, origin) < unroll(b, origin); };
  return is_last ? *std::ranges::max_element(shown.node.values, nearer)
                 : *std::ranges::min_element(shown.node.values, nearer);
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
  // The values before the first cut belong to the child that begins at the last cut.
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
  // Measured from the value before, which is the same cell or place if there is no other.
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
                           const std::function<void()>& check_cancelled, Layout& layout) const {
  if (!is_whole(interval)) return Axis::group(sorted, interval, k, check_cancelled, layout);
  const auto [opening, grouping] = partition_circle(layout.cells, k, check_cancelled);
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
