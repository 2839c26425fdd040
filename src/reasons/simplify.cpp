// SPDX-License-Identifier: Apache-2.0
#include "reasons/simplify.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "geometry/logarithm.h"
#include "reasons/node_parts.h"

namespace pidforest::reasons {

using geometry::Interval;
using geometry::Part;
using geometry::Parts;
using geometry::portable_log2;

namespace {

/// All subsets of this many bounds are tried. If there are more bounds, those with the most bits alone are kept.
constexpr std::size_t most_bounds = 10;

/// A range by both of its bounds, in any order.
Part joined(const Part& one, const Part& other) {
  return {
      .axis = one.axis, .kind = one.kind, .low = std::max(one.low, other.low), .high = std::min(one.high, other.high)};
}

/// The sample rows that a part holds.
std::vector<BlockSet> rows_inside(const Part& part, const forest::Rows& sample) {
  std::vector<BlockSet> inside((sample.n + forest::block_rows - 1) / forest::block_rows);
  const forest::StridedColumn column = sample.columns[part.axis];
  for (std::size_t row = 0; row < sample.n; ++row)
    if (part.holds(column[row]))
      inside[row / forest::block_rows][row % forest::block_rows / forest::word_rows] |= forest::RowSet{1}
                                                                                        << (row % forest::word_rows);
  return inside;
}

}  // namespace

Simplifier::Simplifier(std::span<const Interval> root, std::size_t n_sample_rows, double least_worth)
    : root_(root),
      least_worth_(least_worth),
      log2_rows_{-1},
      sets_(most_conditions, std::vector<BlockSet>((n_sample_rows + forest::block_rows - 1) / forest::block_rows)) {
  for (std::size_t n = 1; n <= n_sample_rows; ++n) log2_rows_.push_back(portable_log2(static_cast<double>(n)));
}

LeafWitness Simplifier::simplify(std::vector<LeafBound>& bounds) {
  best_.clear();
  worth_ = least_worth_;
  keep_best(bounds);
  find_other_bounds(bounds);
  find_most_added(bounds);
  const std::size_t n_rows = log2_rows_.size() - 1;
  n_all_ = n_rows;
  for (const LeafBound& bound : bounds) n_all_ = std::min(n_all_, bound.n_least);
  try_from(bounds, {.n_least = n_rows});
  return {chosen_parts(), best_.empty() ? 0 : worth_};
}

bool Simplifier::may_need_two(std::uint64_t n_inside) const {
  return most_worth(-2 * (price_of_column + price_of_bound), n_inside) > least_worth_;
}

double Simplifier::worth_alone(const LeafBound& bound) const {
  return bound.log2_share - price_of_column - price_of_bound + log2_rows_.back() - log2_rows_[bound.n_inside];
}

/// Keeps the bounds with the most bits, the most first: a good choice that is found early ends the search of others.
void Simplifier::keep_best(std::vector<LeafBound>& bounds) const {
  std::ranges::stable_sort(bounds, std::ranges::greater{}, [&](const LeafBound& one) { return worth_alone(one); });
  if (bounds.size() > most_bounds) bounds.resize(most_bounds);
}

void Simplifier::find_other_bounds(std::vector<LeafBound>& bounds) const {
  for (LeafBound& bound : bounds) {
    bound.other = nullptr;
    for (const LeafBound& other : bounds)
      if (&other != &bound && other.part->axis == bound.part->axis) bound.other = &other;
    if (bound.other != nullptr)
      bound.log2_range = portable_log2(share_of(joined(*bound.part, *bound.other->part), root_[bound.part->axis]));
  }
}

/// What the length and the price of one more bound add to the worth of the chosen ones.
double Simplifier::added_worth(const LeafBound& bound) const {
  if (bound.other == nullptr || std::ranges::find(chosen_, bound.other) == chosen_.end())
    return bound.log2_share - price_of_column - price_of_bound;
  return bound.log2_range - bound.other->log2_share - price_of_bound;
}

/// The worth of a choice with its length if it held as few rows as possible.
double Simplifier::most_worth(double length_worth, std::uint64_t n_least) const {
  return length_worth + log2_rows_.back() - log2_rows_[n_least];
}

void Simplifier::find_most_added(std::span<const LeafBound> bounds) {
  most_added_.assign(1, -std::numeric_limits<double>::infinity());
  for (std::size_t i = bounds.size(); i-- > 0;) {
    const double alone = bounds[i].log2_share - price_of_column - price_of_bound;
    const double most = bounds[i].other != nullptr ? -price_of_bound : alone;
    most_added_.push_back(std::max(most_added_.back(), most));
  }
}

/// Tries to add each of some bounds to the chosen ones, and then more bounds. Gives up a choice if neither it nor any
/// choice with more bounds can be worth more than the best.
void Simplifier::try_from(std::span<const LeafBound> bounds, const Chosen& before) {
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const LeafBound& bound = bounds[i];
    const auto rest = bounds.subspan(i + 1);
    Chosen now{.length_worth = before.length_worth + added_worth(bound),
               .n_least = std::min(before.n_least, bound.n_least)};
    const bool may_grow = chosen_.size() + 1 < most_conditions &&
                          most_worth(now.length_worth + most_added_[rest.size()], n_all_) > worth_;
    if (!may_grow && most_worth(now.length_worth, now.n_least) <= worth_) continue;
    std::vector<BlockSet>& set = sets_[chosen_.size()];
    const bool is_first = chosen_.empty();
    const std::uint64_t n = is_first ? bound.n_inside : intersect(before.rows, bound.inside, set);
    now.rows = is_first ? bound.inside : std::span<const BlockSet>(set);
    chosen_.push_back(&bound);
    if (const double worth = most_worth(now.length_worth, n); worth > worth_) {
      worth_ = worth;
      best_ = chosen_;
    }
    if (may_grow && n > n_all_) try_from(rest, now);
    chosen_.pop_back();
  }
}

Parts Simplifier::chosen_parts() {
  std::ranges::sort(best_, {}, [](const LeafBound* one) { return one->part->axis; });
  Parts parts;
  for (const LeafBound* one : best_) {
    if (!parts.empty() && parts.back().axis == one->part->axis)
      parts.back() = joined(parts.back(), *one->part);
    else
      parts.push_back(*one->part);
  }
  return parts;
}

LeafWitness simplify_leaf(const forest::Tree& tree, std::span<const Interval> root, std::uint32_t leaf,
                          const forest::Rows& sample) {
  const std::vector<Parts> of_nodes = node_parts(tree);
  Parts parts;
  for (const Part& part : of_nodes[leaf]) std::ranges::move(geometry::bounds_of(part), std::back_inserter(parts));
  std::vector<std::vector<BlockSet>> sets;
  for (const Part& part : parts) sets.push_back(rows_inside(part, sample));
  std::vector<LeafBound> bounds;
  for (std::size_t i = 0; i < parts.size(); ++i)
    bounds.push_back({&parts[i], sets[i], size_of(sets[i]), portable_log2(share_of(parts[i], root[parts[i].axis]))});
  return Simplifier(root, sample.n).simplify(bounds);
}

}  // namespace pidforest::reasons
