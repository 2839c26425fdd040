// SPDX-License-Identifier: Apache-2.0
// Law 19: a fit in parts gives the bytes of the plain fit, for any pieces of the table and any order of merging.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/distributed.h"
#include "pidforest/error.h"
#include "random_table.h"
#include "unit/table/column_table.h"

namespace pidforest {
namespace {

/// Rows of a table from `begin` up to but not including `end`.
struct Stretch {
  std::size_t begin;
  std::size_t end;
};

/// Pieces that make up a table, in any order; some may be empty.
std::vector<Stretch> any_pieces(std::size_t n_rows) {
  std::vector<std::size_t> cuts{0, n_rows};
  for (int i = *rc::gen::inRange(0, 9); i > 0; --i) cuts.push_back(*rc::gen::inRange<std::size_t>(0, n_rows + 1));
  std::ranges::sort(cuts);
  std::vector<Stretch> pieces;
  for (std::size_t i = 1; i < cuts.size(); ++i) pieces.push_back({cuts[i - 1], cuts[i]});
  for (std::size_t i = pieces.size(); i > 1; --i)
    std::swap(pieces[i - 1], pieces[*rc::gen::inRange<std::size_t>(0, i)]);
  return pieces;
}

/// Merges parts pair by pair in any order. Some travel as bytes.
template <class Part>
Part merged(std::vector<Part> parts) {
  while (parts.size() > 1) {
    const auto place = *rc::gen::inRange<std::size_t>(0, parts.size() - 1);
    Part last = std::move(parts.back());
    parts.pop_back();
    if (*rc::gen::arbitrary<bool>()) last = Part::from_bytes(last.to_bytes());
    parts[place].merge(last);
  }
  return Part::from_bytes(parts[0].to_bytes());
}

/// The rows of a piece in small batches.
TableStore batches_of(const Table& table, const Stretch& piece) {
  TableStore store({.batch_rows = *rc::gen::inRange<std::size_t>(1, 200)});
  store.append(table.rows(piece.begin, piece.end));
  return store;
}

Facts facts_of(const Table& table, const std::vector<Stretch>& pieces, const Facts& empty) {
  std::vector<Facts> parts{empty};
  for (const Stretch& piece : pieces) {
    if (*rc::gen::arbitrary<bool>()) parts.push_back(empty);
    parts.back().add(batches_of(table, piece), piece.begin);
  }
  return merged(std::move(parts));
}

Model fit_in_parts(const Table& table, const std::vector<Stretch>& pieces, const Schema& schema,
                   const Options& options) {
  std::vector<Survey> surveys;
  for (const Stretch& piece : pieces) {
    if (surveys.empty() || *rc::gen::arbitrary<bool>()) surveys.emplace_back(schema, table.n_rows(), options);
    surveys.back().add(batches_of(table, piece), piece.begin);
  }
  const Survey survey = merged(std::move(surveys));
  GrownForest forest = GrownForest::grow(survey);
  if (forest.needs_marks()) {
    const GrownForest shipped = GrownForest::from_bytes(forest.to_bytes());
    std::vector<Marks> marks;
    for (const Stretch& piece : pieces) marks.push_back(shipped.marks(batches_of(table, piece), piece.begin));
    forest = forest.with_marks(merged(std::move(marks)), survey);
  }
  const GrownForest shipped = GrownForest::from_bytes(forest.to_bytes());
  std::optional<PartCounts> counts;
  for (const Stretch& piece : pieces) {
    const PartCounts more = shipped.count(batches_of(table, piece));
    if (counts)
      *counts += more;
    else
      counts = more;
  }
  return (*rc::gen::arbitrary<bool>() ? forest : shipped).finish(*counts, survey);
}

Options any_options_of_parts() {
  Options options = any_options();
  options.n_estimators = *rc::gen::inRange(1, 20);
  options.count_rows =
      *rc::gen::elementOf(std::vector<std::int64_t>{Options::all_rows, Options::all_rows, Options::own_sample, 50});
  options.contamination =
      *rc::gen::elementOf(std::vector<double>{Options::automatic_contamination, Options::none, 0.1});
  options.reasons = *rc::gen::element(true, true, false);
  return options;
}

// Law 19
RC_GTEST_PROP(Law19, a_fit_in_parts_gives_the_bytes_of_the_plain_fit, ()) {
  const OwnedTable owned = any_table(*rc::gen::element(20, 400, 6000));
  const Options options = any_options_of_parts();
  const std::vector<Stretch> pieces = any_pieces(owned.n_rows());
  const Schema complete = facts_of(owned.table(), pieces, Facts(owned.schema())).schema();
  const Model model = owned.fit(options);
  RC_ASSERT(complete == model.schema());
  RC_ASSERT(fit_in_parts(owned.table(), pieces, complete, options).to_bytes() == model.to_bytes());
  RC_CLASSIFY(model.has_reasons(), "has reasons");
}

/// Two related columns with a few rows that break the relation, so that there are rare pairs and marks that meet.
RC_GTEST_PROP(Law19, rare_pairs_and_products_of_marks_are_those_of_the_plain_fit, ()) {
  const auto n_rows = static_cast<std::size_t>(*rc::gen::inRange(1500, 6000));
  OwnedTable owned =
      random_table({ColumnSort::normal, ColumnSort::normal, ColumnSort::heavy_tailed, ColumnSort::category}, n_rows,
                   *rc::gen::arbitrary<std::uint32_t>());
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  for (std::size_t row = 0; row < n_rows; ++row) {
    owned.at(row, 1) = (random() % 500 == 0 ? -1 : 1) * owned.at(row, 0) + 0.1 * owned.at(row, 1);
    if (random() % 200 == 0) owned.at(row, 2) = owned.at(row, 0) = 30 + owned.at(row, 1);
  }
  const Options options{.n_estimators = *rc::gen::inRange(8, 20), .seed = *rc::gen::inRange(0, 1000)};
  const Model model = owned.fit(options);
  const std::vector<Stretch> pieces = any_pieces(n_rows);
  RC_ASSERT(fit_in_parts(owned.table(), pieces, model.schema(), options).to_bytes() == model.to_bytes());
  const Survey survey = [&] {
    Survey whole(model.schema(), n_rows, options);
    whole.add(owned.table(), 0);
    return whole;
  }();
  RC_CLASSIFY(GrownForest::grow(survey).needs_marks(), "needs marks");
}

std::string any_text_of_column(int sort, std::mt19937_64& random) {
  const auto n = random();
  switch (sort) {
    case 0:
      return fmt::format("{}.{}", n % 1000, n % 7);
    case 1:
      return fmt::format("2026-{:02}-{:02}T{:02}:{:02}:00{}", 1 + n % 12, 1 + n % 28, n / 7 % 24, n / 11 % 60,
                         n % 97 == 0 ? "" : "+02:00");
    case 2:
      return fmt::format("{:02}/{:02}/20{:02}", 1 + n % 12, 1 + n / 13 % (n % 50 == 0 ? 28 : 12), 20 + n % 6);
    case 3:
      return n % 3 == 0 ? "yes" : "no";
    case 4:
      return fmt::format("level {}", n % 9);
    case 5:
      return fmt::format("id {}", n);
    case 6:
      return fmt::format("2024-01-0{} 0{}:00:00Z", 1 + n % 9, n % 10);
    default:
      return n % 40 == 0 ? "n/a" : fmt::format("{}", n % 50);
  }
}

/// What inference says: the schema, or the message of its error.
template <class Infer>
std::string answer(const Infer& infer) {
  try {
    return to_json(infer());
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

RC_GTEST_PROP(Law19, facts_of_pieces_infer_the_schema_of_the_table, ()) {
  const auto n_rows = static_cast<std::size_t>(*rc::gen::inRange(0, 300));
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  const int sort = *rc::gen::inRange(0, 8);
  Texts texts;
  std::vector<double> numbers;
  std::vector<std::int64_t> times;
  for (std::size_t row = 0; row < n_rows; ++row) {
    texts.push_back(random() % 20 == 0 ? std::optional<std::string>() : any_text_of_column(sort, random));
    numbers.push_back(random() % 10 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                         : static_cast<double>(random() % 5) - 2);
    times.push_back(random() % 10 == 0 ? Column::missing_time
                                       : static_cast<std::int64_t>(random() % 1000) * 3'600'000'000);
  }
  const ColumnTable owned = ColumnTable().texts("text", texts).numbers("number", numbers).times("time", times);
  const Table table = owned.table();
  const std::vector<Stretch> pieces = any_pieces(n_rows);
  RC_ASSERT(answer([&] { return facts_of(table, pieces, Facts()).schema(); }) ==
            answer([&] { return infer_schema(table); }));
  Schema declared;
  declared.columns.push_back(
      {.name = "text",
       .kind = *rc::gen::element(Kind::category, Kind::ordinal, Kind::time, Kind::continuous, Kind::boolean)});
  declared.columns.push_back({.name = "number", .kind = *rc::gen::element(Kind::category, Kind::ordinal)});
  RC_ASSERT(answer([&] { return facts_of(table, pieces, Facts(declared, Unnamed::inferred)).schema(); }) == answer([&] {
              // Completes what inference leaves as declared.
              Facts whole(infer_schema(table, declared));
              whole.add(table, 0);
              return whole.schema();
            }));
}

}  // namespace
}  // namespace pidforest
