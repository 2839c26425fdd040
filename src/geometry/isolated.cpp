// SPDX-License-Identifier: Apache-2.0
#include "geometry/isolated.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/logarithm.h"

namespace pidforest::geometry {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// At most this share of the rows is isolated at an end, and at most this many rows.
constexpr std::size_t rows_per_isolated = 256;
constexpr std::size_t most_isolated = 4096;
/// The tail of a column is judged by this many values next to the gap; with fewer than `least_tail` there is none.
constexpr std::size_t tail_values = 50;
constexpr std::size_t least_tail = 8;
/// A gap is at least this share of the length that the other values cover. A gap of `surely_beyond` lengths needs no
/// comparison with the tail.
constexpr double least_gap = 0.25;
constexpr double surely_beyond = 2;
/// The bits that a part must have beyond its price: with and without a tail to judge by.
constexpr double least_worth = 4;
constexpr double least_worth_without_tail = 8;
/// The evidence that a gap must have against the tail, in bits beyond the price.
constexpr double least_evidence = 3;
/// Keeps differences of the largest doubles finite. The rule does not depend on the unit.
constexpr double unit = 0x1p-3;

std::size_t most_in_parts(std::uint64_t n) {
  return std::clamp<std::size_t>(static_cast<std::size_t>(n) / rows_per_isolated, 1, most_isolated);
}

double price_of(std::size_t n_axes) { return portable_log2(2 * static_cast<double>(std::max<std::size_t>(n_axes, 1))); }

/// One end of an axis. The values are turned and scaled so that the end is the upper one.
class End {
 public:
  End(std::vector<double> outermost, double far, double median, std::uint64_t n, double price)
      : v_(std::move(outermost)), far_(far), median_(median), n_(static_cast<double>(n)), price_(price) {}

  /// A part as places among the values: from `begin` up to but not including `end`.
  struct Found {
    std::size_t begin;
    std::size_t end;
    double share;
    double bits;
  };

  [[nodiscard]] bool has_long_gap(std::size_t most) const {
    for (std::size_t i = 1; i <= most && i < v_.size(); ++i)
      if (v_[i - 1] > v_[i] && is_beyond_gap(i)) return true;
    return false;
  }

  [[nodiscard]] std::vector<Found> find(std::size_t most) const {
    std::vector<Found> parts;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= most && i < v_.size(); ++i) {
      if (!(v_[i - 1] > v_[i]) || !is_beyond_gap(i)) continue;
      const std::optional<double> evidence = tail_evidence(i);
      if (evidence && !is_beyond_tail(i, *evidence)) continue;
      const double share = (v_[begin] - v_[i]) / (v_[begin] - far_);
      const double bits = portable_log2(share * (n_ - static_cast<double>(begin)) / static_cast<double>(i - begin));
      if (bits < price_ + (evidence ? least_worth : least_worth_without_tail)) continue;
      parts.push_back({begin, i, share, bits});
      begin = i;
    }
    return parts;
  }

 private:
  [[nodiscard]] double gap(std::size_t i) const { return v_[i - 1] - v_[i]; }
  [[nodiscard]] bool is_beyond_gap(std::size_t i) const { return gap(i) >= least_gap * (v_[i] - far_); }

  [[nodiscard]] bool is_beyond_tail(std::size_t i, double evidence) const {
    return gap(i) >= surely_beyond * (v_[i] - far_) ||
           evidence >= price_ + 2 * portable_log2(static_cast<double>(i)) + least_evidence;
  }

  /// How much farther from the median the `i` outermost values lie than the values next to them suggest: a test of
  /// Hill's kind. Nullopt if there is no tail to judge by. If
  /// the next values are all equal, infinity for a gap as long as the rest of the axis.
  [[nodiscard]] std::optional<double> tail_evidence(std::size_t i) const {
    std::size_t k = std::min(tail_values, v_.size() - 1 - i);
    while (k > 0 && v_[i + k] <= median_) --k;
    if (k < least_tail) return std::nullopt;
    while (i + k < v_.size() && v_[i + k] == v_[i]) ++k;
    if (i + k == v_.size()) return gap(i) >= v_[i] - far_ ? std::optional(infinity) : std::nullopt;
    if (v_[i + k] <= median_) return std::nullopt;
    const double last = portable_log(v_[i + k] - median_);
    double spread = 0;
    for (std::size_t j = 0; j < k; ++j) spread += portable_log(v_[i + j] - median_) - last;
    // Values on a grid, such as whole numbers: a gap of one or two steps is no evidence.
    const double grid = smallest_distance(i, i + k);
    const double step = std::max(0.0, portable_log(v_[i - 1] - grid - median_) - portable_log(v_[i] + grid - median_));
    return static_cast<double>(k) * portable_log2(1 + static_cast<double>(i) * step / spread);
  }

