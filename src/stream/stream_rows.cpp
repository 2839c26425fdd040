// SPDX-License-Identifier: Apache-2.0
#include "stream/stream_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "table/value.h"
#include "values/number_text.h"
#include "values/number_words.h"
#include "values/span_words.h"

namespace pidforest::stream {

using schema::AxisInfo;

namespace {

constexpr std::size_t most_levels = 4096;

bool is_line(const AxisInfo& info) { return info.kind == geometry::AxisKind::ordered && info.n_cells == 0; }

/// The column that holds the rises of another one over a span: "rise of cpu within 4 samples", "rise of cpu within 20
/// min".
ColumnSchema rise_column(const ColumnSchema& column, const std::string& span) {
  return {.name = fmt::format("rise of {} within {}", column.name, span),
          .kind = Kind::continuous,
          .unit = column.unit,
          .rise_of = column.name};
}

/// The name that a schema has for the level of a value.
std::string level_text(const Column& column, std::size_t row, bool is_number) {
  if (is_number) return values::shortest_text(table::number_at(column, row));
  if (column.type == ColumnType::text) return std::string(column.text(row));
  return column.number(row) == 0 ? "false" : "true";
}

}  // namespace

std::vector<std::size_t> rise_spans(std::size_t window) {
  constexpr std::size_t longest = 8;
  std::vector<std::size_t> spans;
  for (std::size_t over = 1; over < window && over <= longest; ++over) spans.push_back(over);
  return spans;
}

StreamRows::StreamRows(Schema events, const StreamOptions& options, bool has_season)
    : window_(options.window),
      views_(options.views),
      means_(options.means),
      has_season_(has_season),
      events_(std::move(events)),
      rows_(Schema{}) {
  for (std::size_t axis = 0; axis < n_numbers(); ++axis)
    if (const AxisInfo& info = events_.axes()[axis];
        is_line(info) && this->events().columns[info.column].kind == Kind::continuous)
      metrics_.push_back(axis);
  is_seasonal_.resize(metrics_.size());
  make_rows();
}

void StreamRows::set_seasonal(std::size_t metric) {
  is_seasonal_[metric] = 1;
  make_rows();
}

void StreamRows::set_step(std::int64_t step) {
  if (step == step_) return;
  step_ = step;
  make_rows();
}

void StreamRows::make_rows() {
  Schema schema;
  features_.clear();
  for (std::size_t c = 0; c < events().columns.size(); ++c) {
    const ColumnSchema& column = events().columns[c];
    if (column.kind == Kind::ignored) continue;
    std::vector<std::size_t> numbers;
    for (std::size_t axis = 0; axis < n_numbers(); ++axis)
      if (events_.axes()[axis].column == c) numbers.push_back(axis);
    const auto metric = std::ranges::find_first_of(metrics_, numbers) - metrics_.begin();
    const auto place = static_cast<std::size_t>(metric);
    if (place == metrics_.size() || !is_seasonal(place)) {
      add_lags(column, numbers, schema);
      if (column.kind == Kind::continuous) add_rises(column, numbers.front(), schema);
    } else {
      const ColumnSchema difference{
          .name = column.name + " minus usual", .kind = Kind::continuous, .unit = column.unit};
      const std::size_t number = n_numbers() + place;
      add_lags(difference, std::span(&number, 1), schema);
      add_rises(difference, number, schema);
    }
    if (place < metrics_.size()) add_means(column, place, schema);
  }
  rows_ = schema::Encoder(std::move(schema));
}

void StreamRows::add_lags(const ColumnSchema& column, std::span<const std::size_t> numbers, Schema& schema) {
  for (std::size_t lag = column.kind == Kind::time ? 1 : window_; lag-- > 0;) {
    schema.columns.push_back(column);
    schema.columns.back().name = name_of_lag(column.name, lag);
    schema.columns.back().views.clear();  // a stream has views of its own, which its schema does not name
    for (const std::size_t number : numbers)
      features_.push_back(
          {.column = number, .lag = lag, .is_line = number >= n_numbers() || is_line(events_.axes()[number])});
  }
}

void StreamRows::add_rises(const ColumnSchema& column, std::size_t number, Schema& schema) {
  if (views_ != WindowViews::lags_and_changes) return;
  for (const std::size_t over : rise_spans(window_)) {
    schema.columns.push_back(rise_column(column, span_of(over)));
    features_.push_back({.column = number, .rise_over = over, .is_line = true});
  }
}

void StreamRows::add_means(const ColumnSchema& column, std::size_t metric, Schema& schema) {
  for (std::size_t i = 0; i < means_.size(); ++i) {
    schema.columns.push_back(
        {.name = fmt::format("{} mean {} {}", column.name, step_ == 0 ? "of" : "over", span_of(means_[i])),
         .kind = Kind::continuous,
         .unit = column.unit});
    features_.push_back({.column = first_mean() + metric * means_.size() + i, .is_mean = true, .is_line = true});
  }
}

std::string StreamRows::span_of(std::size_t n_samples) const {
  return step_ == 0 ? values::counted(n_samples, "sample")
                    : values::span_words(static_cast<std::int64_t>(n_samples) * step_);
}

std::string StreamRows::name_of_lag(const std::string& metric, std::size_t lag) const {
  return lag == 0 ? metric : fmt::format("{} {} earlier", metric, span_of(lag));
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

}  // namespace pidforest::stream
