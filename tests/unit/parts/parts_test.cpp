// SPDX-License-Identifier: Apache-2.0
// What a fit in parts refuses. Law 19 in tests/laws says what it gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "fixed_checksums.h"
#include "pidforest/distributed.h"
#include "pidforest/error.h"
#include "random_table.h"
#include "unit/table/column_table.h"

namespace pidforest {
namespace {

constexpr std::size_t n_rows = 900;

/// Three related columns of numbers and a category.
const OwnedTable& rows() {
  static const OwnedTable owned = [] {
    OwnedTable table = random_table(
        {ColumnSort::normal, ColumnSort::heavy_tailed, ColumnSort::heavy_tailed, ColumnSort::category}, n_rows, 1);
    for (std::size_t row = 0; row < n_rows; row += 100) table.at(row, 1) = table.at(row, 2) = 200;
    return table;
  }();
  return owned;
}

Options few_trees() { return {.n_estimators = 8, .max_samples = 64}; }

Schema complete_schema() {
  Facts facts(rows().schema());
  facts.add(rows().table(), 0);
  return facts.schema();
}

Survey survey_of(std::size_t begin, std::size_t end, const Options& options = few_trees(), std::size_t n = n_rows) {
  Survey survey(complete_schema(), n, options);
  survey.add(rows().table().rows(begin, end), begin);
  return survey;
}

GrownForest ready_forest(const Survey& survey) {
  const GrownForest forest = GrownForest::grow(survey);
  return forest.with_marks(forest.marks(rows().table(), 0), survey);
}

std::string refusal_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Parts, of_another_fit_do_not_merge) {
  Survey survey = survey_of(0, 400);
  Options other = few_trees();
  other.seed = 1;
  EXPECT_THROW(survey.merge(survey_of(400, 900, other)), InvalidInput);
  EXPECT_EQ(refusal_of([&] { survey.merge(survey_of(400, 900, few_trees(), 901)); }),
            "the survey is a part of another fit: its number of rows differs.");
  Facts facts(rows().schema());
  EXPECT_EQ(refusal_of([&] {
              facts.add(rows().table(), 0);
              Facts inferred;
              inferred.add(rows().table(), 0);
              facts.merge(inferred);
            }),
            "the facts are a part of another fit: their declared schema differs.");
  const Survey whole = survey_of(0, 900);
  const Survey of_other = survey_of(0, 900, other);
  const GrownForest forest = GrownForest::grow(whole);
  const GrownForest another = GrownForest::grow(of_other);
  Marks marks = forest.marks(rows().table(), 0);
  EXPECT_THROW(marks.merge(another.marks(rows().table(), 0)), InvalidInput);
  EXPECT_THROW((void)another.with_marks(marks, of_other), InvalidInput);
  EXPECT_THROW((void)forest.with_marks(marks, of_other), InvalidInput);
  PartCounts counts = ready_forest(whole).count(rows().table());
  EXPECT_THROW(counts += ready_forest(of_other).count(rows().table()), InvalidInput);
  EXPECT_THROW((void)ready_forest(whole).finish(counts, of_other), InvalidInput);
}

/// The schema of the facts of two halves, which have passed through bytes and are merged in the other order.
Schema schema_in_parts(const Table& table, std::size_t middle) {
  Facts first, second;
  first.add(table.rows(0, middle), 0);
  second.add(table.rows(middle, table.n_rows()), middle);
  Facts merged = Facts::from_bytes(second.to_bytes());
  merged.merge(Facts::from_bytes(first.to_bytes()));
  return merged.schema();
}

TEST(Facts, of_texts_in_parts_give_the_schema_of_the_whole) {
  for (const Texts& texts :
       {Texts{"1", "NA", "2.5", "?", "", "3"}, Texts{"$1,200", "$15.50", "NA", "($3)", "0", "$2"},
        Texts{"12MB", "1.5GB", "300kB", "0", "2MB", "1 TB"}, Texts{"1.234,5", "7", "1,5", "2", "3", "4"},
        Texts{"14:05", "null", "09:30", "23:59", "-", "00:00"},
        Texts{"2024-01", "2026-02", "2025-03", "", "", "2024-04"}, Texts{"$1", "$2", "free", "$3", "x", "$4"},
        Texts{"a", "NA", "b", "a", "-", "c"}, Texts{"14:05", "2024-01-01 10:00", "x", "y", "1", "z"}}) {
    const ColumnTable owned = ColumnTable().texts("x", texts);
    const Table table = owned.table();
    for (std::size_t middle = 1; middle < table.n_rows(); ++middle)
      EXPECT_EQ(to_json(schema_in_parts(table, middle)), to_json(infer_schema(table)));
  }
}

TEST(Facts, keep_the_format_of_the_declared_schema) {
  for (const bool has_columns : {false, true}) {
    Schema declared{.format = {.delimiter = '|', .decimal = ',', .missing = {"unknown"}}};
    if (has_columns) declared.columns = {{.name = "x", .kind = Kind::category}};
    Facts facts(declared);
    facts.add(ColumnTable().texts("x", {"a", "b"}).table(), 0);
    EXPECT_EQ(Facts::from_bytes(facts.to_bytes()).schema().format, declared.format);
  }
}

TEST(Parts, must_have_each_row_once) {
  EXPECT_EQ(refusal_of([] { (void)GrownForest::grow(survey_of(0, 899)); }),
            "the survey must have all 900 rows of the table; got 899.");
  Survey survey = survey_of(0, 500);
  EXPECT_EQ(refusal_of([&] { survey.merge(survey_of(499, 900)); }).substr(0, 33), "row 500 was added twice. Each row");
  EXPECT_EQ(refusal_of([&] { survey.add(rows().table(), 1); }), "the table has 900 rows; got rows 2 to 901.");
  const Survey whole = survey_of(0, 900);
  const GrownForest forest = ready_forest(whole);
  EXPECT_EQ(refusal_of([&] { (void)forest.finish(forest.count(rows().table().rows(0, 899)), whole); }),
            "the counts must be those of all 900 rows; got 899 rows. The rows may have changed since the trees were "
            "grown.");
}

TEST(Parts, must_be_counted_after_their_marks) {
  const Survey survey = survey_of(0, 900);
  const GrownForest forest = GrownForest::grow(survey);
  ASSERT_TRUE(forest.needs_marks());
  EXPECT_THROW((void)forest.count(rows().table()), InvalidInput);
  EXPECT_FALSE(ready_forest(survey).needs_marks());
  Options options = few_trees();
  options.reasons = false;
  EXPECT_FALSE(GrownForest::grow(survey_of(0, 900, options)).needs_marks());
}

TEST(Parts, with_counts_that_no_rows_have_are_refused) {
  const Survey survey = survey_of(0, 900);
  const GrownForest forest = ready_forest(survey);
  const PartCounts counts = forest.count(rows().table());
  EXPECT_EQ(forest.finish(counts, survey), rows().fit(few_trees()));
  EXPECT_EQ(counts.numbers.size(), forest.n_counts());
  EXPECT_EQ(counts.n_sums, forest.n_sums());
  for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{901}, std::numeric_limits<std::int64_t>::max()})
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}, std::size_t{2}, counts.n_sums - 1}) {
      PartCounts forged = counts;
      forged.numbers[place] = wrong;
      EXPECT_THROW((void)forest.finish(forged, survey), InvalidInput) << place << ' ' << wrong;
    }
  PartCounts many = counts;
  many.numbers[0] = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(many += counts, InvalidInput);
}

