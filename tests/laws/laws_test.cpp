// SPDX-License-Identifier: Apache-2.0
// The laws of the theory (docs/theory.md lists them), each as a property of random tables and options.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <memory>

#include "each_target.h"
#include "forest/random.h"
#include "model/state.h"
#include "random_table.h"

namespace pidforest {
namespace {

using forest::Node;
using forest::Tree;

const std::vector<Tree>& trees_of(const Model& model) { return model::state_of(model).forest->trees; }

double volume(const Tree& tree, std::size_t node) { return std::exp2(tree.log2_volumes[node]); }

// Law 1
RC_GTEST_PROP(Law1, children_fill_their_parent_and_leaves_fill_the_root, ()) {
  const OwnedTable owned = any_table();
  const Model model = owned.fit(any_options());
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
  const Model model = owned.fit(any_options());
  OwnedTable unseen = owned;
  for (std::size_t i = 0; i < unseen.values.size(); ++i)
    unseen.values[i] = other_value(unseen.sorts[i % unseen.n_columns()], unseen.values[i]);
  const Counts counts = model.count(unseen.table());
  for (std::size_t t = 0; t < counts.trees.size(); ++t) {
    const Tree& tree = trees_of(model)[t];
    RC_ASSERT(counts.trees[t][0] == owned.n_rows());
    for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
      if (tree.nodes[v].is_leaf()) continue;
      std::uint64_t children = 0;
      for (std::uint32_t i = 0; i < tree.nodes[v].n_children(); ++i)
        children += counts.trees[t][tree.nodes[v].first_child + i];
      // Values are missing only on axes where the fit has seen missing values, so no row stays at an inner node.
      RC_ASSERT(children == counts.trees[t][v]);
    }
  }
}

// Law 3
RC_GTEST_PROP(Law3, the_mean_sparsity_of_the_children_is_that_of_the_parent, ()) {
  const OwnedTable owned = any_table(400, false);
  Options options = preset("paper");  // optimal cuts, counts of the tree's own sample: no child is empty
  options.n_estimators = 3;
  const Model model = owned.fit(options);
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

// Law 4 is in unit/geometry/partition_test.cpp: the exact split against brute force, and the one-pass split against the
// exact one.

// Law 5
RC_GTEST_PROP(Law5, scores_do_not_change_when_a_column_is_scaled_by_a_power_of_two, ()) {
  const OwnedTable owned = any_table();
  OwnedTable scaled = owned;
  for (std::size_t j = 0; j < owned.n_columns(); ++j) {
    if (!is_number(owned.sorts[j])) continue;
    const double factor = std::exp2(*rc::gen::inRange(-40, 40));
    for (std::size_t i = 0; i < owned.n_rows(); ++i) scaled.at(i, j) *= factor;
  }
  const Options options = any_options();
  RC_ASSERT(owned.fit(options).score(owned.table()) == scaled.fit(options).score(scaled.table()));
}

RC_GTEST_PROP(Law5, scores_hardly_change_when_a_column_is_scaled_and_shifted, ()) {
  const OwnedTable owned = any_table();
  OwnedTable moved = owned;
  for (std::size_t j = 0; j < owned.n_columns(); ++j) {
    if (!is_number(owned.sorts[j])) continue;
    const double factor = *rc::gen::inRange(1, 1000) / 7.0;
    const double shift = *rc::gen::inRange(-1000, 1000) / 3.0;
    for (std::size_t i = 0; i < owned.n_rows(); ++i) moved.at(i, j) = factor * moved.at(i, j) + shift;
  }
  Options options;
  options.n_estimators = 5;
  const auto before = owned.fit(options).score(owned.table());
  const auto after = moved.fit(options).score(moved.table());
  for (std::size_t i = 0; i < before.size(); ++i) RC_ASSERT(std::abs(before[i] - after[i]) < 1e-6);
}

RC_GTEST_PROP(Law5, scores_do_not_change_when_columns_are_renamed, ()) {
  const OwnedTable owned = any_table();
  std::vector<Column> columns = owned.table().columns();
  Schema schema = owned.schema();
  for (Column& column : columns) column.name = "renamed " + column.name;
  for (ColumnSchema& column : schema.columns) column.name = "renamed " + column.name;
  const Table renamed(owned.n_rows(), columns);
  const Options options = any_options();
  RC_ASSERT(owned.fit(options).score(owned.table()) == Model::fit(renamed, schema, options).score(renamed));
}

RC_GTEST_PROP(Law5, scores_do_not_change_when_a_circle_is_turned, ()) {
  const OwnedTable owned = any_table();
  OwnedTable turned = owned;
  for (std::size_t j = 0; j < owned.n_columns(); ++j) {
    if (!is_circle(owned.sorts[j])) continue;
    const double period = period_of(owned.sorts[j]);
    const double angle = *rc::gen::inRange(1, 100) * (owned.sorts[j] == ColumnSort::cyclic_cells ? 1 : 0.5);
    for (std::size_t i = 0; i < owned.n_rows(); ++i) turned.at(i, j) = std::fmod(turned.at(i, j) + angle, period);
  }
  Options options = any_options();
  options.rare_pairs = false;  // they read a circle from its start
  const auto before = owned.fit(options).score(owned.table());
  const auto after = turned.fit(options).score(turned.table());
  for (std::size_t i = 0; i < before.size(); ++i) RC_ASSERT(std::abs(before[i] - after[i]) < 1e-9);
}

/// The levels as texts: the name of number x is `before`, x and `after`.
std::vector<std::string> named_levels(const OwnedTable& owned, std::size_t column, const std::string& before,
                                      const std::string& after) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < owned.n_rows(); ++i) {
    const double x = owned.values[i * owned.n_columns() + column];
    names.emplace_back();
    if (!std::isnan(x)) names.back().append(before).append(std::to_string(x)).append(after);
  }
  return names;
}