  /// The smallest distance between two different values from place `first` to `last`, which differ.
  [[nodiscard]] double smallest_distance(std::size_t first, std::size_t last) const {
    double smallest = infinity;
    for (std::size_t j = first; j < last; ++j)
      if (v_[j] > v_[j + 1]) smallest = std::min(smallest, v_[j] - v_[j + 1]);
    return smallest;
  }

  std::vector<double> v_;
  double far_;
  double median_;
  double n_;
  double price_;
};

/// The lower end for the sign -1, the upper end for 1.
End end_of(const OuterValues& values, double sign, double price) {
  const std::size_t most = most_in_parts(values.n_present);
  std::vector<double> turned = sign < 0 ? values.lowest : values.highest;
  for (double& x : turned) x *= sign * unit;
  const double far = sign < 0 ? values.highest[most] : values.lowest[most];
  return {std::move(turned), sign * unit * far, sign * unit * values.median, values.n_present, price};
}

std::vector<IsolatedPart> parts_at_end(const OuterValues& values, double sign, double price) {
  const std::vector<double>& outermost = sign < 0 ? values.lowest : values.highest;
  const End end = end_of(values, sign, price);
  std::vector<IsolatedPart> parts;
  for (const auto& [begin, stop, share, bits] : end.find(most_in_parts(values.n_present)))
    parts.push_back({.inner = outermost[stop],
                     .nearest = outermost[stop - 1],
                     .outer = outermost[begin],
                     .share = share,
                     .n_rows = stop - begin,
                     .bits = bits});
  return parts;
}

/// The bits by which a part grows when it is stretched to reach x.
double stretch_of(const IsolatedPart& part, double x) {
  constexpr double largest = std::numeric_limits<double>::max();
  const double reach = std::clamp(x, -largest, largest);
  return portable_log2((unit * reach - unit * part.inner) / (unit * part.outer - unit * part.inner));
}

}  // namespace

double IsolatedParts::core_low() const { return below.empty() ? -infinity : below.back().inner; }
double IsolatedParts::core_high() const { return above.empty() ? infinity : above.back().inner; }

const IsolatedPart* IsolatedParts::part_of(double x) const {
  for (const IsolatedPart& part : above)
    if (x > part.inner) return &part;
  for (const IsolatedPart& part : below)
    if (x < part.inner) return &part;
  return nullptr;
}

double IsolatedParts::bits_of(double x) const {
  if (std::isnan(x)) return missing_bits;
  const IsolatedPart* part = part_of(x);
  if (part == nullptr) return 0;
  const bool is_beyond = part->outer > part->inner ? x > part->outer : x < part->outer;
  return is_beyond ? part->bits + stretch_of(*part, x) : part->bits;
}

std::size_t n_outer(std::size_t n_rows) { return most_in_parts(n_rows) + tail_values + 1; }

bool has_long_gap(const OuterValues& values) {
  const std::size_t most = most_in_parts(values.n_present);
  if (values.n_present <= most) return false;
  return end_of(values, -1, 0).has_long_gap(most) || end_of(values, 1, 0).has_long_gap(most);
}

IsolatedParts find_isolated(const OuterValues& values, std::size_t n_axes) {
  const double price = price_of(n_axes);
  const std::size_t most = most_in_parts(values.n_present);
  IsolatedParts parts;
  if (values.n_present <= most || portable_log2(static_cast<double>(values.n_present)) < price + least_worth)
    return parts;
  parts.below = parts_at_end(values, -1, price);
  parts.above = parts_at_end(values, 1, price);
  return parts;
}

void isolate_missing(std::uint64_t n_missing, std::uint64_t n_rows, std::size_t n_axes, IsolatedParts& parts) {
  if (n_missing == 0) return;
  // A value is either there or not: missing values count as half of the space.
  const double bits = portable_log2(0.5 * static_cast<double>(n_rows) / static_cast<double>(n_missing));
  if (bits < price_of(n_axes) + least_worth_without_tail) return;
  parts.missing_bits = bits;
  parts.n_missing = n_missing;
}

}  // namespace pidforest::geometry
