// SPDX-License-Identifier: Apache-2.0
// A file of every version of the format is kept here permanently. It must load and give the same scores; if its version
// is the current one, writing it must give the same bytes. A new version adds a file:
//
//   PIDFOREST_WRITE_GOLDEN=1 build/golden_model_test
//   python3 tests/golden/model/read_pidf.py tests/golden/model/v1_5.pidf > tests/golden/model/v1_5.summary
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/state.h"
#include "pidforest/compare.h"
#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "pidforest/series.h"
#include "random_table.h"

namespace pidforest {
namespace {

const std::string folder = PIDFOREST_SOURCE_DIR "/tests/golden/model/";

std::string read(const std::string& name) {
  std::ifstream file(folder + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Columns of all kinds, made of whole numbers only, so that they are the same on every machine. Must never change.
OwnedTable golden_table() {
  OwnedTable owned{{ColumnSort::even, ColumnSort::sometimes_missing, ColumnSort::category_or_missing,
                    ColumnSort::hierarchy, ColumnSort::ordinal, ColumnSort::cyclic, ColumnSort::cyclic_cells,
                    ColumnSort::boolean, ColumnSort::time, ColumnSort::constant},
                   {}};
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 120; ++i) {
    const int a = i * i % 31;
    const int b = i * 7 % 23;
    owned.values.insert(
        owned.values.end(),
        {a * b / 8.0, i % 6 == 0 ? missing : b * b / 4.0, i % 7 == 0 ? missing : a % 5 * (b % 2) * 1.0, b % 6 * 1.0,
         1.0 + a % 9 % (1 + b % 9), a * b % 96 / 4.0, a % 4 * 1.0, i % 11 == 0 ? 1.0 : 0.0, 1.7e9 + 3600.0 * a * b, 5});
  }
  return owned;
}

/// With or without the options that came with version 1.2.
Options golden_options(bool has_later = false) {
  return {.n_estimators = 3,
          .max_samples = 64,
          .min_node_rows = 8,
          .gate = 1,
          .related_share = has_later ? 0.5 : 0,
          .isolated = has_later,
          .rare_pairs = has_later,
          .contamination = 0.05,
          .reasons = has_later,
          .seed = 1};
}

/// One score per line, with as many digits as a double needs.
std::string text_of(const std::vector<double>& scores) {
  std::string text;
  for (const double score : scores) text += fmt::format("{}\n", score);
  return text;
}

TEST(GoldenModel, version_1_0_loads_scores_as_it_did_and_is_written_again) {
  const OwnedTable owned = golden_table();
  if (std::getenv("PIDFOREST_WRITE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe): one thread
    const Model model = owned.fit(golden_options());
    model.save(folder + "v1_0.pidf");
    std::ofstream(folder + "v1_0.scores") << text_of(model.score(owned.table()));
  }
  const Model model = Model::load(folder + "v1_0.pidf");
  EXPECT_EQ(text_of(model.score(owned.table())), read("v1_0.scores"));
  EXPECT_EQ(model.to_bytes(), read("v1_0.pidf"));
  EXPECT_EQ(model.options(), golden_options());
}

/// A stream whose trees are of different ages, with levels and ranges that came later than some of them. Never to be
/// changed.
Model golden_stream_model() {
  Options options = golden_options();
  options.aggregate = Aggregate::vote;
  const OwnedTable owned = golden_table();
  Stream stream({.forest = options, .horizon = 60, .warm_up = 20}, owned.schema());
  stream.learn(owned.table().rows(0, 117));  // between two computations of the medians
  return stream.model();
}

TEST(GoldenModel, version_1_1_loads_scores_as_it_did_and_is_written_again) {
  const OwnedTable owned = golden_table();
  if (std::getenv("PIDFOREST_WRITE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe): one thread
    const Model model = golden_stream_model();
    model.save(folder + "v1_1.pidf");
    std::ofstream(folder + "v1_1.scores") << text_of(model.score(owned.table()));
  }
  const Model model = Model::load(folder + "v1_1.pidf");
  EXPECT_EQ(text_of(model.score(owned.table())), read("v1_1.scores"));
  EXPECT_EQ(model.to_bytes(), read("v1_1.pidf"));
  EXPECT_EQ(golden_stream_model().to_bytes(), read("v1_1.pidf"));
}

/// Many copies of the golden table, and one value far beyond all others.
OwnedTable golden_table_with_outlier() {
  OwnedTable owned = golden_table();
  const std::vector<double> once = owned.values;
  for (int i = 0; i < 15; ++i) owned.values.insert(owned.values.end(), once.begin(), once.end());
  owned.at(7, 0) = 1e6;
  return owned;
}

/// The reasons of all rows, one per line.
std::string reasons_of(const Model& model, const Table& table) {
  const Explanations explained = Explainer(model).explain(table);
  std::string text;
  for (const std::uint32_t witness : explained.witness_of) text += to_json(explained.witnesses[witness]) + "\n";
  return text;
}

TEST(GoldenModel, version_1_2_loads_and_explains_as_it_did_and_is_written_again) {
  const OwnedTable owned = golden_table_with_outlier();
  if (std::getenv("PIDFOREST_WRITE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe): one thread
    const Model model = owned.fit(golden_options(true));
    model.save(folder + "v1_2.pidf");
    std::ofstream(folder + "v1_2.scores") << text_of(model.score(owned.table()));
    std::ofstream(folder + "v1_2.reasons") << reasons_of(model, owned.table());
  }
  const Model model = Model::load(folder + "v1_2.pidf");
  EXPECT_FALSE(model::state_of(model).forest->isolated.empty());
  EXPECT_FALSE(model::state_of(model).forest->relations.empty());
  EXPECT_EQ(text_of(model.score(owned.table())), read("v1_2.scores"));
  EXPECT_EQ(reasons_of(model, owned.table()), read("v1_2.reasons"));
  EXPECT_EQ(model.to_bytes(), read("v1_2.pidf"));
  EXPECT_EQ(model.options(), golden_options(true));
}

/// A stream that has learned three values off a constant. Never to be changed.
Model golden_stream_model_with_a_burst() {
  OwnedTable owned = golden_table();
  for (std::size_t row = 114; row < 117; ++row) owned.at(row, owned.n_columns() - 1) = 6;
  Stream stream({.forest = golden_options(), .horizon = 200, .warm_up = 100}, owned.schema());
  stream.learn(owned.table().rows(0, 117));
  return stream.model();
}

TEST(GoldenModel, version_1_3_loads_scores_as_it_did_and_is_written_again) {
  OwnedTable owned = golden_table();
  for (std::size_t row = 0; row < 40; ++row) owned.at(row, owned.n_columns() - 1) = 7;
  if (std::getenv("PIDFOREST_WRITE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe): one thread
    const Model model = golden_stream_model_with_a_burst();
    model.save(folder + "v1_3.pidf");
    std::ofstream(folder + "v1_3.scores") << text_of(model.score(owned.table()));
  }
  const Model model = Model::load(folder + "v1_3.pidf");
  EXPECT_EQ(text_of(model.score(owned.table())), read("v1_3.scores"));
  EXPECT_EQ(model.to_bytes(), read("v1_3.pidf"));
  EXPECT_EQ(golden_stream_model_with_a_burst().to_bytes(), read("v1_3.pidf"));
}

/// Hourly samples of two metrics, of whole numbers, over five days. Must never change.
Table golden_samples(std::vector<double>& values, std::vector<std::int64_t>& times) {
  for (int i = 0; i < 120; ++i) {
    values.push_back(i % 24 * 4 + i * i % 7);
    times.push_back(std::int64_t{3'600'000'000} * i);
  }
  for (int i = 0; i < 120; ++i) values.push_back(i == 70 ? 90 : i * i % 23);
  return {120, {{"load", values.data()}, {"heat", values.data() + 120}, Column::of_times("t", times.data())}};
}

/// Windows with views and a season. Never to be changed.
Model golden_window_model(const Table& samples) {
  const Series series(samples, {.window = 3, .time = "t", .views = {SeriesView::changes, SeriesView::residual}});
  return Model::fit(series, infer_schema(series, series.declared()), golden_options());
}

TEST(GoldenModel, version_1_4_makes_windows_and_scores_as_it_did_and_is_written_again) {
  std::vector<double> values;
  std::vector<std::int64_t> times;
  const Table samples = golden_samples(values, times);
  const auto scores_by = [&](const Model& model) {
    return text_of(model.score(Series::as_fitted(samples, *model.schema().windows)));
  };
  if (std::getenv("PIDFOREST_WRITE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe): one thread
    const Model model = golden_window_model(samples);
    model.save(folder + "v1_4.pidf");
    std::ofstream(folder + "v1_4.scores") << scores_by(model);
  }
  const Model model = Model::load(folder + "v1_4.pidf");
  EXPECT_EQ(model.to_bytes()[10], 4);  // the minor version
  EXPECT_EQ(model::state_of(model).forest->views.size(), 3U);
  EXPECT_EQ(scores_by(model), read("v1_4.scores"));
  EXPECT_EQ(model.to_bytes(), read("v1_4.pidf"));
  EXPECT_EQ(golden_window_model(samples).to_bytes(), read("v1_4.pidf"));
}

TEST(GoldenModel, version_1_5_knows_its_rows_and_scores_as_it_did_and_is_written_again) {
  const OwnedTable owned = golden_table_with_outlier();
  if (std::getenv("PIDFOREST_WRITE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe): one thread
    const Model model = owned.fit(golden_options(true));
    model.save(folder + "v1_5.pidf");
    std::ofstream(folder + "v1_5.scores") << text_of(model.score(owned.table()));
  }
  const Model model = Model::load(folder + "v1_5.pidf");
  EXPECT_EQ(model.to_bytes()[10], 5);  // the minor version
  ASSERT_NE(model::state_of(model).profile, nullptr);
  EXPECT_EQ(model::state_of(model).profile->n_rows, owned.n_rows());
  EXPECT_EQ(text_of(model.score(owned.table())), read("v1_5.scores"));
  EXPECT_EQ(model.to_bytes(), read("v1_5.pidf"));
  EXPECT_EQ(owned.fit(golden_options(true)).to_bytes(), read("v1_5.pidf"));
  EXPECT_EQ(compare(model, owned.table()).n_changed(), 0U);
}

TEST(GoldenModel, a_tree_that_cuts_an_axis_of_another_view_is_refused) {
  std::vector<double> values;
  std::vector<std::int64_t> times;
  const Model model = golden_window_model(golden_samples(values, times));
  model::State state = model::state_of(model);
  forest::Forest forest = *state.forest;
  std::swap(forest.trees[0], forest.trees[1]);
  std::swap(state.counts.trees[0], state.counts.trees[1]);
  state.forest = std::make_shared<const forest::Forest>(std::move(forest));
  const std::string bytes = model::Access::made_of(std::move(state)).to_bytes();
  try {
    (void)Model::from_bytes(bytes);
    FAIL() << "no error";
  } catch (const BadFile& error) {
    EXPECT_NE(std::string(error.what()).find("its axis must be in the view of the tree"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace pidforest
