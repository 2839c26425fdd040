// SPDX-License-Identifier: Apache-2.0
#include "in/row_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "in/without_columns.h"
#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/number_words.h"

namespace pidforest::cli {

namespace {

/// SplitMix64 without its state: different inputs give different outputs.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ x >> 30U) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27U) * 0x94D049BB133111EBU;
  return x ^ x >> 31U;
}

std::vector<std::string> levels_of(const Batches& column) {
  std::set<std::string> levels;
  column.for_each_part(0, [&](const Column& part, std::size_t n_rows) {
    for (std::size_t row = 0; row < n_rows; ++row)
      if (part.text(row).data() != nullptr) levels.emplace(part.text(row));
  });
  return {levels.begin(), levels.end()};
}

/// A column that no forest would use, as one that conditions may name.
ColumnSchema usable(const ColumnSchema& column, const Batches& values) {
  const ColumnType type = values.header().columns()[0].type;
  if (type == ColumnType::text) {
    std::vector<std::string> levels = levels_of(values);
    if (!levels.empty()) return {.name = column.name, .kind = Kind::category, .levels = std::move(levels)};
  }
  if (type == ColumnType::number) return {.name = column.name, .kind = Kind::continuous};
  return column;
}

}  // namespace

std::vector<std::string> columns_of_where(const std::string& where) {
  if (where.empty()) return {};
  try {
    return columns_in_words(where);
  } catch (const InvalidInput& error) {
    throw InvalidOption(fmt::format("--where: {}", error.what()));
  }
}

Schema schema_of_where(const Batches& rows, const Schema& declared, const std::vector<std::string>& columns) {
  Schema schema;
  std::vector<std::string> names;
  const Table header = rows.header();
  for (const Column& column : header.columns()) names.push_back(column.name);
  for (const std::string& name : std::set<std::string>(columns.begin(), columns.end())) {
    std::vector<std::string> others = names;
    std::erase(others, name);
    const WithoutColumns column(rows, others);
    Schema given = declared;
    std::erase_if(given.columns, [&](const ColumnSchema& one) { return one.name != name; });
    const ColumnSchema inferred = infer_schema(column, given).columns.at(0);
    schema.columns.push_back(inferred.kind == Kind::ignored ? usable(inferred, column) : inferred);
  }
  return schema;
}

namespace {

RowFilter filter_of(const std::string& where, const Schema& schema) {
  try {
    return RowFilter::of_words(schema, where);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("--where: {}", error.what()));
  }
}

}  // namespace

RowsWhere::RowsWhere(const std::string& where, const Schema& schema)
    : filter_(filter_of(where, schema)), where_(where) {}

std::vector<std::uint64_t> RowsWhere::places_in(const Table& batch) {
  std::vector<std::uint64_t> places;
  const std::vector<bool> matches = filter_.matches(batch);
  for (std::size_t i = 0; i < matches.size(); ++i)
    if (matches[i]) places.push_back(i);
  n_kept_ += places.size();
  n_rows_ += matches.size();
  return places;
}

std::string RowsWhere::summary() const {
  if (n_kept_ == 0 && n_rows_ > 0)
    throw InvalidInput(fmt::format("--where must leave at least one row; none of {} satisfies {}.",
                                   values::counted(n_rows_, "row"), values::excerpt(where_, 200)));
  return fmt::format("{} of {} satisfy --where", n_kept_, values::counted(n_rows_, "row"));
}

void RowSample::add(const Table& batch, const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i < batch.n_rows(); ++i, ++n_rows_) {
    const std::uint64_t drawn = mixed(mixed(seed_) ^ n_rows_);
    if (drawn > most_drawn_) continue;
    places.push_back(i);
    drawn_.push_back(drawn);
    numbers_.push_back(numbers[i]);
  }
  const TableStore chosen = rows_at(batch, places);
  if (chosen.n_rows() == 0) candidates_.append(batch.header());
  chosen.for_each([&](const Table& part) { candidates_.append(part); });
  constexpr std::size_t slack = 65'536;
  if (drawn_.size() > 2 * size_ + slack) cut();
}

void RowSample::cut() {
  if (drawn_.size() <= size_) return;
  std::vector<std::uint64_t> sorted = drawn_;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(size_ - 1));
  most_drawn_ = sorted[size_ - 1];
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i < drawn_.size(); ++i)
    if (drawn_[i] <= most_drawn_) places.push_back(i);
  for (std::size_t i = 0; i < places.size(); ++i) {
    drawn_[i] = drawn_[places[i]];
    numbers_[i] = numbers_[places[i]];
  }
  drawn_.resize(places.size());
  numbers_.resize(places.size());
  candidates_ = rows_at(candidates_, places);
}

TableStore RowSample::take() {
  cut();
  return std::move(candidates_);
}

}  // namespace pidforest::cli
