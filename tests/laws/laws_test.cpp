// SPDX-License-Identifier: Apache-2.0
// The laws of the theory (ARCHITECTURE.md lists them), each as a property of random tables and options.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "each_target.h"
#include "forest/random.h"
#include "model/state.h"
#include "random_table.h"

namespace pidforest {
namespace {

using forest::Node;
using forest::Tree;

const std::vector<Tree>& trees_of(const Model& model) { return model.state().forest->trees; }

double volume(const Tree& tree, std::size_t node) { return std::exp2(tree.log2_volumes[node]); }

// Law 1
RC_GTEST_PROP(Law1, children_fill_their_parent_and_leaves_fill_the_root, ()) {
  const OwnedTable owned = any_table();
  const Model model = Model::fit(owned.table(), any_options());
  for (const Tree& tree : trees_of(model)) {
    double leaves = 0;
    for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
      const Node& node = tree.nodes[v];
      if (node.is_leaf()) {
        leaves += volume(tree, v);
        continue;
      }
      double children = 0;
      for (std::uint32_t i = 0; i < node.n_children(); ++i) children += volume(tree, node.first_child + i);
      RC_ASSERT(std::abs(children / volume(tree, v) - 1) < 1e-9);
    }
    RC_ASSERT(std::abs(leaves - 1) < 1e-9);
  }
}

// Law 2
RC_GTEST_PROP(Law2, every_row_seen_or_not_is_counted_on_one_path_from_root_to_leaf, ()) {
  const OwnedTable owned = any_table();
  const Model model = Model::fit(owned.table(), any_options());
  OwnedTable unseen = owned;
  for (double& x : unseen.values) x = *rc::gen::element(1.0, -3.0) * x;
  const Counts counts = model.count(unseen.table());
  for (std::size_t t = 0; t < counts.trees.size(); ++t) {
    const Tree& tree = trees_of(model)[t];
    RC_ASSERT(counts.trees[t][0] == owned.n_rows());
    for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
      if (tree.nodes[v].is_leaf()) continue;
      std::uint64_t children = 0;
      for (std::uint32_t i = 0; i < tree.nodes[v].n_children(); ++i)
        children += counts.trees[t][tree.nodes[v].first_child + i];
      // Values are missing only where the fit saw some, so no row stays at an inner node.
      RC_ASSERT(children == counts.trees[t][v]);
    }
  }
}

// Law 3
RC_GTEST_PROP(Law3, the_mean_sparsity_of_the_children_is_that_of_the_parent, ()) {
  const OwnedTable owned = any_table(400, false);
  Options options = preset("paper");  // optimal cuts, counts of the tree's own sample: no child is empty
  options.n_estimators = 3;
  const Model model = Model::fit(owned.table(), options);
  for (std::size_t t = 0; t < trees_of(model).size(); ++t) {
    const Tree& tree = trees_of(model)[t];
    const auto sparsity = [&](std::size_t v) {
      return volume(tree, v) / static_cast<double>(model.counts().trees[t][v]);
    };
    for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
      if (tree.nodes[v].is_leaf()) continue;
      double mean = 0;
      for (std::uint32_t i = 0; i < tree.nodes[v].n_children(); ++i) {
        const std::size_t child = tree.nodes[v].first_child + i;
        RC_ASSERT(model.counts().trees[t][child] > 0U);
        const double q =
            static_cast<double>(model.counts().trees[t][child]) / static_cast<double>(model.counts().trees[t][v]);
        mean += q * sparsity(child);
      }
      RC_ASSERT(std::abs(mean / sparsity(v) - 1) < 1e-9);
    }
  }
}

// Law 4 is in unit/geometry/partition_test.cpp: the exact split against brute force, the one-pass split against the
// exact.

// Law 5
RC_GTEST_PROP(Law5, scores_do_not_change_when_a_column_is_scaled_by_a_power_of_two, ()) {
  const OwnedTable owned = any_table();
  OwnedTable scaled = owned;
  for (std::size_t j = 0; j < owned.n_columns; ++j) {
    const double factor = std::exp2(*rc::gen::inRange(-40, 40));
    for (std::size_t i = 0; i < owned.n_rows(); ++i) scaled.at(i, j) *= factor;
  }
  const Options options = any_options();
  RC_ASSERT(Model::fit(owned.table(), options).score(owned.table()) ==
            Model::fit(scaled.table(), options).score(scaled.table()));
}

