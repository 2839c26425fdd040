// SPDX-License-Identifier: Apache-2.0
#include "pidforest/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "model/state.h"
#include "pidforest/error.h"
#include "random_table.h"

namespace pidforest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

OwnedTable normal_table(std::size_t n_rows, std::size_t n_columns) {
  return random_table(std::vector<ColumnSort>(n_columns, ColumnSort::normal), n_rows, 1);
}

template <class Exception>
std::string message_of(const auto& call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return "no such error";
}

bool all_equal(const std::vector<double>& scores) {
  return std::adjacent_find(scores.begin(), scores.end(), std::not_equal_to<>()) == scores.end();
}

TEST(Model, gives_the_one_far_row_the_highest_score) {
  OwnedTable owned = normal_table(1000, 3);
  owned.at(17, 1) = 12;
  for (const auto name : preset_names()) {
    const auto scores = Model::fit(owned.table(), preset(name)).score(owned.table());
    EXPECT_EQ(std::max_element(scores.begin(), scores.end()) - scores.begin(), 17) << name;
  }
}

TEST(Model, finds_thirty_equal_rows_among_a_thousand_corners_at_every_sample_size) {
  // The masking experiment of the paper.
  std::mt19937_64 random(0);
  OwnedTable owned{std::vector<ColumnSort>(10, ColumnSort::constant), std::vector<double>(10000, 0.0)};
  for (std::size_t i = 300; i < owned.values.size(); ++i) owned.values[i] = random() % 2 == 0 ? -1 : 1;
  for (const std::int64_t m : {50, 300, 1000}) {
    const auto scores = Model::fit(owned.table(), {.max_samples = m}).score(owned.table());
    for (std::size_t row = 0; row < 30; ++row)
      EXPECT_LT(std::count_if(scores.begin(), scores.end(), [&](double s) { return s > scores[row]; }), 50) << m;
  }
}

TEST(Model, refuses_tables_without_rows_or_columns) {
  EXPECT_EQ(message_of<InvalidInput>([] { Model::fit(Table(0, {{"x", nullptr, 1}})); }),
            "the table has no rows; fitting requires at least one.");
  EXPECT_EQ(message_of<InvalidInput>([] { Model::fit(Table(5, {})); }),
            "the table has no columns; fitting requires at least one.");
}

/// The assertions of the sanitized build see an access beyond an array that is empty then.
TEST(Model, gives_the_rows_of_a_forest_without_cuts_no_bits) {
  const std::vector<double> nothing(30, std::nan(""));
  for (const std::size_t n : {1U, 30U})
    for (const double bits : Model::fit(Table(n, {{"x", nothing.data()}})).score(Table(n, {{"x", nothing.data()}})))
      EXPECT_EQ(bits, 0);
}

TEST(Model, names_row_and_column_of_an_infinite_value_at_fit) {
  OwnedTable owned = normal_table(10, 3);
  owned.at(4, 2) = -infinity;
  EXPECT_EQ(message_of<InvalidInput>([&] { Model::fit(owned.table()); }),
            "row 5, column 'x2': must be finite or missing; got -inf.");
}

TEST(Model, scores_infinite_values_as_beyond_the_range_and_finite) {
  const OwnedTable owned = normal_table(500, 2);
  const Model model = Model::fit(owned.table());
  const std::vector<double> rows{0, 0, 10, 0, 1e300, 0, infinity, 0, -infinity, 0};
  const auto scores = model.score(Table::row_major(rows, 2));
  EXPECT_LT(scores[0], scores[1]);
  EXPECT_LT(scores[1], scores[2]);
  EXPECT_LT(scores[2], scores[3]);
  EXPECT_TRUE(std::isfinite(scores[3]));
  EXPECT_TRUE(std::isfinite(scores[4]));
}

TEST(Model, gives_more_bits_the_further_beyond_the_range_a_row_lies) {
  const OwnedTable owned = normal_table(500, 3);
  const Model model = Model::fit(owned.table());
  double last = -infinity;
  for (const double x : {0.0, 3.5, 5.0, 10.0, 100.0, 1e6, 1e12}) {
    const std::vector<double> row{0, x, 0};
    const double score = model.score(Table::row_major(row, 3))[0];
    EXPECT_GT(score, last) << x;
    last = score;
  }
}

