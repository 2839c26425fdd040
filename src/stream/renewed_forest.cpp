// SPDX-License-Identifier: Apache-2.0
#include "stream/renewed_forest.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "forest/chosen_rows.h"
#include "forest/grow.h"
#include "model/roots.h"
#include "stream/sliding_survey.h"

namespace pidforest::stream {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Isolated values are looked for again after this many new trees, and when an isolated value comes.
constexpr std::uint64_t trees_per_survey = 4;

/// Numbers the axes of a tree as those of the rows, instead of by the order in which it was grown.
void renumber_axes(forest::Tree& tree, std::span<const std::size_t> numbers) {
  for (forest::Node& node : tree.nodes)
    if (!node.is_leaf()) node.axis = static_cast<std::uint32_t>(numbers[node.axis]);
}

/// The root cube by the axes of the rows.
forest::Root root_of(const model::Roots& roots, std::size_t n_axes) {
  forest::Root root(n_axes, {.low = -infinity, .high = infinity});
  for (std::size_t i = 0; i < roots.axis_order.size(); ++i) root[roots.axis_order[i]] = roots.intervals[i];
  return root;
}

}  // namespace

RenewedForest::RenewedForest(const Options& options, SlidingRows rows, const Renewal& renewal)
    : options_(options), renewal_(renewal), forest_(options, std::move(rows)) {}

void RenewedForest::look_at(SlidingRows rows) {
  forest_ = SlidingForest(options_, std::move(rows));
  clock_.n_since_grown = 0;
}

/// With rises, every other tree looks at the last values and their rises, and the others at all values.
std::vector<std::size_t> RenewedForest::view_of(std::size_t place) const {
  const std::vector<Feature>& features = forest_.rows().features();
  const bool has_rises = std::ranges::any_of(features, [](const Feature& one) { return one.rise_over > 0; });
  const bool looks_at_rises = has_rises && place % 2 == 1;
  std::vector<std::size_t> view;
  for (std::size_t f = 0; f < features.size(); ++f)
    if (looks_at_rises ? features[f].lag == 0 : features[f].rise_over == 0) view.push_back(f);
  return view;
}

void RenewedForest::grow_tree(std::size_t place, const schema::Encoder& rows) {
  const SlidingRows& sliding = forest_.rows();
  const model::Roots roots = find_roots(sliding, view_of(place), rows.axes(), options_, forest_.isolated());
  const std::vector<std::size_t> numbers = sliding.row_numbers();
  const auto key = renewal_.first_key + static_cast<std::uint32_t>(clock_.n_grown++);
  std::vector<std::size_t> chosen = forest::tree_sample(numbers.size(), options_, key);
  for (std::size_t& row : chosen) row = numbers[row];
  const Run run{.threads = 1};
  const forest::Rows all = sliding.rows();
  forest::Sample sample(in_order(all, roots.axis_order), chosen);
  sample.clamp(roots.isolated);
  // Relations would have to be found again for every tree, so a tree sees all axes of its view.
  forest::Tree tree =
      forest::grow(sample, roots.axes, roots.intervals, {.options = &options_, .tree = key, .run = &run});
  renumber_axes(tree, roots.axis_order);
  forest_.plant(place, std::move(tree), root_of(roots, all.columns.size()));
}

void RenewedForest::find_isolated_values(const schema::Encoder& rows, const SlidingForest* wider) {
  if (!options_.isolated) return;
  forest_.set_isolated(wider == nullptr ? find_isolated(forest_.rows(), rows.axes()) : wider->isolated());
}

void RenewedForest::begin(const schema::Encoder& rows, const SlidingForest* wider) {
  const auto n_trees = static_cast<std::size_t>(options_.n_estimators);
  find_isolated_values(rows, wider);
  for (std::size_t place = 0; place < n_trees; ++place) grow_tree(place, rows);
  forest_.find_medians();
}

void RenewedForest::learn_scored(const schema::Encoder& rows, const SlidingForest* wider) {
  const bool is_isolated = forest_.is_next_isolated();
  forest_.take_scored(true);
  const std::size_t n_trees = forest_.trees().size();
  const bool is_time = ++clock_.n_since_grown >= renewal_.horizons * forest_.rows().n_rows() / n_trees;
  // Values are isolated only while they are few.
  if (is_isolated || (is_time && clock_.n_grown % trees_per_survey == 0)) find_isolated_values(rows, wider);
  if (!is_time) return;
  clock_.n_since_grown = 0;
  grow_tree(static_cast<std::size_t>(clock_.n_grown % n_trees), rows);
}

void RenewedForest::restore(Saved saved) {
  for (std::size_t place = 0; place < saved.trees.size(); ++place)
    forest_.plant(place, std::move(saved.trees[place]), std::move(saved.roots[place]));
  forest_.set_isolated(std::move(saved.isolated));
  forest_.set_medians(std::move(saved.medians));
  clock_ = saved.clock;
}

}  // namespace pidforest::stream