/// A copy of the table with text levels in its categories.
struct NamedTable {
  NamedTable(const OwnedTable& owned, const std::string& before, const std::string& after) : schema(owned.schema()) {
    columns = owned.table().columns();
    for (std::size_t j = 0; j < owned.n_columns(); ++j) {
      if (!is_category(owned.sorts[j]) || owned.sorts[j] == ColumnSort::hierarchy) continue;
      names.push_back(std::make_unique<std::vector<std::string>>(named_levels(owned, j, before, after)));
      views.push_back(std::make_unique<std::vector<std::string_view>>());
      for (const std::string& name : *names.back())
        views.back()->push_back(name.empty() ? std::string_view() : std::string_view(name));
      columns[j] = Column::of_texts(columns[j].name, views.back()->data());
      schema.columns[j] = {.name = columns[j].name, .kind = Kind::category};
    }
    n_rows = owned.n_rows();
  }
  [[nodiscard]] Table table() const { return {n_rows, columns}; }
  [[nodiscard]] std::vector<double> scores(const Options& options) const {
    return Model::fit(table(), schema, options).score(table());
  }

  Schema schema;
  std::size_t n_rows = 0;
  std::vector<Column> columns;
  std::vector<std::unique_ptr<std::vector<std::string>>> names;
  std::vector<std::unique_ptr<std::vector<std::string_view>>> views;
};

RC_GTEST_PROP(Law5, scores_do_not_change_when_levels_are_renamed_in_whatever_order, ()) {
  const OwnedTable owned = any_table();
  const Options options = any_options();
  const auto scores = NamedTable(owned, "level ", "").scores(options);
  RC_ASSERT(NamedTable(owned, "another ", "!").scores(options) == scores);
  // Reversed: the first of the sorted names becomes the last.
  NamedTable reversed(owned, "", "");
  for (std::size_t k = 0; k < reversed.names.size(); ++k)
    for (std::size_t i = 0; i < reversed.n_rows; ++i) {
      std::string& name = (*reversed.names[k])[i];
      if (name.empty()) continue;
      name = std::to_string(1e6 - std::stod(name));
      (*reversed.views[k])[i] = name;
    }
  RC_ASSERT(reversed.scores(options) == scores);
}

RC_GTEST_PROP(Law5, a_flat_category_and_a_hierarchy_of_depth_one_score_alike, ()) {
  const OwnedTable owned = any_table();
  const Options options = any_options();
  Schema deep = owned.fit({.n_estimators = 1}).schema();
  for (std::size_t j = 0; j < owned.n_columns(); ++j)
    if (owned.sorts[j] != ColumnSort::hierarchy)
      for (const std::string& level : deep.columns[j].levels)
        if (deep.columns[j].kind == Kind::category) deep.columns[j].parents.emplace_back(level, "all");
  RC_ASSERT(owned.fit(options).score(owned.table()) == Model::fit(owned.table(), deep, options).score(owned.table()));
}

double mean_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