TEST(Model, stretches_on_columns_that_no_tree_has_cut_too) {
  const OwnedTable owned = random_table({ColumnSort::even}, 2000, 1);
  const Model model = Model::fit(owned.table(), {.gate = 1e6, .isolated = false});  // no cut is significant enough
  EXPECT_NEAR(model.score(Table::row_major(std::vector<double>{0}, 1))[0], 0, 1e-12);
  EXPECT_NEAR(model.score(Table::row_major(std::vector<double>{3}, 1))[0], 1, 0.01);  // twice the length
}

TEST(Model, gives_equal_rows_equal_scores_and_no_flag) {
  for (const std::size_t n : {1U, 2U, 100U}) {
    const std::vector<double> values(n * 3, 7.5);
    for (const auto name : preset_names()) {
      Options options = preset(name);
      options.contamination = n == 2 ? 0.5 : Options::automatic_contamination;
      const Model model = Model::fit(Table::row_major(values, 3), options);
      const auto scores = model.score(Table::row_major(values, 3));
      EXPECT_TRUE(all_equal(scores));
      EXPECT_EQ(scores[0], 0) << name;
      EXPECT_LE(scores[0], *model.threshold());
    }
  }
}

TEST(Model, fits_fewer_rows_than_a_sample_holds) {
  const OwnedTable owned = normal_table(10, 2);
  for (const auto name : preset_names())
    EXPECT_EQ(Model::fit(owned.table(), preset(name)).score(owned.table()).size(), 10U);
}

TEST(Model, gives_another_value_of_a_constant_column_many_bits) {
  const std::vector<double> values(100, 5.0);
  const Model model = Model::fit(Table::row_major(values, 1));
  EXPECT_NEAR(model.score(Table::row_major(std::vector<double>{6}, 1))[0], std::log2(1e12), 1e-9);
}

TEST(Model, scores_a_missing_value_that_it_never_saw_by_the_node_that_asks) {
  const OwnedTable owned = normal_table(500, 2);
  const Model model = Model::fit(owned.table());
  const std::vector<double> all_missing(20, missing);
  const auto scores = model.score(Table::row_major(all_missing, 2));
  EXPECT_TRUE(all_equal(scores));
  EXPECT_NEAR(scores[0], 0, 1e-12);  // it stays at the roots
}

TEST(Model, finds_a_value_missing_where_it_never_is_otherwise) {
  // Column 0 is missing in half of the rows with x1 < 0 and, except for one row, nowhere else.
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  OwnedTable owned{std::vector<ColumnSort>(2, ColumnSort::normal), {}};
  for (int i = 0; i < 4000; ++i) {
    const double x1 = normal(random);
    owned.values.push_back(x1 < 0 && random() % 2 == 0 ? missing : normal(random));
    owned.values.push_back(x1);
  }
  owned.at(0, 0) = missing;
  owned.at(0, 1) = 1.0;
  const auto scores = Model::fit(owned.table()).score(owned.table());
  EXPECT_LT(std::count_if(scores.begin(), scores.end(), [&](double s) { return s > scores[0]; }), 40);
}

TEST(Model, splits_a_column_of_one_value_only_into_present_and_missing) {
  // The value is missing in half of the rows with x1 < 0 and nowhere else.
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  OwnedTable owned{std::vector<ColumnSort>(2, ColumnSort::normal), {}};
  for (int i = 0; i < 2000; ++i) {
    const double x1 = normal(random);
    owned.values.insert(owned.values.end(), {x1 < 0 && random() % 2 == 0 ? missing : 5.0, x1});
  }
  for (const auto name : preset_names()) {
    const auto scores = Model::fit(owned.table(), preset(name)).score(owned.table());
    for (const double score : scores) ASSERT_TRUE(std::isfinite(score)) << name;
    EXPECT_FALSE(all_equal(scores)) << name;
  }
}

TEST(Model, ignores_a_column_without_any_value) {
  const OwnedTable owned = normal_table(300, 2);
  OwnedTable wider{std::vector<ColumnSort>(3, ColumnSort::normal), {}};
  for (std::size_t i = 0; i < owned.n_rows(); ++i)
    wider.values.insert(wider.values.end(), {owned.values[2 * i], owned.values[2 * i + 1], missing});
  EXPECT_EQ(Model::fit(owned.table()).score(owned.table()), Model::fit(wider.table()).score(wider.table()));
}

