// SPDX-License-Identifier: Apache-2.0
// Rows with what came before them in their series.
// Declared in pidforest/series.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/series.h"
#include "schema/match.h"
#include "schema/times.h"
#include "series/moments.h"
#include "series/window_columns.h"
#include "table/value.h"
#include "values/excerpt.h"
#include "values/time_text.h"

namespace pidforest {

using series::SpanMoments;
using series::WindowColumn;
using Form = WindowColumn::Form;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view context_view = "context";
constexpr std::string_view rows_view = "rows";
/// Rises are over fewer rows than this.
constexpr std::size_t rise_window = 9;

/// The last rows of one series: the values of each metric, the latest last.
struct History {
  std::int64_t last_time = std::numeric_limits<std::int64_t>::min();
  std::size_t last_row = 0;
  std::vector<std::vector<double>> values = {};
};

/// The last `most` values stay side by side.
void append(std::vector<double>& values, double x, std::size_t most) {
  if (values.size() >= 2 * most) values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(most) + 1);
  values.push_back(x);
}

bool is_metric(const ColumnSchema& column, const Table& header) {
  const auto found = std::ranges::find(header.columns(), column.name, &Column::name);
  return column.kind == Kind::continuous && found != header.columns().end() && found->type == ColumnType::number;
}

/// The columns of the context alone.
series::WindowColumns columns_of(WindowRecipe recipe) {
  recipe.window = rise_window;
  recipe.views = {"changes", "scales"};
  series::WindowColumns made = series::window_columns(recipe);
  std::erase_if(made.columns, [](const WindowColumn& one) { return one.form == Form::lag; });
  return made;
}

}  // namespace

void validate(const ContextOptions& options) {
  if (options.time.empty()) throw InvalidOption("context requires the time column.");
  if (options.by == options.time)
    throw InvalidOption(fmt::format("time and by must be different columns; both are '{}'.", options.by));
  if (options.max_gap && *options.max_gap < 0) throw InvalidOption("max_gap must not be negative.");
}

bool is_context(const WindowRecipe& recipe) { return recipe.views.size() == 1 && recipe.views.front() == context_view; }

struct [[gnu::visibility("hidden")]] Context::State {
  const Batches& rows;
  WindowRecipe recipe;
  Schema schema;
  series::WindowColumns made = {};
  std::vector<std::size_t> spans = {};

  State(const Batches& all, const Schema& own, const ContextOptions& options)
      : rows(all),
        recipe{.window = 1, .views = {std::string(context_view)}, .by = options.by, .max_gap = options.max_gap},
        schema(own) {
    validate(options);
    const auto given = std::ranges::find(own.columns, options.time, &ColumnSchema::name);
    const bool is_time = given != own.columns.end() && given->kind == Kind::time;
    recipe.time = is_time ? *given : schema::infer_times(all, options.time);
    const Table header = all.header();
    for (ColumnSchema& column : schema.columns) {
      if (column.kind == Kind::ignored) continue;
      column.views = {std::string(rows_view)};
      if (!is_metric(column, header) || column.name == options.by) continue;
      recipe.metrics.push_back(column);
      recipe.metrics.back().views.clear();
      column.views.emplace_back("changes");
    }
    if (recipe.metrics.empty()) throw InvalidInput("context requires a column of numbers; the table has none.");
    recipe.step = checked_step();
    make_columns();
    for (const WindowColumn& one : made.columns) schema.columns.push_back(one.schema);
    schema.windows = recipe;
  }

  State(const Batches& all, const Schema& fitted) : rows(all), schema(fitted) {
    if (!fitted.windows || !is_context(*fitted.windows))
      throw InvalidInput("the model was not fitted on rows with context.");
    recipe = *fitted.windows;
    (void)checked_step();
    make_columns();
  }

  void make_columns() {
    made = columns_of(recipe);
    spans = series::scale_spans(recipe.metrics.size());
  }

  /// The places of the metrics, the time and the key among the columns of the table. The last has no meaning without a
  /// key.
  struct Places {
    std::vector<std::size_t> metrics = {};
    std::size_t time = 0;
    std::size_t by = 0;
  };
  [[nodiscard]] Places places() const {
    const Table header = rows.header();
    Places found{.time = schema::place_of(header, recipe.time.name, "the time column")};
    if (!recipe.by.empty()) found.by = schema::place_of(header, recipe.by, "the series key");
    for (const ColumnSchema& metric : recipe.metrics)
      found.metrics.push_back(schema::place_of(header, metric.name, "a column with context"));
    return found;
  }

