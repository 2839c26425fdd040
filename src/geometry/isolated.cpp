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
/// New values are looked for up to this many lengths of the core beyond it, and found by this number of halvings.
constexpr double most_reach = 4096;
constexpr int reach_steps = 24;
/// The fewest bits of an unseen level: more than any automatic threshold.
constexpr double least_unseen_bits = 5;
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

  /// A part as places among the values: from `begin` up to but not including `end`. It holds values from `from` on.
  struct Found {
    std::size_t begin;
    std::size_t end;
    double from;
    double share;
    double bits;
  };

  [[nodiscard]] std::vector<Found> find(std::size_t most, bool is_line) const {
    std::vector<Found> parts;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= most && i < v_.size(); ++i) {
      if (!(v_[i - 1] > v_[i]) || !is_beyond_gap(gap(i), i)) continue;
      const std::optional<double> evidence = evidence_of(tail_next_to(i), v_[i - 1], i, static_cast<double>(i));
      if (evidence && !is_beyond_tail(gap(i), i, *evidence, static_cast<double>(i))) continue;
      const double share = (v_[begin] - v_[i]) / (v_[begin] - far_);
      const double bits = portable_log2(share * (n_ - static_cast<double>(begin)) / static_cast<double>(i - begin));
      if (bits < worth(evidence.has_value())) continue;
      const double middle = v_[i] + gap(i) / 2;
      parts.push_back({begin, i, is_line && v_[i] < middle && middle <= v_[i - 1] ? middle : v_[i - 1], share, bits});
      begin = i;
    }
    if (is_line) reach_for_new_values(parts, begin);
    return parts;
  }

 private:
  /// The values next to a gap: how far they spread on the scale of logarithms, and the grid that they lie on. A spread
  /// of 0 says that they are all equal.
  struct Tail {
    double n_values;
    double spread;
    double grid;
  };

  [[nodiscard]] double gap(std::size_t i) const { return v_[i - 1] - v_[i]; }
  [[nodiscard]] double length(std::size_t i) const { return v_[i] - far_; }
  [[nodiscard]] bool is_beyond_gap(double gap, std::size_t i) const { return gap >= least_gap * length(i); }
  [[nodiscard]] double worth(bool has_tail) const {
    return price_ + (has_tail ? least_worth : least_worth_without_tail);
  }

  [[nodiscard]] bool is_beyond_tail(double gap, std::size_t i, double evidence, double count) const {
    return gap >= surely_beyond * length(i) || evidence >= price_ + 2 * portable_log2(count) + least_evidence;
  }

  /// The tail that begins with value number i; nullopt if there is none to judge by.
  [[nodiscard]] std::optional<Tail> tail_next_to(std::size_t i) const {
    std::size_t k = std::min(tail_values, v_.size() - 1 - i);
    while (k > 0 && v_[i + k] <= median_) --k;
    if (k < least_tail) return std::nullopt;
    while (i + k < v_.size() && v_[i + k] == v_[i]) ++k;
    if (i + k == v_.size()) return Tail{static_cast<double>(k), 0, 0};
    if (v_[i + k] <= median_) return std::nullopt;
    const double last = portable_log(v_[i + k] - median_);
    double spread = 0;
    for (std::size_t j = 0; j < k; ++j) spread += portable_log(v_[i + j] - median_) - last;
    return Tail{static_cast<double>(k), spread, smallest_distance(i, i + k)};
  }

  /// How much farther from the median `count` values from x on lie, beyond a gap above value number i, than the values
  /// next to it suggest: a test of Hill's kind. Nullopt if there is no tail to judge by. If the next values are all
  /// equal, infinity for a gap as long as the rest of the axis.
  [[nodiscard]] std::optional<double> evidence_of(const std::optional<Tail>& tail, double x, std::size_t i,
                                                  double count) const {
    if (!tail) return std::nullopt;
    if (tail->spread == 0) return x - v_[i] >= length(i) ? std::optional(infinity) : std::nullopt;
    // Values on a grid, such as whole numbers: a gap of one or two steps is no evidence.
    const double step =
        std::max(0.0, portable_log(x - tail->grid - median_) - portable_log(v_[i] + tail->grid - median_));
    return tail->n_values * portable_log2(1 + count * step / tail->spread);
  }

  /// Whether one new value would be isolated by a gap above value number i, the last one of the core.
  [[nodiscard]] bool would_be_isolated(const std::optional<Tail>& tail, double gap, std::size_t i) const {
    const std::optional<double> evidence = evidence_of(tail, v_[i] + gap, i, 1);
    return is_beyond_gap(gap, i) && !(evidence && !is_beyond_tail(gap, i, *evidence, 1)) &&
           new_bits(gap, i) >= worth(evidence.has_value());
  }
  [[nodiscard]] double new_share(double gap, std::size_t i) const { return gap / (gap + length(i)); }
  [[nodiscard]] double new_bits(double gap, std::size_t i) const {
    return portable_log2(new_share(gap, i) * (n_ - static_cast<double>(i) + 1));
  }

  /// The shortest gap above value number i, the last one of the core, that would isolate a new value; nullopt if none
  /// would.
  [[nodiscard]] std::optional<double> reach(std::size_t i) const {
    if (i >= v_.size() || !(length(i) > 0)) return std::nullopt;
    const std::optional<Tail> tail = tail_next_to(i);
    double too_short = 0;
    double enough = least_gap * length(i);
    for (; std::isfinite((v_[i] + enough) / unit) && !would_be_isolated(tail, enough, i); enough *= 2) {
      too_short = enough;
      if (enough > most_reach * length(i)) return std::nullopt;
    }
    if (!std::isfinite((v_[i] + enough) / unit)) return std::nullopt;
    for (int step = 0; step < reach_steps; ++step) {
      const double middle = too_short + (enough - too_short) / 2;
      (would_be_isolated(tail, middle, i) ? enough : too_short) = middle;
    }
    return enough;
  }

  /// The innermost part, or one without rows if there is no part, begins where a new value would be isolated.
  void reach_for_new_values(std::vector<Found>& parts, std::size_t core) const {
    const std::optional<double> gap = reach(core);
    if (!gap || !(v_[core] + *gap > v_[core])) return;
    if (parts.empty())
      parts.push_back({0, 0, v_[0] + *gap, new_share(*gap, 0), new_bits(*gap, 0)});
    else
      parts.back().from = std::min(v_[core] + *gap, v_[core - 1]);
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
  for (const auto& [begin, stop, from, share, bits] : end.find(most_in_parts(values.n_present), values.is_line)) {
    const double nearest = from / (sign * unit);
    parts.push_back({.inner = outermost[stop],
                     .nearest = nearest,
                     .outer = begin < stop ? outermost[begin] : nearest,
                     .share = share,
                     .n_rows = stop - begin,
                     .bits = bits});
  }
  return parts;
}

