// SPDX-License-Identifier: Apache-2.0
// Rows with what came before them in their series.
// Declared in pidforest/series.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
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
  std::vector<std::vector<double>> values = {};
};

/// The step between rows, if all steps are the same.
class CommonStep {
 public:
  void add(std::int64_t step) { even_ = even_ < 0 || even_ == step ? step : 0; }
  /// 0 if steps differ, and without any.
  [[nodiscard]] std::int64_t value() const { return std::max<std::int64_t>(even_, 0); }

 private:
  std::int64_t even_ = -1;
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
  SampleOrder order = {};
  /// The values of each column of `made`, by row, if the rows are not in the order of time.
  std::vector<std::vector<double>> sorted = {};

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
    SortedRows late_rows;
    recipe.step = step_of_rows(late_rows);
    make_columns();
    derive_sorted(late_rows);
    for (const WindowColumn& one : made.columns) schema.columns.push_back(one.schema);
    schema.windows = recipe;
  }

  State(const Batches& all, const Schema& fitted) : rows(all), schema(fitted) {
    if (!fitted.windows || !is_context(*fitted.windows))
      throw InvalidInput("the model was not fitted on rows with context.");
    recipe = *fitted.windows;
    SortedRows late_rows;
    (void)step_of_rows(late_rows);
    make_columns();
    derive_sorted(late_rows);
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

  /// Calls visit(batch, row, history, step) for each row, with the history of its series before it. The step is that
  /// from the row before, -1 at the first row of a series, and negative if times go back.
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
        visit(batch, row, history, advance(history, time));
      }
      end_batch(batch, n_before);
      n_before += batch.n_rows();
    });
  }

  /// Moves a history on to a row, and returns the step from the row before, or -1 at the first row.
  [[nodiscard]] std::int64_t advance(History& history, std::int64_t time) const {
    const bool is_first = history.last_time == std::numeric_limits<std::int64_t>::min();
    const std::int64_t step = is_first ? -1 : time - history.last_time;
    if (is_gap(step)) history = {};
    history.last_time = time;
    return step;
  }
  [[nodiscard]] bool is_gap(std::int64_t step) const { return recipe.max_gap && step > *recipe.max_gap; }

  /// The rows series by series in the order of time, with the values of their metrics.
  struct SortedRows {
    std::vector<std::size_t> order = {};
    std::vector<std::uint32_t> keys = {};
    std::vector<std::int64_t> times = {};
    std::vector<double> numbers = {};
  };

  [[nodiscard]] SortedRows sorted_rows() const {
    const Places at = places();
    const schema::TimeReader reader(recipe.time);
    std::unordered_map<std::string, std::uint32_t> known;
    SortedRows found;
    rows.for_each([&](const Table& batch) {
      const std::vector<Column>& columns = batch.columns();
      for (std::size_t row = 0; row < batch.n_rows(); ++row) {
        const std::string key = recipe.by.empty() ? "" : table::key_of(columns[at.by], row);
        found.keys.push_back(known.emplace(key, static_cast<std::uint32_t>(known.size())).first->second);
        found.times.push_back(reader.required_utc(columns[at.time], row));
        for (const std::size_t metric : at.metrics) found.numbers.push_back(columns[metric].number(row));
      }
    });
    found.order.resize(found.times.size());
    std::iota(found.order.begin(), found.order.end(), std::size_t{0});
    std::ranges::stable_sort(found.order, [&](std::size_t a, std::size_t b) {
      return found.keys[a] != found.keys[b] ? found.keys[a] < found.keys[b] : found.times[a] < found.times[b];
    });
    return found;
  }

  /// Calls visit(row, history, step) for each row, in the order of its series.
  template <class Visit>
  void for_each_sorted(const SortedRows& sorted_rows, const Visit& visit) const {
    History history;
    for (std::size_t i = 0; i < sorted_rows.order.size(); ++i) {
      const std::size_t row = sorted_rows.order[i];
      if (i > 0 && sorted_rows.keys[sorted_rows.order[i - 1]] != sorted_rows.keys[row]) history = {};
      visit(row, history, advance(history, sorted_rows.times[row]));
    }
  }

  /// The step between the rows of each series, or 0 if steps differ. Counts the rows that come after a later one; if
  /// there are any, sorts the rows.
  [[nodiscard]] std::int64_t step_of_rows(SortedRows& late_rows) {
    CommonStep in_order;
    std::unordered_map<const History*, std::int64_t> latest;
    for_each_row(
        [&](const Table&, std::size_t, const History& history, std::int64_t step) {
          std::int64_t& most = latest.try_emplace(&history, history.last_time).first->second;
          order.n_late += history.last_time < most ? 1 : 0;
          most = std::max(most, history.last_time);
          if (step >= 0 && !is_gap(step)) in_order.add(step);
        },
        [](const Table&, std::size_t) {});
    if (order.n_late == 0) return in_order.value();
    late_rows = sorted_rows();
    CommonStep when_sorted;
    for_each_sorted(late_rows, [&](std::size_t, const History&, std::int64_t step) {
      if (step >= 0 && !is_gap(step)) when_sorted.add(step);
    });
    return when_sorted.value();
  }

  /// Derives the values of rows that are not in the order of time.
  void derive_sorted(const SortedRows& late_rows) {
    if (order.n_late == 0) return;
    const std::size_t n = recipe.metrics.size();
    sorted.assign(made.columns.size(), std::vector<double>(late_rows.order.size()));
    for_each_sorted(late_rows, [&](std::size_t row, History& history, std::int64_t) {
      derive(std::span(late_rows.numbers).subspan(row * n, n), history,
             [&](std::size_t column, double value) { sorted[column][row] = value; });
    });
  }

  /// Adds the numbers of a row to its history, and calls put(column, value) for each value that is derived from it.
  template <class Put>
  void derive(std::span<const double> numbers, History& history, const Put& put) const {
    history.values.resize(recipe.metrics.size());
    std::vector<SpanMoments> moments(spans.size());
    for (std::size_t metric = 0; metric < numbers.size(); ++metric)
      append(history.values[metric], numbers[metric], spans.back());
    std::size_t of_metric = recipe.metrics.size();
    for (std::size_t i = 0; i < made.columns.size(); ++i) {
      const WindowColumn& one = made.columns[i];
      const std::size_t metric = made.signals[one.signal].metric;
      const std::vector<double>& own = history.values[metric];
      if (one.form == Form::rise) {
        put(i, own.size() > one.span ? own.back() - own[own.size() - 1 - one.span] : missing);
        continue;
      }
      if (std::exchange(of_metric, metric) != metric)
        series::moments_of_last(&own.back(), own.size() - 1, spans, moments);
      const auto place = static_cast<std::size_t>(std::ranges::find(spans, one.span) - spans.begin());
      put(i, one.form == Form::mean ? moments[place].mean : moments[place].deviation);
    }
  }

  /// Calls visit(batch, first row, values of the made columns) for each batch.
  template <class Visit>
  void for_each_batch(const Visit& visit) const {
    std::vector<const double*> first(made.columns.size());
    if (order.n_late > 0) {
      std::size_t n_before = 0;
      rows.for_each([&](const Table& batch) {
        for (std::size_t i = 0; i < first.size(); ++i) first[i] = sorted[i].data() + n_before;
        visit(batch, n_before, first);
        n_before += batch.n_rows();
      });
      return;
    }
    const Places at = places();
    std::vector<std::vector<double>> values(first.size());
    std::vector<double> numbers(recipe.metrics.size());
    for_each_row(
        [&](const Table& batch, std::size_t row, History& history, std::int64_t) {
          for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = batch.columns()[at.metrics[i]].number(row);
          derive(numbers, history, [&](std::size_t column, double value) { values[column].push_back(value); });
        },
        [&](const Table& batch, std::size_t n_before) {
          for (std::size_t i = 0; i < first.size(); ++i) first[i] = values[i].data();
          visit(batch, n_before, first);
          for (std::vector<double>& of_column : values) of_column.clear();
        });
  }

  [[nodiscard]] Table with_context(const Table& batch, std::span<const double* const> first) const {
    std::vector<Column> columns = batch.columns();
    for (std::size_t i = 0; i < made.columns.size(); ++i)
      columns.push_back({.name = made.columns[i].schema.name, .first = first[i]});
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
  return state_->with_context(state_->rows.header(), std::vector<const double*>(state_->made.columns.size()));
}

void Context::for_each(const std::function<void(const Table& batch)>& visit) const {
  state_->for_each_batch([&](const Table& batch, std::size_t n_before, std::span<const double* const> first) {
    visit(state_->with_context(batch, first).numbered_from(n_before));
  });
}

const SampleOrder& Context::order() const { return state_->order; }

const Schema& Context::schema() const { return state_->schema; }

}  // namespace pidforest