RC_GTEST_PROP(Law5, scores_hardly_change_when_a_column_is_scaled_and_shifted, ()) {
  const OwnedTable owned = any_table();
  OwnedTable moved = owned;
  for (std::size_t j = 0; j < owned.n_columns; ++j) {
    const double factor = *rc::gen::inRange(1, 1000) / 7.0;
    const double shift = *rc::gen::inRange(-1000, 1000) / 3.0;
    for (std::size_t i = 0; i < owned.n_rows(); ++i) moved.at(i, j) = factor * moved.at(i, j) + shift;
  }
  Options options;
  options.n_estimators = 5;
  const auto before = Model::fit(owned.table(), options).score(owned.table());
  const auto after = Model::fit(moved.table(), options).score(moved.table());
  for (std::size_t i = 0; i < before.size(); ++i) RC_ASSERT(std::abs(before[i] - after[i]) < 1e-6);
}

RC_GTEST_PROP(Law5, scores_do_not_change_when_columns_are_renamed, ()) {
  const OwnedTable owned = any_table();
  std::vector<Column> columns = owned.table().columns();
  for (Column& column : columns) column.name = "renamed " + column.name;
  const Table renamed(owned.n_rows(), columns);
  const Options options = any_options();
  RC_ASSERT(Model::fit(owned.table(), options).score(owned.table()) == Model::fit(renamed, options).score(renamed));
}

double mean_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

TEST(Law5, reordering_columns_or_rows_changes_scores_only_as_another_seed_would) {
  const OwnedTable owned =
      random_table({ColumnSort::normal, ColumnSort::heavy_tailed, ColumnSort::few_values}, 2000, 4);
  const Table table = owned.table();
  const auto scores = Model::fit(table).score(table);
  const double between_seeds = mean_difference(scores, Model::fit(table, {.seed = 1}).score(table));

  std::vector<Column> columns = table.columns();
  std::reverse(columns.begin(), columns.end());
  const double between_orders = mean_difference(scores, Model::fit(Table(2000, columns)).score(table));
  EXPECT_GT(between_orders, 0);
  EXPECT_LT(between_orders, 1.5 * between_seeds);

  for (Column& column : columns) {  // the last row first
    column.first += 1999 * column.stride;
    column.stride = -column.stride;
  }
  EXPECT_LT(mean_difference(scores, Model::fit(Table(2000, columns)).score(table)), 1.5 * between_seeds);
}

// Law 6
RC_GTEST_PROP(Law6, a_constant_column_changes_nothing, ()) {
  const OwnedTable owned = any_table();
  const auto place = static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(owned.n_columns) + 1));
  OwnedTable wider{owned.n_columns + 1, {}};
  for (std::size_t i = 0; i < owned.n_rows(); ++i)
    for (std::size_t j = 0; j <= owned.n_columns; ++j)
      wider.values.push_back(j == place ? 42.0 : owned.values[i * owned.n_columns + (j < place ? j : j - 1)]);
  const Options options = any_options();
  RC_ASSERT(Model::fit(owned.table(), options).score(owned.table()) ==
            Model::fit(wider.table(), options).score(wider.table()));
}

// Law 7
RC_GTEST_PROP(Law7, counts_of_two_tables_add_up_to_those_of_both, ()) {
  const OwnedTable owned = any_table();
  const Model model = Model::fit(owned.table(), any_options());
  const auto middle = static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(owned.n_rows()) + 1));
  Counts sum = model.count(owned.table().rows(0, middle));
  sum += model.count(owned.table().rows(middle, owned.n_rows()));
  RC_ASSERT(sum == model.count(owned.table()));
}