TEST(Parts, are_no_models_and_models_no_parts) {
  const Survey survey = survey_of(0, 900);
  const GrownForest forest = ready_forest(survey);
  EXPECT_EQ(refusal_of([&] { (void)Model::from_bytes(forest.to_bytes()); }),
            "model file: it is a part of a fit, grown forest, not a model. See docs/distributed.md.");
  EXPECT_THROW((void)Model::from_bytes(survey.to_bytes()), BadFile);
  const std::string model = rows().fit(few_trees()).to_bytes();
  EXPECT_THROW((void)GrownForest::from_bytes(model), BadFile);
  EXPECT_THROW((void)Survey::from_bytes(model), BadFile);
  EXPECT_THROW((void)Facts::from_bytes(survey.to_bytes()), BadFile);
  EXPECT_THROW((void)Marks::from_bytes(forest.to_bytes()), BadFile);
}

/// The bytes of each sort of part, with a function that reads them.
struct Sample {
  std::string bytes;
  std::function<void(const std::string&)> read;
};

std::vector<Sample> samples() {
  const Survey survey = survey_of(0, 300);
  const Survey whole = survey_of(0, 900);
  const GrownForest forest = GrownForest::grow(whole);
  Facts facts;
  const ColumnTable owned = ColumnTable().texts("when", {"2026-01-02", "2026-02-03T04:05:06+01:00", std::nullopt});
  facts.add(owned.table(), 0);
  return {{facts.to_bytes(), [](const std::string& bytes) { (void)Facts::from_bytes(bytes).n_rows(); }},
          {survey.to_bytes(), [](const std::string& bytes) { (void)Survey::from_bytes(bytes).to_bytes(); }},
          {forest.marks(rows().table(), 0).to_bytes(),
           [](const std::string& bytes) { (void)Marks::from_bytes(bytes).to_bytes(); }},
          {forest.to_bytes(),
           [](const std::string& bytes) { (void)GrownForest::from_bytes(bytes).marks(rows().table(), 0); }},
          {ready_forest(whole).to_bytes(),
           [](const std::string& bytes) { (void)GrownForest::from_bytes(bytes).count(rows().table()); }}};
}