TEST(Model, matches_columns_by_name) {
  const OwnedTable owned = normal_table(300, 2);
  const double* first = owned.values.data();
  const Table table(300, {{"a", first, 2}, {"b", first + 1, 2}});
  const Table shuffled(300, {{"c", first, 2}, {"b", first + 1, 2}, {"a", first, 2}});
  const Model model = Model::fit(table);
  EXPECT_EQ(model.score(table), model.score(shuffled));
  EXPECT_EQ(message_of<InvalidInput>([&] { (void)model.score(Table(300, {{"a", first, 2}})); }),
            "the table has no column 'b', which the model was fitted on.");
}

TEST(Model, flags_at_most_the_share_that_contamination_says) {
  const OwnedTable owned = normal_table(1000, 3);
  const Model model = Model::fit(owned.table(), {.contamination = 0.01});
  const auto scores = model.score(owned.table());
  EXPECT_EQ(std::count_if(scores.begin(), scores.end(), [&](double s) { return s > *model.threshold(); }), 10);
  EXPECT_FALSE(Model::fit(owned.table(), {.contamination = Options::none}).threshold().has_value());
  EXPECT_TRUE(Model::fit(owned.table()).threshold().has_value());
}

TEST(Model, refuses_counts_of_another_forest) {
  const OwnedTable owned = normal_table(500, 3);
  const Model model = Model::fit(owned.table(), {.n_estimators = 5});
  const Model other = Model::fit(owned.table(), {.n_estimators = 6});
  EXPECT_THROW((void)model.with_counts(other.counts()), InvalidInput);
  EXPECT_NO_THROW((void)model.with_counts(model.count(owned.table())));
  Counts too_many = model.counts();
  ++too_many.trees[0].back();
  EXPECT_THROW((void)model.with_counts(too_many), InvalidInput);
}

TEST(Model, stops_a_long_fit_when_cancelled_and_leaves_nothing_behind) {
  const OwnedTable owned = normal_table(100000, 10);
  std::atomic<bool> cancel{false};
  const std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancel = true;
  });
  EXPECT_THROW((void)Model::fit(owned.table(), {.n_estimators = 100000}, {.threads = 2, .cancel = &cancel}), Cancelled);
}

TEST(Model, keeps_apart_doubles_that_floats_would_merge) {
  // Two groups one unit in the last place apart at 1e9, where a float has no digits left.
  std::vector<double> values;
  for (int i = 0; i < 900; ++i) values.push_back(1e9 + i * 1e-6);
  values.push_back(1e9 + 0.5);
  const Model model = Model::fit(Table::row_major(values, 1));
  const auto scores = model.score(Table::row_major(values, 1));
  EXPECT_EQ(std::max_element(scores.begin(), scores.end()) - scores.begin(), 900);
}

TEST(Model, copes_with_columns_that_span_all_doubles) {
  OwnedTable owned = normal_table(300, 2);
  for (std::size_t i = 0; i < 300; ++i)
    owned.at(i, 0) = (i % 2 == 0 ? 1 : -1) * 1e308 * (1 + 0.001 * static_cast<double>(i % 7));
  for (const auto name : preset_names())
    for (const double score : Model::fit(owned.table(), preset(name)).score(owned.table()))
      EXPECT_TRUE(std::isfinite(score));
}

TEST(Model, fits_ten_thousand_columns) {
  const OwnedTable owned = normal_table(60, 10000);
  for (const auto name : preset_names()) {
    Options options = preset(name);
    options.n_estimators = 2;
    for (const double score : Model::fit(owned.table(), options).score(owned.table()))
      EXPECT_TRUE(std::isfinite(score));
  }
}

TEST(Table, says_what_is_wrong_with_its_shape) {
  const std::vector<double> five(5);
  EXPECT_EQ(message_of<InvalidInput>([&] { Table::row_major(five, 2); }),
            "5 values do not fill whole rows of 2 columns.");
  EXPECT_EQ(message_of<InvalidInput>([&] { Table::row_major(five, 5, {"a"}); }),
            "there must be 5 names, one per column; got 1.");
  EXPECT_EQ(message_of<InvalidInput>([&] { Table(5, {{"a", five.data()}, {"a", five.data()}}); }),
            "two columns are named 'a'; names must differ.");
  EXPECT_EQ(message_of<InvalidInput>([&] { Table(5, {{"", five.data()}}); }), "column 1 has no name.");
}

