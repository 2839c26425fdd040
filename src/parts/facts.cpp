// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/distributed.h.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parts/facts_bytes.h"
#include "parts/part_file.h"
#include "parts/piece.h"
#include "pidforest/distributed.h"
#include "pidforest/error.h"
#include "schema/format_json.h"
#include "schema/table_facts.h"
#include "values/json.h"
#include "values/utf8.h"

namespace pidforest {

namespace {

constexpr std::string_view facts_kind = "facts";

/// A column of the table: its name and its type.
Column column_of(std::string name, ColumnType type) {
  if (type == ColumnType::text) return Column::of_texts(std::move(name), nullptr);
  if (type == ColumnType::time) return Column::of_times(std::move(name), nullptr);
  return {.name = std::move(name), .type = type};
}

/// A schema, or only the format of one.
Schema declared_of(std::string_view json) {
  constexpr std::size_t object_and_words = 2;
  if (json.find("\"columns\"") != std::string_view::npos) return parse_schema(json);
  const values::JsonDocument document = values::parse_json({"format", json, object_and_words});
  Schema schema{.format = schema::read_format(values::Json(document))};
  schema::validate(schema.format);
  return schema;
}

bool have_same_columns(const std::vector<Column>& a, const std::vector<Column>& b) {
  const auto is_same = [](const Column& x, const Column& y) { return x.name == y.name && x.type == y.type; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same);
}

}  // namespace

struct Facts::State {
  Schema declared = {};
  Unnamed unnamed = Unnamed::inferred;
  std::uint64_t n_rows = 0;
  /// Views no values. Known from the first rows on.
  std::vector<Column> header = {};
  std::optional<schema::TableFacts> facts = {};

  void know(const Table& table) {
    std::vector<Column> columns;
    for (const Column& column : table.columns()) columns.push_back(column_of(column.name, column.type));
    if (!facts) {
      facts.emplace(Table(0, columns), declared, unnamed);
      header = std::move(columns);
    } else if (!have_same_columns(header, columns)) {
      throw InvalidInput("all rows must have the same columns of the same types, in one order.");
    }
  }
};

Facts::Facts() : Facts(Schema(), Unnamed::inferred) {}
Facts::Facts(const Schema& declared, Unnamed unnamed)
    : state_(std::make_unique<State>(State{.declared = declared, .unnamed = unnamed})) {
  if (!declared.columns.empty()) validate(declared);
}
Facts::~Facts() = default;
Facts::Facts(const Facts& other) : state_(std::make_unique<State>(*other.state_)) {}
Facts& Facts::operator=(const Facts& other) {
  state_ = std::make_unique<State>(*other.state_);
  return *this;
}
Facts::Facts(Facts&&) noexcept = default;
Facts& Facts::operator=(Facts&&) noexcept = default;

void Facts::add(const Batches& rows, std::uint64_t first_row) {
  state_->know(rows.header());
  parts::TablePiece(rows, first_row).for_each([&](const Table& batch) { state_->facts->add(batch); });
  state_->n_rows += rows.n_rows();
}

void Facts::merge(const Facts& other) {
  const State& more = *other.state_;
  if (!more.facts) return;  // no rows yet
  if (!state_->facts && state_->declared == Schema{}) {
    *state_ = more;
    return;
  }
  if (!(state_->declared == more.declared) || state_->unnamed != more.unnamed)
    throw InvalidInput("the facts are a part of another fit: their declared schema differs.");
  if (!state_->facts) {
    *state_ = more;
    return;
  }
  if (!have_same_columns(state_->header, more.header))
    throw InvalidInput("the facts are a part of another table: its columns differ.");
  state_->facts->merge(*more.facts);
  state_->n_rows += more.n_rows;
}

std::uint64_t Facts::n_rows() const { return state_->n_rows; }

Schema Facts::schema() const {
  if (!state_->facts) throw InvalidInput("the table has no columns; fitting requires at least one.");
  return state_->facts->schema();
}

std::string Facts::to_bytes() const {
  file::SectionWriter file = parts::part_file(facts_kind);
  const bool has_columns = !state_->declared.columns.empty();
  file.add("declared", has_columns ? to_json(state_->declared) : schema::print_format(state_->declared.format));
  parts::add_number(file, "unnamed", static_cast<std::uint8_t>(state_->unnamed));
  parts::add_number(file, "n_rows", state_->n_rows);
  if (!state_->facts) return file.finish(file::current_format);
  std::string columns;
  for (const Column& column : state_->header) {
    file::append_little_endian(columns, static_cast<std::uint8_t>(column.type));
    file::append_text(columns, column.name);
  }
  file.add("columns", std::move(columns));
  std::string facts;
  for (const schema::TableFacts::Own& own : state_->facts->columns())
    if (own.facts) parts::append_facts(facts, own.facts->found());
  file.add("facts", std::move(facts));
  return file.finish(file::current_format);
}

Facts Facts::from_bytes(std::string_view bytes) {
  return parts::read_part(bytes, facts_kind, [](file::SectionReader& file) {
    const std::string_view declared = file.take("declared");
    const auto unnamed = parts::take_number<std::uint8_t>(file, "unnamed");
    if (unnamed > static_cast<std::uint8_t>(Unnamed::left_out)) throw BadFile("unnamed columns must be 0, 1 or 2.");
    Facts facts(declared_of(declared), static_cast<Unnamed>(unnamed));
    facts.state_->n_rows = parts::take_number<std::uint64_t>(file, "n_rows");
    if (!file.has("columns")) {
      if (facts.state_->n_rows > 0) throw BadFile("it has rows without columns.");
      return facts;
    }
    std::vector<Column> columns;
    for (file::ByteReader header(file.take("columns"), "columns"); !header.is_at_end();) {
      const auto type = header.take<std::uint8_t>();
      if (type > static_cast<std::uint8_t>(ColumnType::time)) throw BadFile("its columns must be of a known type.");
      const std::string_view name = header.take_text();
      if (!values::is_utf8(name)) throw BadFile("the names of its columns must be in UTF-8.");
      columns.push_back(column_of(std::string(name), static_cast<ColumnType>(type)));
    }
    facts.state_->know(Table(0, std::move(columns)));
    file::ByteReader found(file.take("facts"), "facts");
    for (schema::TableFacts::Own& own : facts.state_->facts->columns())
      if (own.facts) own.facts->merge(parts::take_facts(found));
    if (!found.is_at_end()) throw BadFile("its section 'facts' has more than the facts of its columns.");
    return facts;
  });
}

}  // namespace pidforest
