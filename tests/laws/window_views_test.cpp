// SPDX-License-Identifier: Apache-2.0
// Law 20: trees take turns over the views of a schema, and a row has the largest of the scores by the trees of each
// view.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "model/state.h"
#include "random_table.h"

namespace pidforest {
namespace {

/// A schema whose columns belong to some of three views, or to none, which means all.
Schema any_views(const OwnedTable& owned) {
  Schema schema = owned.schema();
  for (ColumnSchema& column : schema.columns)
    for (const char* view : {"a", "b", "c"})
      if (*rc::gen::inRange(0, 3) == 0) column.views.emplace_back(view);
  return schema;
}

/// The options without what raises scores above those of the trees.
Options any_plain_options() {
  Options options = any_options();
  options.isolated = false;
  options.rare_pairs = false;
  return options;
}

/// The score of each row by the trees of one view, with the trees of all others left out.
std::vector<double> scores_of_view(const model::State& state, std::size_t view, const Table& table) {
  model::State only = state;
  forest::Forest forest = *state.forest;
  Counts counts;
  forest.trees.clear();
  forest.views.clear();
  for (std::size_t tree = view; tree < state.forest->trees.size(); tree += state.forest->n_views()) {
    forest.trees.push_back(state.forest->trees[tree]);
    counts.trees.push_back(state.counts.trees[tree]);
  }
  only.options.n_estimators = static_cast<std::int64_t>(forest.trees.size());
  only.counts = counts;
  only.tables = forest::score_tables(forest, counts);
  only.forest = std::make_shared<const forest::Forest>(forest);
  only.book = std::make_shared<const forest::CodeBook>(*only.forest);
  only.options.reasons = false;
  return model::Access::made_of(std::move(only)).score(table);
}

RC_GTEST_PROP(Law20, a_tree_cuts_only_columns_of_its_view, ()) {
  const OwnedTable owned = any_table();
  const Model model = Model::fit(owned.table(), any_views(owned), any_options());
  const model::State& state = model::state_of(model);
  const Schema& schema = model.schema();
  for (std::size_t tree = 0; tree < state.forest->trees.size() && !state.forest->views.empty(); ++tree) {
    const forest::View& view = state.forest->views[tree % state.forest->views.size()];
    RC_ASSERT(std::ranges::is_sorted(view));
    for (const forest::Node& node : state.forest->trees[tree].nodes)
      if (!node.is_leaf()) RC_ASSERT(std::ranges::find(view, node.axis) != view.end());
  }
  for (const ColumnSchema& column : schema.columns) RC_ASSERT(column.views.size() <= 3);
}

RC_GTEST_PROP(Law20, the_score_is_the_largest_of_those_by_the_trees_of_each_view, ()) {
  const OwnedTable owned = any_table();
  const Model model = Model::fit(owned.table(), any_views(owned), any_plain_options());
  const model::State& state = model::state_of(model);
  const std::size_t n_views = std::min(state.forest->n_views(), state.forest->trees.size());
  std::vector<double> largest = scores_of_view(state, 0, owned.table());
  for (std::size_t view = 1; view < n_views; ++view)
    std::ranges::transform(largest, scores_of_view(state, view, owned.table()), largest.begin(), std::ranges::max);
  RC_ASSERT(model.score(owned.table()) == largest);
  // A few rows are scored by another code.
  const std::size_t few = std::min<std::size_t>(owned.n_rows(), 5);
  RC_ASSERT(model.score(owned.table().rows(0, few)) ==
            std::vector(largest.begin(), largest.begin() + static_cast<std::ptrdiff_t>(few)));
}

RC_GTEST_PROP(Law20, the_bits_of_the_columns_add_up_to_the_mean_bits_of_the_view_with_most, ()) {
  const OwnedTable owned = any_table();
  Options options = any_options();
  options.aggregate = Aggregate::mean;
  const Model model = Model::fit(owned.table(), any_views(owned), options);
  const std::vector<double> bits = model.column_bits(owned.table());
  const std::vector<double> scores = model.score(owned.table());
  for (std::size_t row = 0; row < scores.size(); ++row) {
    const auto begin = bits.begin() + static_cast<std::ptrdiff_t>(row * owned.n_columns());
    const auto end = begin + static_cast<std::ptrdiff_t>(owned.n_columns());
    const double size = std::accumulate(begin, end, 1.0, [](double sum, double x) { return sum + std::abs(x); });
    RC_ASSERT(std::abs(std::accumulate(begin, end, 0.0) - scores[row]) <= 1e-9 * size);
  }
  RC_ASSERT(model.column_bits(owned.table(), {.threads = 7}) == bits);
}

RC_GTEST_PROP(Law20, threads_change_nothing_and_the_file_keeps_the_model, ()) {
  const OwnedTable owned = any_table();
  const Schema schema = any_views(owned);
  const Options options = any_options();
  const Model model = Model::fit(owned.table(), schema, options, {.threads = 1});
  RC_ASSERT(Model::fit(owned.table(), schema, options, {.threads = 7}) == model);
  const Model loaded = Model::from_bytes(model.to_bytes());
  RC_ASSERT(loaded == model);
  RC_ASSERT(loaded.to_bytes() == model.to_bytes());
  RC_ASSERT(loaded.score(owned.table(), {.threads = 7}) == model.score(owned.table(), {.threads = 1}));
}

RC_GTEST_PROP(Law20, one_view_of_all_columns_is_like_none, ()) {
  const OwnedTable owned = any_table();
  const Options options = any_options();
  Schema schema = owned.schema();
  for (ColumnSchema& column : schema.columns) column.views = {"all"};
  const Model with_view = Model::fit(owned.table(), schema, options);
  RC_ASSERT(with_view.score(owned.table()) == owned.fit(options).score(owned.table()));
}

}  // namespace
}  // namespace pidforest
