// SPDX-License-Identifier: Apache-2.0
#include "series/sliding_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "explain/findings.h"
#include "explain/isolated_reasons.h"
#include "explain/nearest_normal.h"
#include "explain/round_bounds.h"
#include "explain/wording.h"
#include "forest/chosen_rows.h"
#include "forest/grow.h"
#include "forest/route.h"
#include "model/fit_reasons.h"
#include "model/isolated_axes.h"
#include "model/outer_survey.h"
#include "model/roots.h"
#include "model/state.h"
#include "model/threshold.h"
#include "reasons/reasons.h"
#include "reasons/witness.h"
#include "table/column_ranges.h"

namespace pidforest::series {

using forest::Rows;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// All trees are renewed, one after the other, while this many horizons fill with new rows. Growing takes most of the
/// time, and a tree whose counts and root cube follow the stream ages slowly.
constexpr std::size_t horizons_per_renewal = 2;
/// How often the threshold is renewed while the horizon fills with new rows.
constexpr std::size_t thresholds_per_horizon = 8;
/// The reason of an event is looked for in this many of the trees in which it has most bits.
constexpr std::size_t most_asked_trees = 3;

std::vector<std::size_t> numbers_below(std::size_t n) {
  std::vector<std::size_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

/// All samples that rows can reach, as a table.
Table visible_samples(const SlidingRows& sliding) {
  const std::size_t n = sliding.n_before() + sliding.n_samples();
  return Table::row_major({sliding.at(0) - sliding.n_before() * sliding.n_columns(), n * sliding.n_columns()},
                          sliding.n_columns());
}

std::vector<table::ColumnRange> ranges_of(const Table& samples) {
  std::vector<table::ColumnRange> ranges(samples.n_columns());
  table::widen_ranges(samples, 0, samples.n_rows(), ranges);
  return ranges;
}

/// One element per feature, by its column.
template <class Item>
std::vector<Item> by_feature(const SlidingRows& sliding, const std::vector<Item>& by_column) {
  std::vector<Item> items;
  for (const Feature& feature : sliding.features()) items.push_back(by_column[feature.column]);
  return items;
}

/// The isolated parts of each feature, by all samples that rows can reach; empty if there are none.
std::vector<geometry::IsolatedParts> isolated_of(const SlidingRows& sliding,
                                                 const std::vector<schema::AxisInfo>& infos) {
  const Table samples = visible_samples(sliding);
  std::vector<schema::AxisInfo> of_columns(samples.n_columns());
  for (std::size_t axis = 0; axis < infos.size(); ++axis) of_columns[sliding.features()[axis].column] = infos[axis];
  model::OuterSurvey outer(of_columns, geometry::n_outer(samples.n_rows()));
  outer.add(samples, {.threads = 1});
  const forest::SortedSample all(model::in_order(samples, numbers_below(samples.n_columns())),
                                 numbers_below(samples.n_rows()), {.threads = 1});
  std::vector<geometry::IsolatedParts> isolated = by_feature(
      sliding, model::find_isolated_axes({of_columns, ranges_of(samples), outer, samples.n_rows()}, all.view()));
  if (std::ranges::all_of(isolated, &geometry::IsolatedParts::empty)) isolated.clear();
  return isolated;
}

/// The root cube that the samples fill; all lags of a column have the same interval.
model::Roots roots_of(const SlidingRows& sliding, const std::vector<schema::AxisInfo>& infos, const Options& options,
                      std::span<const geometry::IsolatedParts> isolated) {
  const Table samples = visible_samples(sliding);
  const std::vector<table::ColumnRange> ranges = ranges_of(samples);
  std::vector<table::NextValues> next;
  if (options.root_interval == RootInterval::half_gap)
    for (std::size_t j = 0; j < ranges.size(); ++j)
      table::widen_next_values(samples, j, ranges[j], next.emplace_back(table::next_values(ranges[j])));
  const auto of_features = by_feature(sliding, ranges);
  const auto next_of_features = next.empty() ? next : by_feature(sliding, next);
  return model::make_roots(infos, of_features, next_of_features, samples.n_rows(), isolated);
}

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

/// The axes that some tree knows.
std::vector<std::size_t> known_axes(std::span<const forest::Root> roots) {
  std::vector<std::size_t> known;
  for (std::size_t axis = 0; axis < roots.front().size(); ++axis)
    if (std::ranges::any_of(roots, [&](const forest::Root& root) { return std::isfinite(root[axis].high); }))
      known.push_back(axis);
  return known;
}

/// The forest of a model that has the axes `known` of the rows.
forest::Forest forest_of(const SlidingForest& sliding, std::span<const std::size_t> known,
                         std::span<const schema::AxisInfo> infos) {
  std::vector<std::size_t> numbers(infos.size());
  std::vector<schema::AxisInfo> known_infos;
  for (std::size_t i = 0; i < known.size(); ++i) {
    numbers[known[i]] = i;
    known_infos.push_back(infos[known[i]]);
  }
  std::vector<forest::Tree> trees = sliding.trees();
  for (forest::Tree& tree : trees) renumber_axes(tree, numbers);
  std::vector<forest::Root> roots;
  for (const forest::Root& root : sliding.roots()) {
    forest::Root& own = roots.emplace_back();
    for (const std::size_t axis : known) own.push_back(root[axis]);
  }
  forest::Forest forest = model::forest_of(std::move(roots), std::move(trees), known_infos);
  for (const std::size_t axis : known)
    if (!sliding.isolated().empty()) forest.isolated.push_back(sliding.isolated()[axis]);
  return forest;
}

/// The forest of a stream as the state of a model without reasons, which take time to count.
model::State state_of(const Options& options, const StreamRows& rows, const SlidingForest& sliding,
                      std::optional<double> threshold) {
  model::State state{.options = options, .encoder = rows.rows()};
  state.options.reasons = false;
  state.axis_order = known_axes(sliding.roots());
  state.forest = std::make_shared<const forest::Forest>(forest_of(sliding, state.axis_order, state.encoder.axes()));
  state.book = std::make_shared<const forest::CodeBook>(*state.forest);
  state.counts = sliding.counts();
  state.tables = forest::score_tables(*state.forest, state.counts);
  if (options.aggregate == Aggregate::vote) state.tables.median_bits = sliding.medians();
  state.threshold = threshold;
  return state;
}

/// Views some axes of rows.
Rows in_order(const Rows& rows, std::span<const std::size_t> axis_order) {
  Rows ordered{.n = rows.n, .columns = {}};
  for (const std::size_t axis : axis_order) ordered.columns.push_back(rows.columns[axis]);
  return ordered;
}

std::vector<std::size_t> trees_with_most_bits(std::span<const double> bits) {
  std::vector<std::size_t> trees(bits.size());
  std::iota(trees.begin(), trees.end(), std::size_t{0});
  std::ranges::stable_sort(trees, std::ranges::greater{}, [&](std::size_t t) { return bits[t]; });
  trees.resize(std::min(trees.size(), most_asked_trees));
  return trees;
}

}  // namespace

SlidingModel::SlidingModel(const StreamOptions& options, Schema events)
    : options_(options),
      rows_(std::move(events), options.window),
      forest_(options.forest, SlidingRows(rows_.n_numbers(), rows_.features(), options.horizon)) {}

void SlidingModel::grow_tree(std::size_t place) {
  const SlidingRows& sliding = forest_.rows();
  find_isolated();
  const model::Roots roots = roots_of(sliding, rows_.rows().axes(), options_.forest, forest_.isolated());
  const Rows all = sliding.rows();
  const std::vector<std::size_t> numbers = sliding.row_numbers();
  const auto key = static_cast<std::uint32_t>(clock_.n_grown++);
  std::vector<std::size_t> chosen = forest::tree_sample(numbers.size(), options_.forest, key);
  for (std::size_t& row : chosen) row = numbers[row];
  const Run run{.threads = 1};
  forest::Sample sample(in_order(all, roots.axis_order), chosen);
  sample.clamp(roots.isolated);
  // Relations would have to be found again for every tree, so the trees of a stream see all axes.
  forest::Tree tree =
      forest::grow(sample, roots.axes, roots.intervals, {.options = &options_.forest, .tree = key, .run = &run});
  renumber_axes(tree, roots.axis_order);
  forest_.plant(place, std::move(tree), root_of(roots, all.columns.size()));
}

void SlidingModel::find_isolated() {
  if (options_.forest.isolated) forest_.set_isolated(isolated_of(forest_.rows(), rows_.rows().axes()));
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
  if (options_.forest.contamination != Options::none)
    threshold_ = model::threshold_for(scores_, options_.forest, model::ScoredBy::many_forests);
}

EventScore SlidingModel::score(std::span<const double> event) {
  last_score_ = forest_.score_next(event);
  is_last_learned_ = false;
  return {.bits = last_score_,
          .is_anomaly = AnomalyRule{.threshold = threshold_}.is_anomaly(last_score_).value_or(false)};
}

void SlidingModel::learn_scored() {
  const bool is_isolated = forest_.isolated_bits(forest_.rows().n_samples()) > 0;
  forest_.take_scored(true);
  // Values are isolated only while they are few.
  if (is_isolated) find_isolated();
  is_last_learned_ = true;
  keep_score(last_score_);
  const std::size_t n_rows = forest_.rows().n_rows();
  if (++clock_.n_since_grown >= horizons_per_renewal * n_rows / forest_.trees().size()) {
    clock_.n_since_grown = 0;
    grow_tree(static_cast<std::size_t>(clock_.n_grown % forest_.trees().size()));
  }
  if (++clock_.n_since_threshold >= n_rows / thresholds_per_horizon) find_threshold();
}

Model SlidingModel::model() const {
  model::State state = state_of(options_.forest, rows_, forest_, threshold_);
  if (options_.forest.reasons) {
    const forest::CopiedRows horizon(in_order(forest_.rows().rows(), state.axis_order), forest_.rows().row_numbers());
    state.reasons = model::find_reasons(state, horizon.rows(), {.threads = 1});
  }
  state.options.reasons = options_.forest.reasons;
  return model::Access::made_of(std::move(state));
}

std::size_t SlidingModel::last_row() const { return forest_.rows().n_samples() - (is_last_learned_ ? 1 : 0); }

Witness SlidingModel::explain_last() const {
  const SlidingRows& sliding = forest_.rows();
  const Rows rows = sliding.rows();
  const std::vector<std::size_t> numbers = sliding.row_numbers();
  std::optional<forest::CopiedRows> without_gaps;
  if (numbers.size() < sliding.n_samples()) without_gaps.emplace(rows, numbers);
  Rows horizon = without_gaps ? without_gaps->rows() : rows;
  horizon.n = numbers.size();

  const std::vector<std::size_t> axis_order = numbers_below(rows.columns.size());
  const forest::Forest parts_only{.root = forest_.roots().front(), .trees = {}, .isolated = forest_.isolated()};
  const explain::Space space{rows_.rows(), axis_order, parts_only.root};
  const explain::IsolatedReasons isolated(parts_only, space);
  if (const auto place = isolated.reason_of(rows, last_row()))
    return isolated.witness(*place, reasons::count_inside({isolated.all()[*place].part}, horizon), horizon.n);
  std::vector<reasons::LeafOfRow> leaves;
  for (const std::size_t t : trees_with_most_bits(forest_.last_bits())) {
    const forest::Tree& tree = forest_.trees()[t];
    leaves.push_back({&tree, forest_.roots()[t], forest::route_plain(tree, rows, last_row())});
  }
  const reasons::ChosenCube cube = reasons::choose_cube(leaves, forest_.last_beyond(), horizon);
  reasons::Neighbours neighbours(cube.parts, axis_order.size());
  neighbours.add(horizon);
  return explain::round_witness_of(cube.parts, reasons::count_inside(cube.parts, horizon), horizon.n, neighbours,
                                   {rows_.rows(), axis_order, cube.root});
}

Finding SlidingModel::find_last(std::optional<double> most_normal) const {
  const model::State state = state_of(options_.forest, rows_, forest_, threshold_);
  const Rows all = forest_.rows().rows();
  std::vector<double> row;
  for (const std::size_t axis : state.axis_order) row.push_back(all.columns[axis][last_row()]);
  Rows rows{.n = 1, .columns = {}};
  rows.columns.reserve(row.size());
  for (const double& x : row) rows.columns.push_back({&x});
  const Run run{.threads = 1};
  const Schema& schema = rows_.rows().schema();
  std::vector<double> bits(schema.columns.size());
  model::add_column_bits(state, {*state.forest, *state.book, state.tables}, rows, bits, run);
  Finding finding{.bits = last_score_, .columns = explain::columns_with_bits(bits, explain_last(), schema)};
  finding.is_anomaly = AnomalyRule{.threshold = threshold_}.is_anomaly(last_score_);
  if (most_normal) finding.normal_if = explain::nearest_normal(state, std::move(row), *most_normal, run);
  return finding;
}

void SlidingModel::restore(Saved saved) {
  for (std::size_t place = 0; place < saved.trees.size(); ++place)
    forest_.plant(place, std::move(saved.trees[place]), std::move(saved.roots[place]));
  forest_.set_isolated(std::move(saved.isolated));
  forest_.set_medians(std::move(saved.medians));
  clock_ = saved.clock;
  scores_ = std::move(saved.scores);
  threshold_ = saved.threshold;
}

}  // namespace pidforest::series
