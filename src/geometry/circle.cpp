// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry/circle.cpp"
#include "geometry/circle.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <limits>
#include <vector>

#ifndef PIDFOREST_GEOMETRY_CIRCLE_BOUNDS
#define PIDFOREST_GEOMETRY_CIRCLE_BOUNDS
namespace pidforest::geometry {

/// What bounds the worth of groupings without a border at 0, by the distance of a border from the end: last[i] belongs
/// to the border a = n - i, and is padded with what cannot be.
struct CircleBounds {
  /// The length from the border to the end.
  std::vector<float> length;
  /// The best worth of at most k groups from the beginning to the border.
  std::vector<float> best_before;
  /// reciprocal[c] = 1 / c.
  std::vector<float> reciprocal;
};

/// The bound for a first border b, seen from the beginning.
struct FirstBorder {
  std::size_t border;
  float length;
  float worth;
};

inline constexpr std::size_t most_lanes = 16;

}  // namespace pidforest::geometry
#endif

HWY_BEFORE_NAMESPACE();
namespace pidforest::geometry::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The bounds with all last borders that are `n_last` or less from the end, into `bounds`; returns the largest.
float BoundPairs(const CircleBounds& last, const FirstBorder& first, std::size_t n_last, float* bounds) {
  const hn::CappedTag<float, most_lanes> d;
  const auto length = hn::Set(d, first.length);
  const auto worth = hn::Set(d, first.worth);
  auto largest = hn::Set(d, -std::numeric_limits<float>::infinity());
  for (std::size_t i = 1; i <= n_last; i += hn::Lanes(d)) {
    const auto around = hn::Add(hn::LoadU(d, last.length.data() + i), length);
    const auto joined = hn::Mul(hn::Mul(around, around), hn::LoadU(d, last.reciprocal.data() + first.border + i));
    const auto bound = hn::Add(hn::Sub(hn::LoadU(d, last.best_before.data() + i), worth), joined);
    hn::StoreU(bound, d, bounds + i);
    largest = hn::Max(largest, bound);
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

}  // namespace pidforest::geometry::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::geometry {

HWY_EXPORT(BoundPairs);

namespace {

constexpr float rounding_slack = 1e-5F;

Cells reversed(const Cells& cells) {
  const std::size_t n = cells.size();
  Cells result;
  result.lay_out(
      n, [&](std::size_t i) { return 1 - cells.border(n - 1 - i); },
      [&](std::size_t i) { return cells.may_cut(n - 1 - i); });
  return result;
}

/// The length of the units from border `from` on, around the circle.
double length_after(const Cells& cells, std::size_t from, std::size_t n_units) {
  const std::size_t n = cells.size();
  const std::size_t to = from + n_units;
  return (to <= n ? cells.border(to) : 1 + cells.border(to - n)) - cells.border(from);
}

/// The border on whose sides the lengths of cells differ most.
std::size_t strongest_border(const Cells& cells) {
  const std::size_t n = cells.size();
  const std::size_t width = std::clamp<std::size_t>(n / 8, 1, 8);
  std::size_t strongest = 0;
  double largest = -1;
  for (std::size_t border = 0; border < n; ++border) {
    if (border > 0 && !cells.may_cut(border)) continue;
    const double before = length_after(cells, (border + n - width) % n, width);
    const double contrast = std::abs(length_after(cells, border, width) - before);
    if (contrast > largest) strongest = border;
    largest = std::max(largest, contrast);
  }
  return strongest;
}

std::vector<float> best_of_at_most(const PrefixWorths& worths, int k, std::size_t n) {
  std::vector<float> best(n + 1, -std::numeric_limits<float>::infinity());
  for (int g = 1; g <= k; ++g)
    for (std::size_t border = 1; border <= n; ++border) best[border] = std::max(best[border], worths.at(g, border));
  return best;
}

CircleBounds bounds_of(const Cells& cells, const std::vector<float>& best_before) {
  const std::size_t n = cells.size();
  constexpr float impossible = -std::numeric_limits<float>::infinity();
  CircleBounds bounds{.length = std::vector<float>(n + 1 + most_lanes, 0.0F),
                      .best_before = std::vector<float>(n + 1 + most_lanes, impossible),
                      .reciprocal = std::vector<float>(2 * n + 1 + most_lanes, 0.0F)};
  for (std::size_t c = 1; c < bounds.reciprocal.size(); ++c) bounds.reciprocal[c] = 1.0F / static_cast<float>(c);
  for (std::size_t i = 1; i < n; ++i) {
    bounds.length[i] = static_cast<float>(1 - cells.border(n - i));
    bounds.best_before[i] = best_before[n - i];  // minus infinity where no group may end
  }
  return bounds;
}

/// A first and a last border, and what a grouping with them is worth at most.
struct Pair {
  std::size_t first;
  std::size_t last;
  float bound;
};

/// The pairs that leave room for more than `best`, by what groups before the last border are worth at most.
std::vector<Pair> promising_pairs(const Cells& cells, const std::vector<float>& best_before, float best) {
  const std::size_t n = cells.size();
  const CircleBounds last = bounds_of(cells, best_before);
  std::vector<float> bounds(n + 1 + most_lanes);
  std::vector<Pair> pairs;
  for (std::size_t b = 1; b + 1 < n; ++b) {
    if (!cells.may_cut(b)) continue;
    const auto length = static_cast<float>(cells.border(b));
    const FirstBorder first{b, length, length * length * last.reciprocal[b]};
    const std::size_t n_last = n - b - 1;
    if (HWY_DYNAMIC_DISPATCH(BoundPairs)(last, first, n_last, bounds.data()) <= best) continue;
    for (std::size_t i = 1; i <= n_last; ++i)
      if (bounds[i] > best) pairs.push_back({b, n - i, bounds[i]});
  }
  return pairs;
}

/// Drops the pairs that leave no room for more than `best` by what groups after the first border are worth at most.
void tighten(std::vector<Pair>& pairs, const Cells& cells, const std::vector<float>& best_after, float best) {
  const std::size_t n = cells.size();
  for (Pair& pair : pairs) {
    const auto length = static_cast<float>(1 - cells.border(pair.last));
    const float around = length + static_cast<float>(cells.border(pair.first));
    const float bound = best_after[n - pair.first] - length * length / static_cast<float>(n - pair.last) +
                        around * around / static_cast<float>(n - pair.last + pair.first);
    pair.bound = std::min(pair.bound, bound);
  }
  std::erase_if(pairs, [&](const Pair& pair) { return pair.bound <= best; });
}

/// Takes, from the two borders of the most promising pair, the border that occurs in more pairs.
std::size_t next_opening(const std::vector<Pair>& pairs) {
  const Pair& top = *std::ranges::max_element(pairs, {}, &Pair::bound);
  const auto n_first = std::ranges::count(pairs, top.first, &Pair::first);
  return std::ranges::count(pairs, top.last, &Pair::last) > n_first ? top.last : top.first;
}

float worth_of(const Cells& cells, const Grouping& grouping) {
  return static_cast<float>(value_of(cells, grouping) / static_cast<double>(cells.size()));
}

}  // namespace

Cells opened_at(const Cells& cells, std::size_t border) {
  const std::size_t n = cells.size();
  Cells result;
  result.lay_out(
      n, [&](std::size_t i) { return length_after(cells, border, i + 1); },
      [&](std::size_t i) { return border + i + 1 == n || cells.may_cut((border + i + 1) % n); });
  return result;
}

CircleGrouping partition_circle(const Cells& cells, int k, const std::function<void()>& check_cancelled) {
  const std::size_t n = cells.size();
  const std::size_t start = strongest_border(cells);
  const Cells opened = opened_at(cells, start);
  const PrefixWorths worths = prefix_worths(opened, k, check_cancelled);
  CircleGrouping best{start, grouping_of(opened, worths, k)};
  float largest = worth_of(opened, best.grouping) * (1 + rounding_slack);
  std::vector<Pair> pairs = promising_pairs(opened, best_of_at_most(worths, k, n), largest);
  if (!pairs.empty())
    tighten(pairs, opened, best_of_at_most(prefix_worths(reversed(opened), k, check_cancelled), k, n), largest);
  while (!pairs.empty()) {
    const std::size_t opening = next_opening(pairs);
    const Cells other = opened_at(opened, opening);
    const Grouping grouping = partition(other, k, check_cancelled);
    const float worth = worth_of(other, grouping);
    if (worth > largest) {
      best = {(start + opening) % n, grouping};
      largest = worth * (1 + rounding_slack);
    }
    std::erase_if(pairs, [&](const Pair& pair) {
      return pair.first == opening || pair.last == opening || pair.bound <= largest;
    });
  }
  return best;
}

}  // namespace pidforest::geometry
#endif  // HWY_ONCE