TEST(PartBytes, that_are_damaged_are_refused) {
  for (const auto& [bytes, read] : samples()) {
    EXPECT_NO_THROW(read(bytes));
    const std::size_t step = bytes.size() / 500 + 1;
    for (std::size_t place = 0; place < bytes.size(); place += step) {
      EXPECT_THROW(read(bytes.substr(0, place)), BadFile);
      std::string flipped = bytes;
      flipped[place] = static_cast<char>(flipped[place] ^ 0x10);
      EXPECT_THROW(read(flipped), BadFile) << place;
    }
  }
}

/// A forger makes the checksums fit. Parts that are read all the same must be safe to use.
TEST(PartBytes, that_are_forged_are_refused_or_safe) {
  std::size_t n_refused = 0;
  for (const auto& [bytes, read] : samples()) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 400; ++i) {
      std::string forged = bytes;
      for (auto n = 1 + random() % 3; n > 0; --n) forged[random() % forged.size()] = static_cast<char>(random());
      try {
        read(with_fixed_checksums(forged));
      } catch (const Error&) {
        ++n_refused;
      }
    }
  }
  EXPECT_GT(n_refused, 500);
}

TEST(Facts, refuse_the_first_value_by_its_row_whatever_the_pieces) {
  const ColumnTable first = ColumnTable().texts("x", {"1", "2", "wrong", "4"});
  const ColumnTable second = ColumnTable().texts("x", {"5", "worse", "7"});
  const Schema declared{{{.name = "x", .kind = Kind::continuous}}};
  const auto facts_of = [&](const ColumnTable& owned, std::uint64_t first_row) {
    Facts facts(declared);
    facts.add(owned.table(), first_row);
    return facts;
  };
  Facts facts = facts_of(second, 4);
  EXPECT_EQ(refusal_of([&] { (void)facts.schema(); }).substr(0, 41), "row 6, column 'x': must be a number; got ");
  facts.merge(Facts::from_bytes(facts_of(first, 0).to_bytes()));
  EXPECT_EQ(refusal_of([&] { (void)facts.schema(); }).substr(0, 47), "row 3, column 'x': must be a number; got 'wrong");
  EXPECT_EQ(facts.n_rows(), 7);
}

TEST(Facts, of_no_rows_merge_with_any) {
  Facts facts;
  EXPECT_THROW((void)facts.schema(), InvalidInput);
  facts.merge(Facts::from_bytes(Facts().to_bytes()));
  Facts some;
  some.add(rows().table(), 0);
  facts.merge(some);
  EXPECT_EQ(facts.schema(), some.schema());
  some.merge(Facts());
  EXPECT_EQ(facts.n_rows(), some.n_rows());
}

TEST(Facts, keep_unnamed_columns_as_the_caller_says) {
  const ColumnTable owned = ColumnTable().numbers("a", {1, 2}).numbers("b", {3, 4});
  const Schema declared{{{.name = "b", .kind = Kind::continuous}}};
  const auto kinds = [&](Unnamed unnamed) {
    Facts facts(declared, unnamed);
    facts.add(owned.table(), 0);
    std::vector<std::pair<std::string, Kind>> found;
    for (const ColumnSchema& column : facts.schema().columns) found.emplace_back(column.name, column.kind);
    return found;
  };
  using Kinds = std::vector<std::pair<std::string, Kind>>;
  EXPECT_EQ(kinds(Unnamed::left_out), (Kinds{{"b", Kind::continuous}}));
  EXPECT_EQ(kinds(Unnamed::ignored), (Kinds{{"a", Kind::ignored}, {"b", Kind::continuous}}));
  EXPECT_EQ(kinds(Unnamed::inferred), (Kinds{{"a", Kind::continuous}, {"b", Kind::continuous}}));
}

TEST(RowsToDraw, are_found_for_any_number_of_rows) {
  const auto drawn = rows_to_draw(std::uint64_t{1} << 50U, {});
  EXPECT_LE(drawn.size(), 25'600 + 4096 + 65'536);
  EXPECT_GE(drawn.size(), 90'000);
  EXPECT_TRUE(std::ranges::is_sorted(drawn));
  EXPECT_THROW((void)rows_to_draw(1'000'000, {.n_estimators = 1'000'000}), InvalidOption);
  EXPECT_THROW((void)rows_to_draw(1'000'000'000, {.count_rows = 100'000'000}), InvalidOption);
}

TEST(Fit, does_not_depend_on_which_zero_comes_first) {
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back(i % 7);
  values[7] = -0.0;
  const Model one = Model::fit(Table::row_major(values, 1), few_trees());
  values[7] = 0.0;
  values[0] = -0.0;
  EXPECT_EQ(Model::fit(Table::row_major(values, 1), few_trees()).to_bytes(), one.to_bytes());
}

}  // namespace
}  // namespace pidforest
