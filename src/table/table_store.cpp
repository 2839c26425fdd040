// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/table.h.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/table.h"
#include "system/scratch_file.h"
#include "table/column_values.h"
#include "table/value.h"
#include "values/excerpt.h"

namespace pidforest {

using table::ColumnValues;

namespace {

using Batch = std::vector<ColumnValues>;

std::size_t n_bytes_of(const Batch& batch, std::size_t (ColumnValues::*n_bytes)() const) {
  std::size_t n = 0;
  for (const ColumnValues& values : batch) n += (values.*n_bytes)();
  return n;
}

/// A batch written to the file.
struct StoredBatch {
  std::size_t n_rows = 0;
  std::vector<table::StoredColumn> columns;
};

}  // namespace

struct TableStore::State {
  struct ColumnHead {
    std::string name;
    ColumnType type = ColumnType::number;
    bool has_values = false;
  };
  struct OwnedBatch {
    std::size_t n_rows = 0;
    Batch values;
  };

  Limits limits;
  std::vector<ColumnHead> heads = {};
  std::size_t n_rows = 0;
  /// The first batches are kept in memory (`owned`), the later ones in the file (`stored`); `open` is being filled.
  std::vector<OwnedBatch> owned = {};
  std::size_t n_owned_bytes = 0;
  std::unique_ptr<system::ScratchFile> file = {};
  std::vector<StoredBatch> stored = {};
  OwnedBatch open = {};

  /// Takes the columns of the first table, and later ones after them.
  void take_columns(const Table& table) {
    check_names(table);
    for (std::size_t j = heads.size(); j < table.n_columns(); ++j) {
      const Column& column = table.columns()[j];
      heads.push_back({.name = column.name, .type = column.type});
      open.values.emplace_back(column.type, open.n_rows);
    }
  }

  void check_names(const Table& table) const {
    const std::size_t n_known = std::min(heads.size(), table.n_columns());
    const bool same = n_known == heads.size() && std::ranges::equal(std::span(table.columns()).first(n_known), heads,
                                                                    {}, &Column::name, &ColumnHead::name);
    if (!same) throw InvalidInput("appended tables must have the same columns in the same order.");
  }

  void take_types(const Table& table) {
    for (std::size_t j = 0; j < heads.size(); ++j) {
      const Column& column = table.columns()[j];
      const bool says_something = !heads[j].has_values || column.type != heads[j].type;
      if (!says_something || table::are_missing(column, table.n_rows())) continue;
      if (heads[j].has_values)
        throw InvalidInput(fmt::format("column '{}' must contain {}, as in the rows before; got {}.",
                                       values::excerpt(heads[j].name), name_of(heads[j].type), name_of(column.type)));
      heads[j].type = column.type;
      heads[j].has_values = true;
    }
  }

  void close_batch() {
    const std::size_t n_bytes = n_bytes_of(open.values, &ColumnValues::n_bytes);
    if (file == nullptr && n_owned_bytes + n_bytes <= limits.memory) {
      n_owned_bytes += n_bytes;
      for (ColumnValues& values : open.values) values.shrink();
      owned.push_back(std::move(open));
    } else {
      if (file == nullptr) file = std::make_unique<system::ScratchFile>(limits.folder);
      StoredBatch batch{.n_rows = open.n_rows, .columns = {}};
      for (const ColumnValues& values : open.values) batch.columns.push_back(values.write(*file));
      stored.push_back(std::move(batch));
    }
    open = {.n_rows = 0, .values = Batch(heads.size())};
  }

  [[nodiscard]] bool is_full() const {
    return open.n_rows >= limits.batch_rows ||
           n_bytes_of(open.values, &ColumnValues::n_bytes_shown) >= limits.batch_bytes;
  }

  /// Shows values of one column with its final type; null stands for rows before the column. `texts` and `missing` hold
  /// what the column views.
  Column shown(std::size_t j, const ColumnValues* values, std::size_t n_shown, std::vector<std::string_view>& texts,
               ColumnValues& missing) const {
    const bool has_type = values != nullptr && values->type() == heads[j].type;
    if (!has_type) missing = ColumnValues(heads[j].type, n_shown);
    return (has_type ? *values : missing).view(heads[j].name, texts);
  }

