// SPDX-License-Identifier: Apache-2.0
#include "report/row_names.h"

#include <algorithm>

#include "schema/match.h"
#include "schema/times.h"
#include "table/value.h"
#include "values/time.h"
#include "values/time_text.h"

namespace pidforest::report {

std::optional<ColumnSchema> time_column_of(const Model& model, const ScoredTable& table, const ReportOptions& options) {
  const Table columns = table.rows.header();
  for (const ColumnSchema& column : model.schema().columns) {
    const bool is_there = std::ranges::find(columns.columns(), column.name, &Column::name) != columns.columns().end();
    const bool is_asked_for = options.time.empty() || options.time == column.name;
    if (column.kind == Kind::time && is_there && is_asked_for) return column;
  }
  if (options.time.empty()) return std::nullopt;
  for (const ColumnSchema& column : table.declared.columns)
    if (column.kind == Kind::time && column.name == options.time) return column;
  return schema::infer_times(table.rows, options.time);
}

RowNames::RowNames(const Batches& rows, std::optional<ColumnSchema> time, const std::string& id, const Listing& listing)
    : time_column_(std::move(time)) {
  const Table columns = rows.header();
  std::optional<std::size_t> id_place;
  std::optional<std::size_t> time_place;
  if (!id.empty()) id_place = schema::place_of(columns, id, "the row identifier");
  if (time_column_) {
    reader_.emplace(*time_column_);
    time_place = schema::place_of(columns, time_column_->name, "the time column");
  }
  ids_.resize(id_place ? listing.found.size() : 0);
  times_.resize(time_place ? listing.found.size() : 0);
  const FoundValues values = values_of(rows, listing.found, places_up_to(listing.found.size()), ValuesOf::rows);
  std::size_t first = 0;
  values.rows.for_each([&](const Table& batch) {
    for (std::size_t i = 0; i < batch.n_rows(); ++i) {
      const std::size_t place = values.places[first + i];
      if (id_place) ids_[place] = table::value_words(batch.columns()[*id_place], i);
      if (time_place) times_[place] = reader_->utc(batch.columns()[*time_place], i);
    }
    first += batch.n_rows();
  });
}

std::optional<std::string> RowNames::id(std::size_t place) const {
  return ids_.empty() ? std::nullopt : std::optional(ids_[place]);
}

std::string RowNames::text_of(std::int64_t utc) const {
  if (!reader_ || utc == Column::missing_time) return {};
  return values::date_time_text(reader_->local(utc), ' ', values::Fractions::exact);
}

std::string RowNames::time(std::size_t place) const { return times_.empty() ? "" : text_of(times_[place]); }

std::optional<double> RowNames::seconds(std::size_t place) const {
  if (times_.empty() || times_[place] == Column::missing_time) return std::nullopt;
  return static_cast<double>(times_[place]) / values::microseconds_per_second;
}

std::pair<std::string, std::string> RowNames::time_range(const std::vector<std::size_t>& places) const {
  std::vector<std::int64_t> known;
  for (const std::size_t place : places)
    if (!times_.empty() && times_[place] != Column::missing_time) known.push_back(times_[place]);
  if (known.empty()) return {};
  const auto [first, last] = std::ranges::minmax(known);
  return {text_of(first), text_of(last)};
}

}  // namespace pidforest::report
