// SPDX-License-Identifier: Apache-2.0
#include "series/sliding_model.h"

#include <limits>
#include <utility>

#include "forest/chosen_rows.h"
#include "forest/grow.h"
#include "model/roots.h"
#include "model/threshold.h"
#include "series/stream_witness.h"
#include "table/column_ranges.h"

namespace pidforest::series {

using forest::Rows;
using geometry::Interval;

namespace {

/// While so many horizons fill with new rows all trees are grown anew, one after the other. Growing is what takes most
/// of the time, and a tree whose counts and root cube follow the stream ages slowly.
constexpr std::size_t horizons_per_renewal = 2;
/// How often the threshold is renewed while the horizon fills with new rows.
constexpr std::size_t thresholds_per_horizon = 8;

/// All samples that rows can see, as a table.
Table visible_samples(const SlidingRows& sliding) {
  const std::size_t n = sliding.n_before() + sliding.n_samples();
  return Table::row_major({sliding.at(0) - sliding.n_before() * sliding.n_columns(), n * sliding.n_columns()},
                          sliding.n_columns());
}

/// The root cube that the samples fill; all lags of a column have the same interval.
model::Roots roots_of(const SlidingRows& sliding, const std::vector<schema::AxisInfo>& infos, const Options& options) {
  const Table samples = visible_samples(sliding);
  std::vector<table::ColumnRange> ranges(samples.n_columns());
  table::widen_ranges(samples, 0, samples.n_rows(), ranges);
  std::vector<table::NextValues> next;
  if (options.root_interval == RootInterval::half_gap)
    for (std::size_t j = 0; j < ranges.size(); ++j)
      table::widen_next_values(samples, j, ranges[j], next.emplace_back(table::next_values(ranges[j])));
  std::vector<table::ColumnRange> of_features;
  std::vector<table::NextValues> next_of_features;
  for (const Feature& feature : sliding.features()) {
    of_features.push_back(ranges[feature.column]);
    if (!next.empty()) next_of_features.push_back(next[feature.column]);
  }
  return model::make_roots(infos, of_features, next_of_features, samples.n_rows());
}

/// A tree by the axes of the rows, whatever order it was grown in.
RootedTree in_order_of_rows(forest::Tree tree, const model::Roots& roots, std::size_t n_axes) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (forest::Node& node : tree.nodes)
    if (!node.is_leaf()) node.axis = static_cast<std::uint32_t>(roots.axis_order[node.axis]);
  RootedTree rooted{.tree = std::move(tree), .root = std::vector<Interval>(n_axes, {-infinity, infinity})};
  for (std::size_t i = 0; i < roots.axis_order.size(); ++i) rooted.root[roots.axis_order[i]] = roots.intervals[i];
  return rooted;
}

}  // namespace

SlidingModel::SlidingModel(const StreamOptions& options, Schema events)
    : options_(options),
      rows_(std::move(events), options.window),
      forest_(options.forest, SlidingRows(rows_.n_numbers(), rows_.features(), options.horizon)) {}

void SlidingModel::grow_tree(std::size_t place) {
  const SlidingRows& sliding = forest_.rows();
  const model::Roots roots = roots_of(sliding, rows_.rows().axes(), options_.forest);
  const Rows all = sliding.rows();
  Rows in_order{.n = all.n, .columns = {}};
  for (const std::size_t axis : roots.axis_order) in_order.columns.push_back(all.columns[axis]);
  const std::vector<std::size_t> numbers = sliding.row_numbers();
  const auto key = static_cast<std::uint32_t>(clock_.n_grown++);
  std::vector<std::size_t> chosen = forest::tree_sample(numbers.size(), options_.forest, key);
  for (std::size_t& row : chosen) row = numbers[row];
  const Run run{.threads = 1};
  forest::Tree tree = forest::grow(forest::Sample(in_order, chosen), roots.axes, roots.intervals,
                                   {.options = &options_.forest, .tree = key, .run = &run});
  forest_.plant(place, in_order_of_rows(std::move(tree), roots, all.columns.size()));
}

void SlidingModel::begin() {
  const auto n_trees = static_cast<std::size_t>(options_.forest.n_estimators);
  for (std::size_t place = 0; place < n_trees; ++place) grow_tree(place);
  forest_.find_medians();
  for (const std::size_t row : forest_.rows().row_numbers()) keep_score(forest_.score_without_itself(row));
  find_threshold();
}

void SlidingModel::keep_score(double bits) {
  if (scores_.size() < options_.horizon)
    scores_.push_back(bits);
  else
    scores_[clock_.n_scores % options_.horizon] = bits;
  ++clock_.n_scores;
}

void SlidingModel::find_threshold() {
  clock_.n_since_threshold = 0;
  if (options_.forest.aggregate == Aggregate::vote) forest_.find_medians();
  if (options_.forest.contamination != Options::none) threshold_ = model::threshold_for(scores_, options_.forest);
}

EventScore SlidingModel::score(std::span<const double> event) {
  last_score_ = forest_.score_next(event);
  is_last_learned_ = false;
  return {.bits = last_score_, .is_anomaly = threshold_ && last_score_ > *threshold_};
}

void SlidingModel::learn_scored() {
  forest_.take_scored(true);
  is_last_learned_ = true;
  keep_score(last_score_);
  const std::size_t n_rows = forest_.rows().n_rows();
  if (++clock_.n_since_grown >= horizons_per_renewal * n_rows / forest_.trees().size()) {
    clock_.n_since_grown = 0;
    grow_tree(static_cast<std::size_t>(clock_.n_grown % forest_.trees().size()));
  }
  if (++clock_.n_since_threshold >= n_rows / thresholds_per_horizon) find_threshold();
}

Witness SlidingModel::explain_last() const {
  const std::size_t n_samples = forest_.rows().n_samples();
  return stream_witness(forest_, n_samples - (is_last_learned_ ? 1 : 0), rows_.rows());
}

void SlidingModel::restore(std::vector<RootedTree> trees, std::vector<double> medians, const Clock& clock,
                           std::vector<double> scores, std::optional<double> threshold) {
  for (std::size_t place = 0; place < trees.size(); ++place) forest_.plant(place, std::move(trees[place]));
  forest_.set_medians(std::move(medians));
  clock_ = clock;
  scores_ = std::move(scores);
  threshold_ = threshold;
}

}  // namespace pidforest::series