// Law 8
RC_GTEST_PROP(Law8, the_same_seed_gives_the_same_model_and_scores_for_any_threads_and_batch_size, ()) {
  const OwnedTable owned = any_table(9000);
  Options options = any_options();
  options.contamination = 0.05;
  const Model model = Model::fit(owned.table(), options, {.threads = 1});
  const auto scores = model.score(owned.table(), {.threads = 1});
  for (const unsigned threads : {2U, 7U}) {
    RC_ASSERT(Model::fit(owned.table(), options, {.threads = threads}) == model);
    RC_ASSERT(model.score(owned.table(), {.threads = threads}) == scores);
  }
  OwnedTable shifted = owned;  // rows beyond the fitted range, and rows that lack a value
  for (double& x : shifted.values) x *= 3;
  shifted.values[0] = std::numeric_limits<double>::quiet_NaN();
  for (const OwnedTable* table : {&owned, static_cast<const OwnedTable*>(&shifted)}) {
    const std::size_t n = std::min<std::size_t>(table->n_rows(), 600);
    const auto whole = model.score(table->table().rows(0, n));
    for (const std::size_t batch : {1U, 17U, 4096U})
      for (std::size_t begin = 0; begin < n; begin += batch) {
        const std::size_t end = std::min(begin + batch, n);
        const auto part = model.score(table->table().rows(begin, end));
        RC_ASSERT(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(begin)));
      }
  }
}

RC_GTEST_PROP(Law8, another_seed_gives_another_model, ()) {
  const OwnedTable owned =
      random_table({ColumnSort::normal, ColumnSort::heavy_tailed}, 500, *rc::gen::arbitrary<std::uint32_t>());
  RC_ASSERT(!(Model::fit(owned.table(), {.n_estimators = 3, .seed = 0}) ==
              Model::fit(owned.table(), {.n_estimators = 3, .seed = 1})));
}

/// A table made of random bits alone, so that it is the same everywhere.
OwnedTable portable_table() {
  OwnedTable owned{5, {}};
  for (std::uint32_t row = 0; row < 3000; ++row) {
    const auto bits = forest::philox({row, 0, 0, 0}, {1, 2});
    const auto u = [&](std::size_t i) { return bits[i] * 0x1p-32; };
    owned.values.insert(owned.values.end(),
                        {u(0), u(1) * u(1) + u(0), 1 / (u(2) + 0.01), static_cast<double>(bits[3] % 4) / 10,
                         bits[3] < 200000000U ? std::numeric_limits<double>::quiet_NaN() : u(3) * u(0)});
  }
  return owned;
}

/// The FNV-1a hash of the bits of the scores.
std::uint64_t fingerprint(const std::vector<double>& scores) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const double score : scores) hash = (hash ^ std::bit_cast<std::uint64_t>(score)) * 0x100000001b3U;
  return hash;
}

TEST(Law8, a_known_table_has_known_scores_on_every_platform_and_instruction_set) {
  const OwnedTable owned = portable_table();
  const std::map<std::string_view, std::uint64_t> known{
      {"default", 2524441904847115775U}, {"paper", 6419584541450673162U}, {"authors", 17519682922310936573U}};
  for_each_target([&] {
    for (const auto& [name, expected] : known)
      EXPECT_EQ(fingerprint(Model::fit(owned.table(), preset(name)).score(owned.table())), expected) << name;
  });
}

// Law 9
RC_GTEST_PROP(Law9, k_duplicates_of_a_row_cost_at_most_log2_k_bits, ()) {
  const OwnedTable owned = any_table();
  Options options = any_options();
  options.count_rows = Options::all_rows;
  options.aggregate = *rc::gen::element(Aggregate::mean, Aggregate::quantile, Aggregate::max, Aggregate::top);
  const Model model = Model::fit(owned.table(), options);
  const auto row = static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(owned.n_rows())));
  const Table one = owned.table().rows(row, row + 1);
  const int k = *rc::gen::inRange(2, 50);
  Counts counts = model.counts();
  for (int copy = 1; copy < k; ++copy) counts += model.count(one);
  RC_ASSERT(model.with_counts(counts).score(one)[0] >= model.score(one)[0] - std::log2(k) - 1e-9);
}

}  // namespace
}  // namespace pidforest