/// The bits by which a part grows when it is stretched to reach x.
double stretch_of(const IsolatedPart& part, double x) {
  constexpr double largest = std::numeric_limits<double>::max();
  const double reach = std::clamp(x, -largest, largest);
  return portable_log2((unit * reach - unit * part.inner) / (unit * part.outer - unit * part.inner));
}

}  // namespace

bool IsolatedParts::has_rows() const {
  return n_missing > 0 || std::isfinite(core_low()) || std::isfinite(core_high());
}

double IsolatedParts::core_low() const {
  return below.empty() || below.back().n_rows == 0 ? -infinity : below.back().inner;
}
double IsolatedParts::core_high() const {
  return above.empty() || above.back().n_rows == 0 ? infinity : above.back().inner;
}

const IsolatedPart* IsolatedParts::part_of(double x) const {
  for (const IsolatedPart& part : above)
    if (x >= part.nearest) return &part;
  for (const IsolatedPart& part : below)
    if (x <= part.nearest) return &part;
  return nullptr;
}

bool IsolatedParts::joins_rows(double x) const {
  const IsolatedPart* part = part_of(x);
  return part != nullptr && part->n_rows > 0;
}

double IsolatedParts::bits_of(double x) const {
  if (std::isnan(x)) return missing_bits;
  const IsolatedPart* part = part_of(x);
  if (part == nullptr) return 0;
  const bool is_beyond = part->outer > part->inner ? x > part->outer : x < part->outer;
  return is_beyond ? part->bits + stretch_of(*part, x) : part->bits;
}

std::size_t n_outer(std::size_t n_rows) { return most_in_parts(n_rows) + tail_values + 1; }

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

void isolate_unseen(std::size_t n_levels, std::uint64_t n_present, const SampledLevels& sample, std::size_t n_axes,
                    IsolatedParts& parts) {
  const auto code = static_cast<double>(n_levels);
  const double share = 1 / (code + 1);
  const double bits = portable_log2(share * static_cast<double>(n_present + 1));
  const double evidence =
      portable_log2(static_cast<double>(sample.n_rows + 1) / static_cast<double>(sample.n_once + 1));
  if (n_levels == 0 || bits < least_unseen_bits || evidence < price_of(n_axes) + least_worth) return;
  parts.above = {{.inner = code - 1, .nearest = code, .outer = code, .share = share, .n_rows = 0, .bits = bits}};
}

void isolate_missing(std::uint64_t n_missing, std::uint64_t n_rows, std::size_t n_axes, IsolatedParts& parts) {
  // A value is either there or not: missing values count as half of the space. If none is missing, one may come.
  const auto n = static_cast<double>(std::max<std::uint64_t>(n_missing, 1));
  const double bits = portable_log2(0.5 * static_cast<double>(n_missing == 0 ? n_rows + 1 : n_rows) / n);
  if (bits < price_of(n_axes) + least_worth_without_tail) return;
  parts.missing_bits = bits;
  parts.n_missing = n_missing;
}

}  // namespace pidforest::geometry