TEST(Law5, reordering_columns_or_rows_changes_scores_only_as_another_seed_would) {
  const OwnedTable owned =
      random_table({ColumnSort::normal, ColumnSort::heavy_tailed, ColumnSort::category, ColumnSort::cyclic}, 2000, 4);
  const Table table = owned.table();
  const Schema schema = owned.schema();
  const auto scores = Model::fit(table, schema).score(table);
  const double between_seeds = mean_difference(scores, Model::fit(table, schema, {.seed = 1}).score(table));

  std::vector<Column> columns = table.columns();
  Schema reversed = schema;
  std::reverse(reversed.columns.begin(), reversed.columns.end());
  const double between_orders = mean_difference(scores, Model::fit(table, reversed).score(table));
  EXPECT_GT(between_orders, 0);
  EXPECT_LT(between_orders, 1.5 * between_seeds);

  for (Column& column : columns) {  // in reverse order of rows
    column.first += 1999 * column.stride;
    column.stride = -column.stride;
  }
  EXPECT_LT(mean_difference(scores, Model::fit(Table(2000, columns), schema).score(table)), 1.5 * between_seeds);
}

// Law 6
RC_GTEST_PROP(Law6, a_constant_column_changes_nothing, ()) {
  const OwnedTable owned = any_table();
  const auto place = static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(owned.n_columns()) + 1));
  OwnedTable wider{owned.sorts, {}};
  wider.sorts.insert(
      wider.sorts.begin() + static_cast<std::ptrdiff_t>(place),
      *rc::gen::element(ColumnSort::constant, ColumnSort::constant_boolean, ColumnSort::category, ColumnSort::hierarchy,
                        ColumnSort::ordinal, ColumnSort::cyclic, ColumnSort::cyclic_cells, ColumnSort::time));
  for (std::size_t i = 0; i < owned.n_rows(); ++i)
    for (std::size_t j = 0; j < wider.n_columns(); ++j)
      wider.values.push_back(j == place ? 1.0 : owned.values[i * owned.n_columns() + (j < place ? j : j - 1)]);
  const Options options = any_options();
  RC_ASSERT(owned.fit(options).score(owned.table()) == wider.fit(options).score(wider.table()));
}

// Law 7
RC_GTEST_PROP(Law7, counts_of_two_tables_add_up_to_those_of_both, ()) {
  const OwnedTable owned = any_table();
  const Model model = owned.fit(any_options());
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
  const Model model = owned.fit(options, {.threads = 1});
  const auto scores = model.score(owned.table(), {.threads = 1});
  for (const unsigned threads : {2U, 7U}) {
    RC_ASSERT(owned.fit(options, {.threads = threads}) == model);
    RC_ASSERT(model.score(owned.table(), {.threads = threads}) == scores);
  }
  OwnedTable shifted = owned;  // rows beyond the fitted range, unseen levels, and missing values
  for (std::size_t i = 0; i < shifted.values.size(); ++i) {
    const ColumnSort sort = shifted.sorts[i % shifted.n_columns()];
    if (is_number(sort)) shifted.values[i] *= 3;
    if (is_category(sort)) shifted.values[i] += 1;
  }
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

RC_GTEST_PROP(Law8, a_table_that_comes_in_batches_gives_the_same_model, ()) {
  const OwnedTable owned = any_table();
  Options options = any_options();
  options.count_rows = *rc::gen::elementOf(std::vector<std::int64_t>{Options::all_rows, Options::own_sample, 50});
  TableStore store({.memory = *rc::gen::element<std::size_t>(0, 1 << 20),
                    .batch_rows = *rc::gen::inRange<std::size_t>(1, 200),
                    .batch_bytes = *rc::gen::element<std::size_t>(1, 2000, 1 << 20)});
  const std::size_t step = *rc::gen::inRange<std::size_t>(1, 100);
  for (std::size_t begin = 0; begin < owned.n_rows(); begin += step)
    store.append(owned.table().rows(begin, std::min(begin + step, owned.n_rows())));
  RC_ASSERT(Model::fit(store, owned.schema(), options) == owned.fit(options));
}

RC_GTEST_PROP(Law8, saving_and_loading_changes_no_bit_of_a_model_and_no_score, ()) {
  const OwnedTable owned = any_table();
  Options options = any_options();
  options.contamination = *rc::gen::element(Options::none, 0.1);
  const Model model = owned.fit(options);
  const std::string bytes = model.to_bytes();
  RC_ASSERT(owned.fit(options, {.threads = 3}).to_bytes() == bytes);
  const Model back = Model::from_bytes(bytes);
  RC_ASSERT(back == model);
  RC_ASSERT(back.to_bytes() == bytes);
  RC_ASSERT(back.score(owned.table()) == model.score(owned.table()));
}

RC_GTEST_PROP(Law8, another_seed_gives_another_model, ()) {
  const OwnedTable owned =
      random_table({ColumnSort::normal, ColumnSort::heavy_tailed}, 500, *rc::gen::arbitrary<std::uint32_t>());
  RC_ASSERT(!(Model::fit(owned.table(), {.n_estimators = 3, .seed = 0}) ==
              Model::fit(owned.table(), {.n_estimators = 3, .seed = 1})));
}

/// A table made of random bits only, so that it is the same on every machine.
OwnedTable portable_table() {
  OwnedTable owned{std::vector<ColumnSort>(5, ColumnSort::even), {}};
  for (std::uint32_t row = 0; row < 3000; ++row) {
    const auto bits = forest::philox({row, 0, 0, 0}, {1, 2});
    const auto u = [&](std::size_t i) { return bits[i] * 0x1p-32; };
    owned.values.insert(owned.values.end(),
                        {u(0), u(1) * u(1) + u(0), 1 / (u(2) + 0.01), static_cast<double>(bits[3] % 4) / 10,
                         bits[3] < 200000000U ? std::numeric_limits<double>::quiet_NaN() : u(3) * u(0)});
  }
  return owned;
}

/// Like portable_table, for all other kinds of columns.
OwnedTable portable_kinds() {
  OwnedTable owned{{ColumnSort::category, ColumnSort::hierarchy, ColumnSort::ordinal, ColumnSort::cyclic,
                    ColumnSort::cyclic_cells, ColumnSort::boolean, ColumnSort::time, ColumnSort::category_or_missing},
                   {}};
  for (std::uint32_t row = 0; row < 3000; ++row) {
    const auto bits = forest::philox({row, 1, 0, 0}, {1, 2});
    const auto below = [&](std::size_t i, std::uint32_t n) { return static_cast<double>((bits[i] >> 8U) % n); };
    owned.values.insert(
        owned.values.end(),
        {below(0, 7) * below(1, 3), std::min(below(0, 9), 5.0), 1 + below(2, 9), below(3, 20) + below(2, 64) / 64,
         std::min(below(1, 12), 6.0), bits[3] % 9 == 0 ? 1.0 : 0.0, 1.7e9 + 3600 * below(0, 300) * below(3, 4),
         bits[2] % 5 == 0 ? std::numeric_limits<double>::quiet_NaN() : below(1, 40)});
  }
  return owned;
}

/// The FNV-1a hash of the bits of the scores.
std::uint64_t fingerprint(const std::vector<double>& scores) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const double score : scores) hash = (hash ^ std::bit_cast<std::uint64_t>(score)) * 0x100000001b3U;
  return hash;
}