TEST(Table, scores_the_same_row_by_row_and_column_by_column) {
  const OwnedTable owned = normal_table(700, 3);
  std::vector<double> by_column;
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 700; ++i) by_column.push_back(owned.values[i * 3 + j]);
  const Table columns = Table::column_major(by_column, 3);
  EXPECT_EQ(Model::fit(owned.table()), Model::fit(columns));
  EXPECT_EQ(Model::fit(owned.table()).score(owned.table()), Model::fit(columns).score(columns));
}

TEST(Model, scores_mixed_columns_in_batches_and_names_rows_by_their_place_in_the_table) {
  std::vector<double> stars;
  for (int i = 0; i < 300000; ++i) stars.push_back(1 + i % 5);
  const Table table(stars.size(), {{.name = "stars", .first = stars.data()}});
  const Schema schema{{{.name = "stars", .kind = Kind::ordinal, .range = std::pair{1.0, 5.0}}}};
  const Model model = Model::fit(table, schema, {.n_estimators = 3});
  std::uint64_t done = 0;
  const auto scores = model.score(table, {.on_progress = [&](const Progress& p) {
                                    EXPECT_LE(p.done, p.total);
                                    done = p.done;
                                  }});
  EXPECT_EQ(done, stars.size());
  EXPECT_EQ(std::vector<double>(scores.end() - 1000, scores.end()), model.score(table.rows(299000, 300000)));
  EXPECT_EQ(model.count(table).trees[0][0], 300000U);
  stars[270000] = 2.5;
  EXPECT_EQ(message_of<InvalidInput>([&] { (void)model.score(table); }).substr(0, 29), "row 270001, column 'stars': m");
}

TEST(Model, gives_a_constant_column_of_any_kind_the_most_bits_for_another_value) {
  const std::vector<double> values{1, 1, 1, 1};
  const Table table(4, {{.name = "x", .first = values.data()}});
  const std::vector<double> other{2};
  const Table one(1, {{.name = "x", .first = other.data()}});
  for (const Kind kind : {Kind::continuous, Kind::category, Kind::ordinal}) {
    const Model model = Model::fit(table, Schema{{{.name = "x", .kind = kind}}}, {.n_estimators = 2});
    EXPECT_EQ(model.score(table)[0], 0);
    if (kind == Kind::ordinal) continue;  // an ordinal column rejects other levels
    EXPECT_NEAR(model.score(one)[0], std::log2(1e12), 1e-9);
  }
}

TEST(Model, takes_a_declared_range_for_the_whole_axis_and_widens_it_by_what_it_sees) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i % 100 * 0.01);
  values.push_back(-1);  // outside the declared range
  const Table table(values.size(), {{.name = "x", .first = values.data()}});
  const auto root_of = [&](std::optional<std::pair<double, double>> range) {
    const Model model =
        Model::fit(table, Schema{{{.name = "x", .range = range}}}, {.n_estimators = 1, .isolated = false});
    return model::state_of(model).forest->root[0];
  };
  EXPECT_EQ(root_of({}), (geometry::Interval{-1, 0.99}));
  EXPECT_EQ(root_of(std::pair{0.0, 10.0}), (geometry::Interval{-1, 10}));
}

TEST(Model, isolates_values_beyond_a_declared_range_but_not_within_it) {
  std::vector<double> values;
  for (int i = 0; i < 2000; ++i) values.push_back(i % 100 * 0.01);
  values.push_back(-50);
  const Table table(values.size(), {{.name = "x", .first = values.data()}});
  const auto fitted = [&](std::optional<std::pair<double, double>> range) {
    return Model::fit(table, Schema{{{.name = "x", .range = range}}}, {.n_estimators = 1});
  };
  const auto forest_of = [](const Model& model) { return *model::state_of(model).forest; };
  EXPECT_EQ(forest_of(fitted({})).root[0], (geometry::Interval{0, 0.99}));
  EXPECT_EQ(forest_of(fitted(std::pair{0.0, 10.0})).root[0], (geometry::Interval{0, 10}));
  EXPECT_EQ(forest_of(fitted(std::pair{0.0, 10.0})).isolated[0].below.size(), 1U);
  EXPECT_TRUE(forest_of(fitted(std::pair{-100.0, 10.0})).isolated[0].below.empty());
  EXPECT_TRUE(forest_of(fitted(std::pair{-100.0, 10.0})).isolated[0].above.empty());
  EXPECT_GT(fitted({}).score(table)[2000], 10);
}

}  // namespace
}  // namespace pidforest