  static const ColumnValues* column_of(const OwnedBatch& batch, std::size_t j) {
    return j < batch.values.size() ? &batch.values[j] : nullptr;
  }

  /// Shows a batch as a table with the final types of the columns.
  void show(const OwnedBatch& batch, std::size_t begin, const std::function<void(const Table& batch)>& visit) const {
    if (batch.n_rows == 0) return;
    std::vector<std::vector<std::string_view>> texts(heads.size());
    Batch missing(heads.size());
    std::vector<Column> columns;
    for (std::size_t j = 0; j < heads.size(); ++j)
      columns.push_back(shown(j, column_of(batch, j), batch.n_rows, texts[j], missing[j]));
    visit(Table(batch.n_rows, std::move(columns)).numbered_from(begin));
  }
};

TableStore::TableStore() : TableStore(Limits{}) {}
TableStore::TableStore(Limits limits) : state_(std::make_unique<State>(std::move(limits))) {}
TableStore::~TableStore() = default;
TableStore::TableStore(TableStore&&) noexcept = default;
TableStore& TableStore::operator=(TableStore&&) noexcept = default;

void TableStore::append(const Table& table) {
  State& state = *state_;
  state.take_columns(table);
  state.take_types(table);
  for (std::size_t j = 0; j < state.heads.size(); ++j) state.open.values[j].append(table.columns()[j], table.n_rows());
  state.open.n_rows += table.n_rows();
  state.n_rows += table.n_rows();
  if (state.is_full()) state.close_batch();
}

std::size_t TableStore::n_rows() const { return state_->n_rows; }

Table TableStore::header() const {
  std::vector<Column> columns;
  for (const State::ColumnHead& head : state_->heads) {
    Column column{.name = head.name};
    column.type = head.type;
    columns.push_back(std::move(column));
  }
  return {0, std::move(columns)};
}

void TableStore::for_each(const std::function<void(const Table& batch)>& visit) const {
  std::size_t begin = 0;
  const auto show = [&](const State::OwnedBatch& batch) {
    state_->show(batch, begin, visit);
    begin += batch.n_rows;
  };
  for (const State::OwnedBatch& batch : state_->owned) show(batch);
  State::OwnedBatch read;
  for (const StoredBatch& batch : state_->stored) {
    read.n_rows = batch.n_rows;
    read.values.resize(batch.columns.size());
    for (std::size_t j = 0; j < batch.columns.size(); ++j) read.values[j].read(*state_->file, batch.columns[j]);
    show(read);
  }
  show(state_->open);
}

void TableStore::for_each_part(std::size_t column,
                               const std::function<void(const Column& part, std::size_t n_rows)>& visit) const {
  std::size_t begin = 0;
  std::vector<std::string_view> texts;
  ColumnValues missing;
  const auto show = [&](const ColumnValues* values, std::size_t n_rows) {
    if (n_rows == 0) return;
    Column part = state_->shown(column, values, n_rows, texts, missing);
    part.first_row = begin;
    visit(part, n_rows);
    begin += n_rows;
  };
  for (const State::OwnedBatch& batch : state_->owned) show(State::column_of(batch, column), batch.n_rows);
  ColumnValues read;
  for (const StoredBatch& batch : state_->stored) {
    const bool is_known = column < batch.columns.size();
    if (is_known) read.read(*state_->file, batch.columns[column]);
    show(is_known ? &read : nullptr, batch.n_rows);
  }
  if (state_->open.n_rows > 0) show(State::column_of(state_->open, column), state_->open.n_rows);
}

TableStore rows_at(const Batches& table, std::span<const std::uint64_t> numbers) {
  TableStore rows;
  std::uint64_t first = 0;
  auto next = numbers.begin();
  table.for_each([&](const Table& batch) {
    for (; next != numbers.end() && *next < first + batch.n_rows(); ++next) {
      const auto i = static_cast<std::size_t>(*next - first);
      rows.append(batch.rows(i, i + 1));
    }
    first += batch.n_rows();
  });
  return rows;
}

}  // namespace pidforest
