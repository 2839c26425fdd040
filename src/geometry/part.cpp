// SPDX-License-Identifier: Apache-2.0
#include "geometry/part.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "geometry/logarithm.h"

namespace pidforest::geometry {

namespace {

bool holds_level(const Part& part, double code) {
  const auto range =
      std::partition_point(part.levels.begin(), part.levels.end(), [&](const CodeRange& r) { return r.end <= code; });
  return range != part.levels.end() && range->begin <= code;
}

/// The share of the values' length.
double share_of_values(const Part& part, const Interval& root) {
  if (part.kind == AxisKind::category) {
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

}  // namespace

bool Part::holds(double x) const {
  if (std::isnan(x) || is_missing) return std::isnan(x) && is_missing;
  if (kind == AxisKind::category) return holds_level(*this, x);
  const bool is_open = high == std::numeric_limits<double>::infinity();
  if (kind == AxisKind::ordered || low < high) return low <= x && (x < high || is_open);
  return low <= x || x < high;
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
