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

Part joined(const Part& one, const Part& other) {
  return {
      .axis = one.axis, .kind = one.kind, .low = std::max(one.low, other.low), .high = std::min(one.high, other.high)};
}

RowLogs::RowLogs(std::size_t n_sample_rows) : logs_{-1} {
  for (std::size_t n = 1; n <= n_sample_rows; ++n) logs_.push_back(portable_log2(static_cast<double>(n)));
}

LeafBound::LeafBound(const Part& own, std::span<const BlockSet> rows, std::uint64_t n_rows, double log2_of_share,
                     const RowLogs& logs)
    : part(&own),
      inside(rows),
      n_inside(static_cast<std::uint32_t>(n_rows)),
      axis(own.axis),
      log2_share(log2_of_share),
      length_worth(log2_share - price_of_column - price_of_bound),
      worth(length_worth + logs.of_all() - logs.of(n_rows)) {}

Simplifier::Simplifier(std::span<const Interval> root, const RowLogs& logs, std::size_t n_sample_rows)
    : root_(root),
      logs_(&logs),
      sets_(most_conditions, std::vector<BlockSet>((n_sample_rows + forest::block_rows - 1) / forest::block_rows)) {}

std::optional<LeafWitness> Simplifier::simplify(std::vector<LeafBound>& bounds, std::size_t n_new,
                                                std::uint64_t n_inside, double least_worth) {
  best_.clear();
  worth_ = least_worth;
  n_least_ = n_inside;
  keep_best(bounds, n_new);
  find_other_bounds(bounds);
  find_most_added(bounds);
  try_first(bounds, n_new, {});
  if (best_.empty()) return std::nullopt;
  return LeafWitness{chosen_parts(), worth_};
}

bool Simplifier::may_need_two(std::uint64_t n_inside) const {
  return worth_of(-2 * (price_of_column + price_of_bound), n_inside) > 0;
}

/// Every further bound of a choice only adds to its price.
bool Simplifier::may_improve(const LeafBound& bound, std::uint64_t n_inside, double least_worth) const {
  return worth_of(bound.length_worth, n_inside) > least_worth;
}

/// Keeps the new bounds, and those of the others that are worth most, the most first: a good choice that is found early
/// ends the search of others. Of equals, the first come first.
void Simplifier::keep_best(std::vector<LeafBound>& bounds, std::size_t n_new) {
  const std::size_t most = std::max(most_bounds, n_new);
  std::size_t n = n_new;
  for (std::size_t i = n_new; i < bounds.size(); ++i) {
    const LeafBound bound = bounds[i];
    if (n == most && (n == n_new || bounds[n - 1].worth >= bound.worth)) continue;
    std::size_t place = n < most ? n++ : n - 1;
    for (; place > n_new && bounds[place - 1].worth < bound.worth; --place) bounds[place] = bounds[place - 1];
    bounds[place] = bound;
  }
  bounds.erase(bounds.begin() + static_cast<std::ptrdiff_t>(n), bounds.end());
}

void Simplifier::find_other_bounds(std::vector<LeafBound>& bounds) const {
  for (std::size_t i = 0; i < bounds.size(); ++i)
    for (std::size_t j = i + 1; j < bounds.size(); ++j) {
      if (bounds[i].axis != bounds[j].axis) continue;
      bounds[i].other = &bounds[j];
      bounds[j].other = &bounds[i];
      bounds[i].log2_range = bounds[j].log2_range =
          portable_log2(share_of(joined(*bounds[i].part, *bounds[j].part), root_[bounds[i].axis]));
    }
}

/// What the length and the price of one more bound add to the worth of the chosen ones.
double Simplifier::added_worth(const LeafBound& bound) const {
  if (bound.other == nullptr || std::ranges::find(chosen_, bound.other) == chosen_.end())
    return bound.length_worth;
  return bound.log2_range - bound.other->log2_share - price_of_bound;
}

double Simplifier::worth_of(double length_worth, std::uint64_t n_inside) const {
  return length_worth + logs_->of_all() - logs_->of(n_inside);
}

void Simplifier::find_most_added(std::span<const LeafBound> bounds) {
  most_added_.assign(1, -std::numeric_limits<double>::infinity());
  for (std::size_t i = bounds.size(); i-- > 0;) {
    const double most = bounds[i].other != nullptr ? -price_of_bound : bounds[i].length_worth;
    most_added_.push_back(std::max(most_added_.back(), most));
  }
}

/// Tries to add each of the first n bounds to the chosen ones, and then more bounds. Gives up a choice if neither it
/// nor any choice with more bounds can be worth more than the best.
void Simplifier::try_first(std::span<const LeafBound> bounds, std::size_t n, const Chosen& before) {
  for (std::size_t i = 0; i < n; ++i) {
    const LeafBound& bound = bounds[i];
    const auto rest = bounds.subspan(i + 1);
    Chosen now{.length_worth = before.length_worth + added_worth(bound)};
    const bool may_grow = chosen_.size() + 1 < most_conditions &&
                          worth_of(now.length_worth + most_added_[rest.size()], n_least_) > worth_;
    if (!may_grow && worth_of(now.length_worth, n_least_) <= worth_) continue;
    std::vector<BlockSet>& set = sets_[chosen_.size()];
    const bool is_first = chosen_.empty();
    const std::uint64_t n_inside = is_first ? bound.n_inside : intersect(before.rows, bound.inside, set);
    now.rows = is_first ? bound.inside : std::span<const BlockSet>(set);
    chosen_.push_back(&bound);
    if (const double worth = worth_of(now.length_worth, n_inside); worth > worth_) {
      worth_ = worth;
      best_ = chosen_;
    }
    if (may_grow && n_inside > n_least_) try_first(rest, rest.size(), now);
    chosen_.pop_back();
  }
}

Parts Simplifier::chosen_parts() {
  std::ranges::sort(best_, {}, [](const LeafBound* one) { return one->axis; });
  Parts parts;
  for (const LeafBound* one : best_) {
    if (!parts.empty() && parts.back().axis == one->axis)
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
  for (const Part& part : of_nodes[leaf]) std::ranges::copy(geometry::bounds_of(part), std::back_inserter(parts));
  std::vector<std::vector<BlockSet>> sets;
  for (const Part& part : parts) sets.push_back(rows_inside(part, sample));
  const RowLogs logs(sample.n);
  std::vector<LeafBound> bounds;
  for (std::size_t i = 0; i < parts.size(); ++i)
    bounds.emplace_back(parts[i], sets[i], size_of(sets[i]), portable_log2(share_of(parts[i], root[parts[i].axis])),
                        logs);
  return Simplifier(root, logs, sample.n).simplify(bounds, bounds.size(), 0, 0).value_or(LeafWitness());
}

}  // namespace pidforest::reasons