  /// Calls visit(batch, row, history) for each row, with the history of its series before it; the time of the row is
  /// set after the visit.
  template <class Visit, class EndBatch>
  void for_each_row(const Visit& visit, const EndBatch& end_batch) const {
    const Places at = places();
    const schema::TimeReader reader(recipe.time);
    std::unordered_map<std::string, History> histories;
    std::size_t n_before = 0;
    rows.for_each([&](const Table& batch) {
      const std::vector<Column>& columns = batch.columns();
      for (std::size_t row = 0; row < batch.n_rows(); ++row) {
        History& history = histories[recipe.by.empty() ? "" : table::key_of(columns[at.by], row)];
        const std::int64_t time = reader.required_utc(columns[at.time], row);
        const bool is_first = history.last_time == std::numeric_limits<std::int64_t>::min();
        if (!is_first && time < history.last_time) refuse_way_back(n_before + row, history, time);
        const std::int64_t step = is_first ? 0 : time - history.last_time;
        if (!is_first && recipe.max_gap && step > *recipe.max_gap) history = {};
        visit(batch, row, history, is_first ? -1 : step, at);
        history.last_time = time;
        history.last_row = n_before + row;
      }
      end_batch(batch, n_before);
      n_before += batch.n_rows();
    });
  }

  [[noreturn]] void refuse_way_back(std::size_t row, const History& history, std::int64_t time) const {
    const auto written = [](std::int64_t utc) { return values::date_time_text(utc, ' ', values::Fractions::exact); };
    throw InvalidInput(
        fmt::format("row {}, column '{}': must not be earlier than row {} of the same series, {}; got {} (UTC). Sort "
                    "the rows by time{}.",
                    row + 1, values::excerpt(recipe.time.name), history.last_row + 1, written(history.last_time),
                    written(time), recipe.by.empty() ? ", or name the series key if there are several series" : ""));
  }

  /// The step between the rows of each series, or 0 if steps differ. Checks that times do not decrease.
  [[nodiscard]] std::int64_t checked_step() const {
    std::int64_t even = -1;
    for_each_row(
        [&](const Table&, std::size_t, const History&, std::int64_t step, const Places&) {
          if (step < 0 || (recipe.max_gap && step > *recipe.max_gap)) return;
          even = even < 0 || even == step ? step : 0;
        },
        [](const Table&, std::size_t) {});
    return std::max<std::int64_t>(even, 0);
  }

  /// Adds the row's values to the history, and writes what is derived from it.
  void derive(const Table& batch, std::size_t row, History& history, const Places& at,
              std::vector<std::vector<double>>& values) const {
    history.values.resize(recipe.metrics.size());
    std::vector<SpanMoments> moments(spans.size());
    for (std::size_t metric = 0; metric < recipe.metrics.size(); ++metric)
      append(history.values[metric], batch.columns()[at.metrics[metric]].number(row), spans.back());
    std::size_t of_metric = recipe.metrics.size();
    for (std::size_t i = 0; i < made.columns.size(); ++i) {
      const WindowColumn& one = made.columns[i];
      const std::size_t metric = made.signals[one.signal].metric;
      const std::vector<double>& own = history.values[metric];
      if (one.form == Form::rise) {
        values[i].push_back(own.size() > one.span ? own.back() - own[own.size() - 1 - one.span] : missing);
        continue;
      }
      if (std::exchange(of_metric, metric) != metric)
        series::moments_of_last(&own.back(), own.size() - 1, spans, moments);
      const auto place = static_cast<std::size_t>(std::ranges::find(spans, one.span) - spans.begin());
      values[i].push_back(one.form == Form::mean ? moments[place].mean : moments[place].deviation);
    }
  }

  [[nodiscard]] Table with_context(const Table& batch, const std::vector<std::vector<double>>& values) const {
    std::vector<Column> columns = batch.columns();
    for (std::size_t i = 0; i < made.columns.size(); ++i)
      columns.push_back({.name = made.columns[i].schema.name, .first = values[i].data()});
    return {batch.n_rows(), std::move(columns)};
  }
};

Context::Context(const Batches& rows, const Schema& schema, const ContextOptions& options)
    : state_(std::make_unique<State>(rows, schema, options)) {}
Context::Context(const Batches& rows, const Schema& fitted) : state_(std::make_unique<State>(rows, fitted)) {}
Context::~Context() = default;
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;

std::size_t Context::n_rows() const { return state_->rows.n_rows(); }

Table Context::header() const {
  return state_->with_context(state_->rows.header(), std::vector<std::vector<double>>(state_->made.columns.size()));
}

void Context::for_each(const std::function<void(const Table& batch)>& visit) const {
  std::vector<std::vector<double>> values(state_->made.columns.size());
  state_->for_each_row([&](const Table& batch, std::size_t row, History& history, std::int64_t,
                           const State::Places& at) { state_->derive(batch, row, history, at, values); },
                       [&](const Table& batch, std::size_t n_before) {
                         visit(state_->with_context(batch, values).numbered_from(n_before));
                         for (std::vector<double>& of_column : values) of_column.clear();
                       });
}

const Schema& Context::schema() const { return state_->schema; }

}  // namespace pidforest
