// SPDX-License-Identifier: Apache-2.0
#include "schema/table_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "pidforest/error.h"
#include "schema/match.h"
#include "table/column_ranges.h"
#include "values/excerpt.h"

namespace pidforest {

Schema infer_schema(const Batches& batches, const Schema& declared) {
  schema::TableFacts facts(batches.header(), declared, Unnamed::inferred, schema::TableFacts::Declared::unchanged);
  facts.add_all(batches);
  return facts.schema();
}

}  // namespace pidforest

namespace pidforest::schema {

TableFacts::TableFacts(const Table& header, const Schema& declared, Unnamed unnamed, Declared action)
    : format_(declared.format), windows_(declared.windows) {
  if (!declared.columns.empty()) validate(declared);
  const std::vector<const Column*> matched = columns_of(declared, header, "the schema names");
  const std::vector<Column>& columns = header.columns();
  if (unnamed == Unnamed::left_out) {
    for (std::size_t j = 0; j < matched.size(); ++j)
      add_named(declared.columns[j], matched[j], static_cast<std::size_t>(matched[j] - columns.data()), action);
    return;
  }
  std::unordered_map<std::string_view, const ColumnSchema*> by_name;
  for (const ColumnSchema& column : declared.columns) by_name.emplace(column.name, &column);
  for (std::size_t place = 0; place < columns.size(); ++place) {
    const auto named = by_name.find(columns[place].name);
    if (named != by_name.end()) {
      add_named(*named->second, &columns[place], place, action);
      by_name.erase(named);
    } else if (unnamed == Unnamed::ignored) {
      columns_.push_back({.given = {.name = columns[place].name, .kind = Kind::ignored}});
    } else {
      columns_.push_back({.place = place, .facts = ColumnFacts(nullptr, columns[place])});
    }
  }
  // Ignored columns need not be in the table.
  if (unnamed != Unnamed::ignored) return;
  for (const ColumnSchema& column : declared.columns)
    if (by_name.contains(column.name)) columns_.push_back({.given = column});
}

void TableFacts::add_named(const ColumnSchema& declared, const Column* column, std::size_t place, Declared action) {
  Own& own = columns_.emplace_back();
  own.given = declared;
  if (column == nullptr || declared.kind == Kind::ignored || action == Declared::unchanged) return;
  own.place = place;
  own.facts.emplace(&declared, *column);
}

bool TableFacts::infers() const {
  return std::ranges::any_of(columns_, [](const Own& own) { return own.facts && own.facts->is_inferred(); });
}

/// Counts the missing values of number columns row by row, in the order of memory.
void TableFacts::add_numbers(const Table& batch) {
  std::vector<std::size_t> n_missing(batch.n_columns());
  table::add_missing(batch, 0, batch.n_rows(), n_missing);
  for (Own& own : columns_) own.facts->add_missing(batch.n_rows(), n_missing[own.place]);
}

void TableFacts::add(const Table& batch) {
  const bool are_all_numbers =
      std::ranges::all_of(columns_, [](const Own& own) { return own.facts && own.facts->counts_missing(); }) &&
      std::ranges::all_of(batch.columns(), [](const Column& column) { return column.first != nullptr; });
  if (are_all_numbers) return add_numbers(batch);
  for (Own& own : columns_)
    if (own.facts) own.facts->add(batch.columns()[own.place], batch.n_rows());
}

void TableFacts::add_all(const Batches& batches) {
  const auto check = [&] {
    for (const Own& own : columns_)
      if (own.facts) own.facts->check();
  };
  if (infers()) {
    batches.for_each([&](const Table& batch) {
      add(batch);
      check();
    });
    return;
  }
  for (Own& own : columns_)
    if (own.facts && own.facts->needs_rows())
      batches.for_each_part(own.place, [&](const Column& part, std::size_t n_rows) {
        own.facts->add(part, n_rows);
        own.facts->check();
      });
}

void TableFacts::merge(const TableFacts& other) {
  const auto is_same = [](const Own& a, const Own& b) {
    return a.given == b.given && a.place == b.place && a.facts.has_value() == b.facts.has_value() &&
           (!a.facts || (a.facts->name() == b.facts->name() && a.facts->type() == b.facts->type()));
  };
  const auto [own, another] = std::ranges::mismatch(columns_, other.columns_, is_same);
  if (own != columns_.end() || another != other.columns_.end())
    throw InvalidInput(fmt::format("the parts must have the same columns of the same types; column {} differs.",
                                   own - columns_.begin() + 1));
  for (std::size_t j = 0; j < columns_.size(); ++j)
    if (columns_[j].facts) columns_[j].facts->merge(other.columns_[j].facts->found());
}

Schema TableFacts::schema() const {
  Schema schema{.format = format_, .windows = windows_};
  for (const Own& own : columns_) schema.columns.push_back(own.facts ? own.facts->schema() : own.given);
  return schema;
}

Schema complete_schema(const Schema& schema, const Batches& batches) {
  validate(schema);
  TableFacts facts(batches.header(), schema, Unnamed::left_out);
  facts.add_all(batches);
  return facts.schema();
}

}  // namespace pidforest::schema
