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

RowNames::RowNames(const Batches& rows, std::optional<ColumnSchema> time, const std::string& id,
                   std::vector<std::uint64_t> numbers)
    : time_column_(std::move(time)), numbers_(std::move(numbers)) {
  const Table columns = rows.header();
  std::optional<std::size_t> id_place;
  std::optional<std::size_t> time_place;
  if (!id.empty()) id_place = schema::place_of(columns, id, "the row identifier");
  if (time_column_) {
    reader_.emplace(*time_column_);
    time_place = schema::place_of(columns, time_column_->name, "the time column");
  }
  if (!id_place && !time_place) return;
  rows_at(rows, numbers_).for_each([&](const Table& batch) {
    for (std::size_t i = 0; i < batch.n_rows(); ++i) {
      if (id_place) ids_.push_back(table::name_words(batch.columns()[*id_place], i));
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

std::string RowNames::text_of(std::int64_t utc) const {
  if (!reader_ || utc == Column::missing_time) return {};
  return values::date_time_text(reader_->local(utc), ' ', values::Fractions::exact);
}

std::string RowNames::time(std::uint64_t row) const { return times_.empty() ? "" : text_of(times_[place_of(row)]); }

std::optional<double> RowNames::seconds(std::uint64_t row) const {
  constexpr double microseconds_per_second = 1e6;
  if (times_.empty() || times_[place_of(row)] == Column::missing_time) return std::nullopt;
  return static_cast<double>(times_[place_of(row)]) / microseconds_per_second;
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
