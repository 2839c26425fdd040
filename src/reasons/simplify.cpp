// SPDX-License-Identifier: Apache-2.0
#include "reasons/simplify.h"

#include <algorithm>
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

Simplifier::Simplifier(std::span<const Interval> root, std::size_t n_sample_rows)
    : root_(root),
      log2_rows_{-1},
      sets_(most_conditions, std::vector<BlockSet>((n_sample_rows + forest::block_rows - 1) / forest::block_rows)) {
  for (std::size_t n = 1; n <= n_sample_rows; ++n) log2_rows_.push_back(portable_log2(static_cast<double>(n)));
}

LeafWitness Simplifier::simplify(std::vector<LeafBound>& bounds, std::uint64_t n_all) {
  n_all_ = n_all;
  most_bits_ = log2_rows_.back() - log2_rows_[n_all];
  best_.clear();
  worth_ = 0;
  keep_best(bounds);
  try_from(bounds, 0, {});
  return {chosen_parts(), worth_};
}

double Simplifier::worth_alone(const LeafBound& bound) const {
  return bound.log2_share - price_of_condition + log2_rows_.back() - log2_rows_[bound.n_inside];
}

/// Keeps the bounds with the most bits, the most first: a good choice that is found early ends the search of others.
void Simplifier::keep_best(std::vector<LeafBound>& bounds) const {
  std::ranges::stable_sort(bounds, std::ranges::greater{}, [&](const LeafBound& one) { return worth_alone(one); });
  if (bounds.size() > most_bounds) bounds.resize(most_bounds);
}

/// What the length and the price of one more bound add to the worth of the chosen ones.
double Simplifier::added_worth(const LeafBound& bound) const {
  for (const LeafBound* other : chosen_)
    if (other->part->axis == bound.part->axis)
      return portable_log2(share_of(joined(*other->part, *bound.part), root_[bound.part->axis])) - other->log2_share -
             price_of_bound;
  return bound.log2_share - price_of_condition;
}

/// Tries to add each of some bounds to the chosen ones, which hold `rows`, and then more bounds. Further bounds only
/// cost, so a choice that could not be worth more than the best is given up.
void Simplifier::try_from(std::span<const LeafBound> bounds, double length_worth, std::span<const BlockSet> rows) {
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const LeafBound& bound = bounds[i];
    const double its_length = length_worth + added_worth(bound);
    if (its_length + most_bits_ <= worth_) continue;
    const bool is_first = chosen_.empty();
    std::vector<BlockSet>& set = sets_[chosen_.size()];
    const std::uint64_t n = is_first ? bound.n_inside : intersect(rows, bound.inside, set);
    chosen_.push_back(&bound);
    const double worth = its_length + log2_rows_.back() - log2_rows_[n];
    if (worth > worth_) {
      worth_ = worth;
      best_ = chosen_;
    }
    if (n > n_all_ && chosen_.size() < most_conditions)
      try_from(bounds.subspan(i + 1), its_length, is_first ? bound.inside : std::span<const BlockSet>(set));
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
  return Simplifier(root, sample.n).simplify(bounds, 0);
}

}  // namespace pidforest::reasons
