// SPDX-License-Identifier: Apache-2.0
#include "report/row_names.h"

#include <algorithm>

#include "schema/match.h"
#include "schema/times.h"
#include "table/value.h"
#include "values/time.h"
#include "values/time_text.h"

namespace pidforest::report {

std::optional<ColumnSchema> time_column_of(const Model& model, const Scores& scores, const ReportOptions& options) {
  const Table columns = scores.rows.header();
  for (const ColumnSchema& column : model.schema().columns) {
    const bool is_there = std::ranges::find(columns.columns(), column.name, &Column::name) != columns.columns().end();
    const bool is_asked_for = options.time.empty() || options.time == column.name;
    if (column.kind == Kind::time && is_there && is_asked_for) return column;
  }
  if (options.time.empty()) return std::nullopt;
  for (const ColumnSchema& column : options.declared.columns)
    if (column.kind == Kind::time && column.name == options.time) return column;
  return schema::infer_times(scores.rows, options.time);
}

bool has_clock_times(const Batches& rows, const ColumnSchema& time) {
  const schema::TimeReader reader(time);
  bool found = false;
  rows.for_each_part(schema::place_of(rows.header(), time.name, "the time column"),
                     [&](const Column& part, std::size_t n) {
                       for (std::size_t row = 0; row < n && !found; ++row)
                         if (const std::int64_t utc = reader.utc(part, row); utc != Column::missing_time)
                           found = reader.local(utc) % values::microseconds_per_day != 0;
                     });
  return found;
}

std::string time_words(const schema::TimeReader& reader, std::int64_t utc, bool has_clock) {
  constexpr std::size_t length_of_date = 10;
  if (utc == Column::missing_time) return {};
  const std::string text = values::date_time_text(reader.local(utc), ' ', values::Fractions::exact);
  return has_clock ? text : text.substr(0, length_of_date);
}

RowNames::RowNames(const Batches& rows, std::optional<ColumnSchema> time, const NamingColumns& naming,
                   std::vector<std::uint64_t> numbers)
    : time_column_(std::move(time)), numbers_(std::move(numbers)) {
  const Table columns = rows.header();
  std::optional<std::size_t> id_place;
  std::optional<std::size_t> key_place;
  std::optional<std::size_t> time_place;
  if (!naming.id.empty()) id_place = schema::place_of(columns, naming.id, "the row identifier");
  if (!naming.key.empty()) key_place = schema::place_of(columns, naming.key, "the series key");
  if (time_column_) {
    reader_.emplace(*time_column_);
    time_place = schema::place_of(columns, time_column_->name, "the time column");
    has_clock_ = has_clock_times(rows, *time_column_);
  }
  if (!id_place && !key_place && !time_place) return;
  rows_at(rows, numbers_).for_each([&](const Table& batch) {
    for (std::size_t i = 0; i < batch.n_rows(); ++i) {
      if (id_place) ids_.push_back(table::name_words(batch.columns()[*id_place], i));
      if (key_place) keys_.push_back(table::key_of(batch.columns()[*key_place], i));
      if (time_place) times_.push_back(reader_->utc(batch.columns()[*time_place], i));
    }
  });
}

std::size_t RowNames::place_of(std::uint64_t row) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(numbers_, row) - numbers_.begin());
}

std::optional<std::string> RowNames::id(std::uint64_t row) const {
  return ids_.empty() ? std::nullopt : std::optional(ids_[place_of(row)]);
}

std::string RowNames::text_of(std::int64_t utc) const { return reader_ ? time_words(*reader_, utc, has_clock_) : ""; }

std::string RowNames::time(std::uint64_t row) const { return times_.empty() ? "" : text_of(times_[place_of(row)]); }

std::string RowNames::key(std::uint64_t row) const { return keys_.empty() ? "" : keys_[place_of(row)]; }

std::optional<std::int64_t> RowNames::utc(std::uint64_t row) const {
  if (times_.empty() || times_[place_of(row)] == Column::missing_time) return std::nullopt;
  return times_[place_of(row)];
}

std::optional<double> RowNames::seconds(std::uint64_t row) const {
  const std::optional<std::int64_t> time = utc(row);
  return time ? std::optional(static_cast<double>(*time) / values::microseconds_per_second) : std::nullopt;
}

std::pair<std::string, std::string> RowNames::time_range(const std::vector<std::uint64_t>& rows) const {
  std::vector<std::int64_t> known;
  for (const std::uint64_t row : rows)
    if (!times_.empty() && times_[place_of(row)] != Column::missing_time) known.push_back(times_[place_of(row)]);
  if (known.empty()) return {};
  const auto [first, last] = std::ranges::minmax(known);
  return {text_of(first), text_of(last)};
}

}  // namespace pidforest::report
