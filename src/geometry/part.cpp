// SPDX-License-Identifier: Apache-2.0
#include "geometry/part.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "geometry/logarithm.h"

namespace pidforest::geometry {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The part's share of the length of all values that are not missing.
double share_of_values(const Part& part, const Interval& root) {
  if (part.kind == AxisKind::category) {
    if (!part.levels.empty() && part.levels.front().begin >= root.high) return 1;
    double n = 0;
    for (const CodeRange& range : part.levels) n += std::min<double>(range.end, root.high) - range.begin;
    return n / root.high;
  }
  if (part.kind == AxisKind::cyclic) {
    const double length = part.high - part.low;
    return (length > 0 ? length : length + root.high) / root.high;
  }
  if (part.low > root.high || part.high <= root.low) return 1;
  return share_of(std::clamp(part.low, root.low, root.high), std::clamp(part.high, root.low, root.high), root);
}

void narrow_ordered(const Fork& fork, std::uint32_t child, Part& part) {
  if (child > 0) part.low = std::max(part.low, fork.cuts[child - 1]);
  if (child < fork.cuts.size()) part.high = std::min(part.high, fork.cuts[child]);
}

/// The last child within an arc ends where the arc does, though its stretch continues around the circle to where the
/// arc begins.
void narrow_cyclic(const Fork& fork, std::uint32_t child, bool is_circle, Part& part) {
  const auto n = static_cast<std::uint32_t>(fork.cuts.size());
  const std::uint32_t stretch = (child + n - fork.first) % n;
  const double from = fork.cuts[(stretch + n - 1) % n];
  const double to = fork.cuts[stretch];
  if (from == to) return;
  if (is_circle || to != part.low) part.high = to;
  part.low = from;
}

/// The levels of `ranges` that no piece of the fork has.
std::vector<CodeRange> without_pieces(const std::vector<CodeRange>& ranges, std::span<const Piece> pieces) {
  std::vector<CodeRange> left;
  auto piece = pieces.begin();
  for (const CodeRange& range : ranges) {
    std::uint32_t begin = range.begin;
    for (; piece != pieces.end() && piece->codes.begin < range.end; ++piece) {
      if (begin < piece->codes.begin) left.push_back({begin, piece->codes.begin});
      begin = std::max(begin, piece->codes.end);
    }
    if (begin < range.end) left.push_back({begin, range.end});
  }
  return left;
}

void narrow_category(const Fork& fork, std::uint32_t child, Part& part) {
  std::vector<CodeRange> levels;
  if (fork.first == child) levels = without_pieces(part.levels, fork.pieces);
  for (const Piece& piece : fork.pieces)
    if (piece.child == child) levels.push_back(piece.codes);
  std::ranges::sort(levels, {}, &CodeRange::begin);
  part.levels.clear();
  for (const CodeRange& range : levels)  // adjacent ranges become one
    if (!part.levels.empty() && part.levels.back().end == range.begin)
      part.levels.back().end = range.end;
    else
      part.levels.push_back(range);
}

}  // namespace

std::size_t Part::n_stretches() const {
  if (is_missing) return 0;
  if (kind == AxisKind::category) return levels.size();
  return wraps() ? 2 : 1;
}

Stretch Part::stretch(std::size_t i) const {
  if (kind == AxisKind::category) return {static_cast<double>(levels[i].begin), static_cast<double>(levels[i].end)};
  if (!wraps()) return {low, high};
  return i == 0 ? Stretch{.high = high} : Stretch{.low = low};
}

bool Part::holds(double x) const {
  if (std::isnan(x) || is_missing) return std::isnan(x) && is_missing;
  const auto all = stretches();
  const auto next = std::ranges::partition_point(all, [&](const Stretch& stretch) { return stretch.is_below(x); });
  return next != all.end() && (*next).holds(x);
}

void add_ends(const Part& part, std::vector<double>& ends) {
  for (const Stretch& stretch : part.stretches())
    for (const double end : {stretch.low, stretch.high})
      if (std::isfinite(end)) ends.push_back(end);
}

Bounds bounds_of(const Part& part) {
  const bool is_range = part.kind != AxisKind::cyclic && part.kind != AxisKind::category;
  if (!is_range || !std::isfinite(part.low) || !std::isfinite(part.high)) return Bounds(part);
  return {{.axis = part.axis, .kind = part.kind, .low = part.low},
          {.axis = part.axis, .kind = part.kind, .high = part.high}};
}

Part whole_part(std::uint32_t axis, AxisKind kind) {
  Part part{.axis = axis, .kind = kind};
  if (kind == AxisKind::cyclic) part.low = part.high = 0;
  if (kind == AxisKind::category) part.levels = {{0, std::numeric_limits<std::uint32_t>::max()}};
  return part;
}

Part child_part(const Part& whole, const Fork& fork, std::uint32_t child, bool is_all_of_axis) {
  Part part = whole;
  if (fork.kind == AxisKind::category)
    narrow_category(fork, child, part);
  else if (fork.kind == AxisKind::cyclic)
    narrow_cyclic(fork, child, is_all_of_axis, part);
  else
    narrow_ordered(fork, child, part);
  return part;
}

Part part_between(std::uint32_t axis, AxisKind kind, const Stretch& values, const Interval& root) {
  Part part{.axis = axis, .kind = kind};
  if (kind == AxisKind::category) {
    part.levels = {{static_cast<std::uint32_t>(std::max(values.low, root.low)),
                    static_cast<std::uint32_t>(std::min(values.high, root.high))}};
    return part;
  }
  const bool is_cyclic = kind == AxisKind::cyclic;
  part.low = is_cyclic ? std::max(values.low, 0.0) : values.low;
  part.high = is_cyclic && values.high == infinity ? 0.0 : values.high;
  return part;
}

double distance_to(double x, AxisKind kind, const Stretch& values, const Interval& root) {
  constexpr double no_distance = 0.5;
  if (std::isnan(x) || kind == AxisKind::category) return no_distance;
  const double from_below = share_of(x, std::max(values.low, root.low), root);
  const double from_above = share_of(std::min(values.high, root.high), x, root);
  if (kind != AxisKind::cyclic) return std::max(from_below, from_above);
  const auto around = [](double share) { return share < 0 ? share + 1 : share; };
  return std::min(around(from_below), around(from_above));
}

bool comes_before(const Part& a, const Part& b) {
  const auto ends = [](const Part& part) { return std::tuple(part.axis, part.is_missing, part.low, part.high); };
  if (ends(a) != ends(b)) return ends(a) < ends(b);
  return std::ranges::lexicographical_compare(
      a.levels, b.levels, {}, [](const CodeRange& range) { return std::pair(range.begin, range.end); },
      [](const CodeRange& range) { return std::pair(range.begin, range.end); });
}

double share_of(const Part& part, const Interval& root) {
  const double values = 1 - root.missing_share;
  return floored_share(part.is_missing ? root.missing_share : values * share_of_values(part, root));
}

double log2_volume(const Parts& parts, std::span<const Interval> root) {
  double sum = 0;
  for (const Part& part : parts) sum += portable_log2(share_of(part, root[part.axis]));
  return sum;
}

double bits_of(double log2_volume, std::uint64_t n_inside, std::uint64_t n_rows) {
  const auto at_least_half = [](std::uint64_t n) { return portable_log2(std::max(static_cast<double>(n), 0.5)); };
  return log2_volume + at_least_half(n_rows) - at_least_half(n_inside);
}

}  // namespace pidforest::geometry
