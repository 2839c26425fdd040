// SPDX-License-Identifier: Apache-2.0
#include "in/query_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "in/adbc_session.h"
#include "in/column_stream.h"
#include "in/database_address.h"
#include "in/parquet_files.h"
#include "pidforest/arrow.h"
#include "pidforest/error.h"
#include "system/parallel.h"
#include "values/name_pattern.h"

namespace pidforest::cli {

namespace {

using Names = std::vector<std::string>;

struct Query {
  DatabaseAddress address;
  std::string sql;
  Names parameters = {};
};

Query query_of(const TableFlags& flags) {
  if (flags.is_query()) return {.address = DatabaseAddress(flags.db), .sql = flags.sql};
  Query query{.address = DatabaseAddress::duckdb_in_memory(), .sql = {}};
  for (const std::string& file : parquet_files(flags.file)) query.parameters.push_back(as_pattern(file));
  Names places(query.parameters.size(), "?");
  query.sql = fmt::format("SELECT * FROM read_parquet([{}])", fmt::join(places, ", "));
  return query;
}

bool contains(const Names& names, const std::string& name) { return std::ranges::find(names, name) != names.end(); }

/// What a selection says of the columns of a table.
class Wanted {
 public:
  explicit Wanted(const ColumnSelection& selection) : selection_(selection) {
    if (selection.schema == nullptr) return;
    for (const ColumnSchema& column : selection.schema->columns)
      (column.kind == Kind::ignored ? ignored_ : features_).push_back(column.name);
  }

  /// Throws InvalidInput for a column that the table must have and does not.
  void check(const Names& names) const {
    values::check_names("the table", names, selection_.ignore, "is to be ignored");
    values::check_names("the table", names, selection_.only, "is to be read");
    values::check_names("the table", names, features_, "the model or the schema requires");
  }
  [[nodiscard]] bool is_text(const std::string& name) const { return contains(selection_.as_text, name); }
  /// Whether the column cannot be left out.
  [[nodiscard]] bool is_needed(const std::string& name) const {
    return !is_ignored(name) && (contains(features_, name) || is_named(name));
  }
  [[nodiscard]] bool is_read(const std::string& name) const {
    const bool is_any_read = selection_.schema == nullptr || selection_.all_as_text;
    return is_needed(name) || (is_any_read && !is_left_out(name));
  }
  [[nodiscard]] bool is_not_in_schema(const std::string& name) const {
    return selection_.schema != nullptr && !is_read(name) && !is_ignored(name) && !contains(ignored_, name);
  }

 private:
  [[nodiscard]] bool is_named(const std::string& name) const {
    return is_text(name) || contains(selection_.besides_schema, name);
  }
  /// By name, or by a pattern that does not take columns which other flags name.
  [[nodiscard]] bool is_ignored(const std::string& name) const {
    return contains(selection_.ignore, name) || (!is_named(name) && values::matches_any(selection_.ignore, name));
  }
  [[nodiscard]] bool is_left_out(const std::string& name) const {
    return is_ignored(name) || (!selection_.only.empty() && !values::matches_any(selection_.only, name));
  }

  const ColumnSelection& selection_;
  Names features_;
  Names ignored_;
};

std::vector<ColumnStream::Choice> choices_of(const ColumnStream& columns, const ColumnSelection& selection, Work& work,
                                             TableNotes& notes) {
  const Wanted wanted(selection);
  const Names& names = columns.names();
  if (names.empty()) throw InvalidInput("the query gives no columns: it must select rows.");
  wanted.check(names);
  std::vector<ColumnStream::Choice> choices;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (wanted.is_not_in_schema(names[j])) notes.not_in_schema.push_back(names[j]);
    if (!wanted.is_read(names[j])) continue;
    const std::string refusal = wanted.is_needed(names[j]) ? "" : columns.refusal_of(j);
    if (refusal.empty())
      choices.push_back({.column = j, .as_text = wanted.is_text(names[j])});
    else
      work.say("left out: " + refusal);
  }
  return choices;
}

/// What the types of the columns mean. An ENUM without an order is read as its texts, as if it came from a text file.
Schema meanings_of(const ArrayTable& batch) {
  Schema declared = batch.declared();
  std::erase_if(declared.columns, [](const ColumnSchema& column) { return column.kind == Kind::category; });
  return declared;
}

/// Visits the batches of a stream that fit into memory one by one.
Schema visit_stream(ArrowArrayStream stream, Work& work, const VisitBatch& visit) {
  Schema declared;
  std::uint64_t n_rows = 0;
  for_each_batch(&stream, [&](const ArrayTable& batch) {
    system::check_cancelled(work.run());
    if (n_rows == 0) declared = meanings_of(batch);
    if (n_rows == 0 && batch.n_rows() == 0) visit(batch.header(), RowNumbers());
    batch.for_each([&](const Table& table) {
      visit(table, RowNumbers(n_rows));
      n_rows += table.n_rows();
    });
    work.show({"reading", n_rows, 0});
  });
  return declared;
}

TableNotes read(const Query& query, const TableFlags& flags, const ColumnSelection& selection, Work& work,
                const VisitBatch& visit) {
  AdbcSession session(query.address, flags.driver, AdbcSession::Access::read, work.run());
  ColumnStream columns(session.query(query.sql, query.parameters));
  TableNotes notes;
  std::vector<ColumnStream::Choice> choices = choices_of(columns, selection, work, notes);
  notes.declared = visit_stream(columns.chosen(std::move(choices)), work, visit);
  return notes;
}

}  // namespace

TableNotes read_query(const TableFlags& flags, const ColumnSelection& selection, Work& work, const VisitBatch& visit) {
  const Query query = query_of(flags);
  try {
    return read(query, flags, selection, work, visit);
  } catch (const InvalidInput& error) {
    system::check_cancelled(work.run());
    throw InvalidInput(query.address.without_password(error.what()));
  } catch (const FileError& error) {
    system::check_cancelled(work.run());
    throw FileError(query.address.without_password(error.what()));
  }
}

}  // namespace pidforest::cli
