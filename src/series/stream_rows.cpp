// SPDX-License-Identifier: Apache-2.0
#include "series/stream_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "series/rises.h"
#include "series/series_samples.h"
#include "table/value.h"
#include "values/number_text.h"

namespace pidforest::series {

using schema::AxisInfo;

namespace {

constexpr std::size_t most_levels = 4096;

bool is_line(const AxisInfo& info) { return info.kind == geometry::AxisKind::ordered && info.n_cells == 0; }

/// The name that a schema has for the level of a value.
std::string level_text(const Column& column, std::size_t row, bool is_number) {
  if (is_number) return values::shortest_text(table::number_at(column, row));
  if (column.type == ColumnType::text) return std::string(column.text(row));
  return column.number(row) == 0 ? "false" : "true";
}

}  // namespace

StreamRows::StreamRows(Schema events, const StreamOptions& options)
    : window_(options.window), views_(options.views), events_(std::move(events)), rows_(Schema{}) {
  make_rows();
}

void StreamRows::make_rows() {
  Schema schema;
  features_.clear();
  for (std::size_t c = 0; c < events().columns.size(); ++c) {
    const ColumnSchema& column = events().columns[c];
    if (column.kind == Kind::ignored) continue;
    for (std::size_t lag = column.kind == Kind::time ? 1 : window_; lag-- > 0;) {
      schema.columns.push_back(column);
      schema.columns.back().name = lag_name(column.name, lag);
      schema.columns.back().views.clear();  // a stream has views of its own, which its schema does not name
      for (std::size_t axis = 0; axis < n_numbers(); ++axis)
        if (const AxisInfo& info = events_.axes()[axis]; info.column == c)
          features_.push_back({.column = axis, .lag = lag, .is_line = is_line(info)});
    }
    if (views_ == WindowViews::lags_and_changes) add_rises(c, schema);
  }
  rows_ = schema::Encoder(std::move(schema));
}

void StreamRows::add_rises(std::size_t column, Schema& schema) {
  if (events().columns[column].kind != Kind::continuous) return;
  const auto axis = std::ranges::find(events_.axes(), column, &AxisInfo::column) - events_.axes().begin();
  for (const std::size_t over : rise_spans(window_)) {
    schema.columns.push_back(rise_column(events().columns[column], over));
    features_.push_back({.column = static_cast<std::size_t>(axis), .rise_over = over, .is_line = true});
  }
}

bool StreamRows::may_add_level(std::size_t axis) const {
  const AxisInfo& info = events_.axes()[axis];
  return events().columns[info.column].kind == Kind::category && info.parents.empty() && info.n_cells < most_levels;
}

std::vector<double> StreamRows::encode(const Table& events) const {
  const std::vector<const Column*> columns = events_.match(events);
  const std::size_t n = n_numbers();
  std::vector<double> numbers(events.n_rows() * n);
  for (std::size_t axis = 0; axis < n; ++axis) {
    const AxisInfo& info = events_.axes()[axis];
    const Column& column = *columns[info.column];
    const bool cannot_grow = info.kind == geometry::AxisKind::category && !may_add_level(axis);
    for (std::size_t row = 0; row < events.n_rows(); ++row) {
      double& number = numbers[row * n + axis];
      events_.encode(axis, column, row, std::span(&number, 1));
      if (std::isinf(number)) table::refuse(column, row, {.demand = "must be finite", .remedy = ""});
      if (cannot_grow && number == static_cast<double>(info.n_cells)) number = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return numbers;
}

bool StreamRows::add_levels(const Table& events, std::size_t row, std::span<const double> numbers) {
  const auto is_new = [&](std::size_t axis) {
    const AxisInfo& info = events_.axes()[axis];
    return may_add_level(axis) && numbers[axis] == static_cast<double>(info.n_cells);
  };
  std::vector<std::size_t> added;
  for (std::size_t axis = 0; axis < n_numbers(); ++axis)
    if (is_new(axis)) added.push_back(axis);
  if (added.empty()) return false;
  const std::vector<const Column*> columns = events_.match(events);
  Schema schema = events_.schema();
  for (const std::size_t axis : added) {
    const std::size_t column = events_.axes()[axis].column;
    ColumnSchema& own = schema.columns[column];
    // The type of the levels is open until the first of them.
    if (own.levels.empty()) own.numeric_levels = columns[column]->type == ColumnType::number;
    own.levels.push_back(level_text(*columns[column], row, own.numeric_levels));
  }
  events_ = schema::Encoder(std::move(schema));
  make_rows();
  return true;
}

}  // namespace pidforest::series
