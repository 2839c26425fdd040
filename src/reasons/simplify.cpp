// SPDX-License-Identifier: Apache-2.0
#include "reasons/simplify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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

std::optional<Simplifier::Choice> Simplifier::simplify(const NodeBounds& node, double least_worth) {
  best_.clear();
  worth_ = least_worth;
  n_least_ = node.n_inside;
  if (!may_improve(node)) return std::nullopt;
  keep_best(node);
  find_other_bounds();
  find_most_added();
  try_first(bounds_, node.n_new, {});
  if (best_.empty()) return std::nullopt;
  return best_choice();
}

bool Simplifier::may_need_two(std::uint64_t n_inside) const {
  return worth_of(-2 * (price_of_column + price_of_bound), n_inside) > 0;
}

bool Simplifier::may_improve(const NodeBounds& node) const {
  return std::ranges::any_of(node.places.first(node.n_new),
                             [&](std::uint32_t place) { return most_worth_of(node.all[place].length_worth) > worth_; });
}

/// Keeps the new bounds, and those of the others that are worth most, the most first: a good choice that is found early
/// ends the search of others. Equals stay in their order.
void Simplifier::keep_best(const NodeBounds& node) {
  const std::size_t most = std::max(most_bounds, node.n_new);
  rated_.clear();
  for (std::size_t i = 0; i < node.places.size(); ++i) {
    const Rated bound{node.all[node.places[i]].worth, node.places[i]};
    if (rated_.size() < most)
      rated_.push_back(bound);
    else if (most == node.n_new || rated_.back().worth >= bound.worth)
      continue;
    std::size_t place = rated_.size() - 1;
    for (; place > node.n_new && rated_[place - 1].worth < bound.worth; --place) rated_[place] = rated_[place - 1];
    rated_[place] = bound;
  }
  bounds_.clear();
  for (const Rated& bound : rated_) bounds_.push_back(node.all[bound.place]);
}

/// A node has at most two bounds of an axis.
void Simplifier::find_other_bounds() {
  constexpr std::uint32_t n_bits = 64;
  std::uint64_t seen = 0;  // bit i: an axis i, i + 64, ...
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << (bounds_[i].axis % n_bits);
    for (std::size_t j = 0; j < i && (seen & bit) != 0; ++j) {
      if (bounds_[i].axis != bounds_[j].axis) continue;
      bounds_[i].other = &bounds_[j];
      bounds_[j].other = &bounds_[i];
    }
    seen |= bit;
  }
}

/// What the length and the price of one more bound add to the worth of the chosen ones.
double Simplifier::added_worth(LeafBound& bound) const {
  if (bound.other == nullptr || std::ranges::find(chosen_, bound.other) == chosen_.end()) return bound.length_worth;
  if (std::isnan(bound.log2_range))
    bound.log2_range = bound.other->log2_range =
        portable_log2(share_of(joined(*bound.part, *bound.other->part), root_[bound.axis]));
  return bound.log2_range - bound.other->log2_share - price_of_bound;
}

double Simplifier::worth_of(double length_worth, std::uint64_t n_inside) const {
  return length_worth + logs_->of_all() - logs_->of(n_inside);
}

/// The worth of a choice if it holds no more rows than it must.
double Simplifier::most_worth_of(double length_worth) const { return worth_of(length_worth, n_least_); }

void Simplifier::find_most_added() {
  most_added_.assign(1, -std::numeric_limits<double>::infinity());
  for (std::size_t i = bounds_.size(); i-- > 0;) {
    const double most = bounds_[i].other != nullptr ? -price_of_bound : bounds_[i].length_worth;
    most_added_.push_back(std::max(most_added_.back(), most));
  }
}

/// Tries to add each of the first n bounds to the chosen ones, and then more bounds. Gives up a choice if neither it
/// nor any choice with more bounds can be worth more than the best.
void Simplifier::try_first(std::span<LeafBound> bounds, std::size_t n, const Chosen& before) {
  for (std::size_t i = 0; i < n; ++i) {
    LeafBound& bound = bounds[i];
    const auto rest = bounds.subspan(i + 1);
    Chosen now{.length_worth = before.length_worth + added_worth(bound)};
    if (most_worth_of(now.length_worth) <= worth_) continue;  // more bounds only add to the price
    const bool may_grow =
        chosen_.size() + 1 < most_conditions && most_worth_of(now.length_worth + most_added_[rest.size()]) > worth_;
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

Simplifier::Choice Simplifier::best_choice() const {
  Choice choice{.worth = worth_};
  for (const LeafBound* one : best_)
    choice.places[choice.n++] = rated_[static_cast<std::size_t>(one - bounds_.data())].place;
  return choice;
}

Parts parts_of(const Simplifier::Choice& choice, std::span<const LeafBound> all) {
  std::vector<const LeafBound*> chosen;
  for (const std::uint32_t place : std::span(choice.places).first(choice.n)) chosen.push_back(&all[place]);
  std::ranges::sort(chosen, {}, [](const LeafBound* one) { return one->axis; });
  Parts parts;
  for (const LeafBound* one : chosen) {
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
  std::vector<std::uint32_t> places(bounds.size());
  std::iota(places.begin(), places.end(), 0U);
  const auto choice = Simplifier(root, logs, sample.n).simplify({bounds, places, places.size(), 0}, 0);
  return choice ? LeafWitness{parts_of(*choice, bounds), choice->worth} : LeafWitness();
}

}  // namespace pidforest::reasons