/// The default preset of version 0.1, whose scores never change.
constexpr Options plain_options{.related_share = 0, .isolated = false, .rare_pairs = false};

TEST(Law8, a_known_table_has_known_scores_on_every_platform_and_instruction_set) {
  const OwnedTable owned = portable_table();
  const std::map<std::string_view, std::uint64_t> known{
      {"default", 3159550331352894318U}, {"paper", 6419584541450673162U}, {"authors", 17519682922310936573U}};
  constexpr std::uint64_t plain = 2524441904847115775U;
  for_each_target([&] {
    EXPECT_EQ(fingerprint(Model::fit(owned.table(), plain_options).score(owned.table())), plain);
    for (const auto& [name, expected] : known)
      EXPECT_EQ(fingerprint(Model::fit(owned.table(), preset(name)).score(owned.table())), expected) << name;
  });
}

TEST(Law8, a_known_table_of_all_kinds_has_known_scores_on_every_platform_and_instruction_set) {
  const OwnedTable owned = portable_kinds();
  const std::map<std::string_view, std::uint64_t> known{
      {"default", 4449877876039410890U}, {"paper", 7139297294960000759U}, {"authors", 14629152316103608092U}};
  constexpr std::uint64_t plain = 17220007491376609940U;
  for_each_target([&] {
    EXPECT_EQ(fingerprint(owned.fit(plain_options).score(owned.table())), plain);
    for (const auto& [name, expected] : known)
      EXPECT_EQ(fingerprint(owned.fit(preset(name)).score(owned.table())), expected) << name;
  });
}

// Law 9
RC_GTEST_PROP(Law9, k_duplicates_of_a_row_cost_at_most_log2_k_bits, ()) {
  const OwnedTable owned = any_table();
  Options options = any_options();
  options.count_rows = Options::all_rows;
  options.aggregate = *rc::gen::element(Aggregate::mean, Aggregate::quantile, Aggregate::max, Aggregate::top);
  const Model model = owned.fit(options);
  const auto row = static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(owned.n_rows())));
  const Table one = owned.table().rows(row, row + 1);
  const int k = *rc::gen::inRange(2, 50);
  Counts counts = model.counts();
  for (int copy = 1; copy < k; ++copy) counts += model.count(one);
  RC_ASSERT(model.with_counts(counts).score(one)[0] >= model.score(one)[0] - std::log2(k) - 1e-9);
}

}  // namespace
}  // namespace pidforest
