// SPDX-License-Identifier: Apache-2.0
#include "pidforest/series.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "pidforest/error.h"
#include "series/made_columns.h"
#include "series/season.h"
#include "series/series_samples.h"
#include "series/window_columns.h"
#include "values/excerpt.h"
#include "values/span_words.h"

namespace pidforest {

using series::Metric;
using series::Segment;

namespace {

/// Segments that are shorter than the window have no shingles.
std::vector<Segment> long_enough(const std::vector<Segment>& segments, std::size_t window) {
  std::vector<Segment> kept;
  std::size_t longest = 0;
  for (const Segment& segment : segments) {
    longest = std::max(longest, segment.n);
    if (segment.n >= window) kept.push_back(segment);
  }
  if (kept.empty())
    throw InvalidInput(
        fmt::format("the window must be at most {}, the number of samples in the longest stretch without a gap; "
                    "got {}.",
                    longest, window));
  return kept;
}

/// The mean of each sample and those before it in its segment, `span` of them at most; missing ones do not count.
std::vector<double> means_of(const std::vector<double>& values, const std::vector<Segment>& segments,
                             std::size_t span) {
  std::vector<double> means(values.size(), std::numeric_limits<double>::quiet_NaN());
  for (const Segment& segment : segments)
    for (std::size_t i = 0; i < segment.n; ++i) {
      double sum = 0;
      double n = 0;
      for (std::size_t k = i + 1 - std::min(span, i + 1); k <= i; ++k) {
        const double x = values[segment.begin + k];
        if (std::isnan(x)) continue;
        sum += x;
        ++n;
      }
      if (n > 0) means[segment.begin + i] = sum / n;
    }
  return means;
}

std::vector<double> in_seconds(const std::vector<std::int64_t>& times) {
  std::vector<double> seconds;
  seconds.reserve(times.size());
  for (const std::int64_t time : times) seconds.push_back(static_cast<double>(time) / 1e6);
  return seconds;
}

WindowRecipe recipe_of(const SeriesOptions& options) {
  WindowRecipe recipe{.window = options.window,
                      .means = options.means,
                      .calendar = options.calendar,
                      .by = options.by,
                      .max_gap = options.max_gap};
  for (const SeriesView view : options.views) recipe.views.emplace_back(name_of(view));
  return recipe;
}

SeriesOptions options_of(const WindowRecipe& recipe) {
  SeriesOptions options{.window = recipe.window,
                        .time = recipe.time.name,
                        .by = recipe.by,
                        .max_gap = recipe.max_gap,
                        .means = recipe.means,
                        .calendar = recipe.calendar,
                        .views = {}};
  for (const std::string& name : recipe.views)
    for (const SeriesView view : series_views(name)) options.views.push_back(view);
  return options;
}

/// How a metric is declared, or what its type says of it.
ColumnSchema schema_of(const Metric& metric, const Schema& declared) {
  const auto given = std::ranges::find(declared.columns, metric.name, &ColumnSchema::name);
  if (given != declared.columns.end()) return *given;
  return {.name = metric.name, .kind = metric.type == ColumnType::boolean ? Kind::boolean : Kind::continuous};
}

constexpr std::array<std::string_view, 4> view_names{"lags", "changes", "scales", "residual"};

}  // namespace

std::string_view name_of(SeriesView view) { return view_names[static_cast<std::size_t>(view)]; }

std::vector<SeriesView> series_views(std::string_view names) {
  std::vector<SeriesView> views;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string_view name = names.substr(begin, end - begin);
    const auto found = std::ranges::find(view_names, name);
    if (found == view_names.end())
      throw InvalidOption(fmt::format("each of the views must be one of {}; got '{}'.", fmt::join(view_names, ", "),
                                      values::excerpt(name)));
    const auto view = static_cast<SeriesView>(found - view_names.begin());
    if (std::ranges::find(views, view) != views.end())
      throw InvalidOption(fmt::format("the views must differ; got {} twice.", name));
    views.push_back(view);
    begin = end + 1;
  }
  return views;
}

void validate(const SeriesOptions& options) {
  constexpr std::size_t longest = 1'000'000;
  if (options.window < 1 || options.window > longest)
    throw InvalidOption(fmt::format("window must be between 1 and {} samples; got {}.", longest, options.window));
  if (options.max_gap && *options.max_gap < 0) throw InvalidOption("max_gap must not be negative.");
  if (options.max_gap && options.time.empty())
    throw InvalidOption("max_gap requires the time column, which shows the gaps.");
  if (options.calendar && options.time.empty()) throw InvalidOption("calendar requires the time column.");
  for (const std::size_t span : options.means)
    if (span < 2 || span > longest)
      throw InvalidOption(fmt::format("each of the means must span between 2 and {} samples; got {}.", longest, span));
  if (options.views.empty()) throw InvalidOption("views must name at least one view; got none.");
  if (!options.by.empty() && options.by == options.time)
    throw InvalidOption(fmt::format("time and by must be different columns; both are '{}'.", options.by));
}

struct Series::State {
  WindowRecipe recipe;
  /// The given columns of windows with the single view of lags.
  Schema given;
  series::SeriesSamples samples;
  std::size_t n_shingles = 0;
  series::WindowColumns windows = {};
  /// The values of each signal, in the order of the samples.
  std::vector<std::vector<double>> residuals = {};
  std::vector<const double*> signals = {};
  /// Columns besides those of views, with a value for each sample that ends a shingle.
  std::vector<Metric> further = {};

  /// `fitted` is the recipe of a model, if there is one.
  State(const Batches& batches, const SeriesOptions& options, const Schema& declared, const WindowRecipe* fitted)
      : recipe(fitted != nullptr ? *fitted : recipe_of(options)),
        given(declared),
        samples(series::read_samples(batches, options, declared, fitted != nullptr ? &fitted->metrics : nullptr)) {
    samples.segments = long_enough(samples.segments, recipe.window);
    for (const Segment& segment : samples.segments) n_shingles += n_shingles_of(segment);
    if (fitted != nullptr)
      check_step(*fitted);
    else
      complete_recipe();
    windows = series::window_columns(recipe);
    make_signals();
    for (const Metric& metric : samples.metrics)
      for (const std::size_t span : recipe.means)
        further.push_back(
            {.name = name_of_mean(metric, span), .values = means_of(metric.values, samples.segments, span)});
    if (recipe.calendar) further.push_back({.name = options.time, .values = in_seconds(samples.times)});
  }

  [[nodiscard]] bool has_views() const { return recipe.views != std::vector<std::string>{"lags"}; }
  [[nodiscard]] std::size_t n_shingles_of(const Segment& segment) const { return segment.n - recipe.window + 1; }

  void check_step(const WindowRecipe& fitted) const {
    const std::int64_t step = samples.even_step();
    if (step == 0 || fitted.step == 0 || step == fitted.step) return;
    throw InvalidInput(fmt::format("the samples must be {} apart, as those of the fit were; got a step of {}.",
                                   values::span_words(fitted.step), values::span_words(step)));
  }

  void complete_recipe() {
    recipe.step = samples.even_step();
    recipe.time = samples.time;
    for (const Metric& metric : samples.metrics) recipe.metrics.push_back(schema_of(metric, given));
    const bool needs_season = std::ranges::find(recipe.views, name_of(SeriesView::residual)) != recipe.views.end();
    const std::size_t n_cells = needs_season ? series::n_half_hours(samples.times) : 0;
    if (n_cells == 0) return;
    const std::vector<std::uint16_t> cells = series::half_hours(samples.times, samples.time, n_cells);
    for (std::size_t metric = 0; metric < samples.metrics.size(); ++metric)
      recipe.usual.push_back(recipe.metrics[metric].kind == Kind::continuous
                                 ? series::usual_values(samples.metrics[metric].values, cells, n_cells)
                                 : std::vector<double>());
  }

  void make_signals() {
    residuals.resize(windows.signals.size());
    for (std::size_t i = 0; i < windows.signals.size(); ++i) {
      const series::Signal& signal = windows.signals[i];
      const std::vector<double>& values = samples.metrics[signal.metric].values;
      signals.push_back(values.data());
      if (!signal.is_residual) continue;
      const std::vector<double>& usual = recipe.usual[signal.metric];
      const std::vector<std::uint16_t> cells = series::half_hours(samples.times, recipe.time, usual.size());
      residuals[i].reserve(values.size());
      for (std::size_t row = 0; row < values.size(); ++row) residuals[i].push_back(values[row] - usual[cells[row]]);
      signals.back() = residuals[i].data();
    }
  }

  [[nodiscard]] std::string name_of_mean(const Metric& metric, std::size_t span) const {
    return fmt::format("{} mean {} {}", metric.name, recipe.step == 0 ? "of" : "over",
                       series::span_name(span, recipe.step));
  }

  /// `n` shingles of a segment, from its shingle `first` on. `made` keeps the values that are computed.
  [[nodiscard]] Table shingles_of(const Segment& segment, std::size_t first, std::size_t n,
                                  series::MadeColumns& made) const {
    const std::size_t n_before = first + recipe.window - 1;
    std::vector<const double*> last;
    for (const double* const values : signals) last.push_back(values + segment.begin + n_before);
    made.make(last, n_before, n);
    std::vector<Column> columns;
    for (std::size_t column = 0; column < windows.columns.size(); ++column) {
      const series::WindowColumn& one = windows.columns[column];
      const bool is_lag = one.form == series::WindowColumn::Form::lag;
      columns.push_back({.name = one.schema.name, .first = is_lag ? last[one.signal] - one.span : made.of(column)});
      if (is_lag) columns.back().type = samples.metrics[windows.signals[one.signal].metric].type;
    }
    for (const Metric& one : further)
      columns.push_back({.name = one.name, .first = one.values.data() + segment.begin + n_before});
    return {n, std::move(columns)};
  }
};

Series::Series(const Batches& samples, const SeriesOptions& options, const Schema& declared) {
  validate(options);
  state_ = std::make_unique<State>(samples, options, declared, nullptr);
}
Series Series::as_fitted(const Batches& samples, const WindowRecipe& recipe) {
  const SeriesOptions options = options_of(recipe);
  validate(options);
  Schema declared{.columns = recipe.metrics};
  if (!recipe.time.name.empty()) declared.columns.push_back(recipe.time);
  return Series(std::make_unique<State>(samples, options, declared, &recipe));
}
Series::Series(std::unique_ptr<State> state) : state_(std::move(state)) {}
Series::~Series() = default;
Series::Series(Series&&) noexcept = default;
Series& Series::operator=(Series&&) noexcept = default;

std::size_t Series::n_rows() const { return state_->n_shingles; }
std::size_t Series::n_samples() const { return state_->samples.rows.size(); }
const SampleOrder& Series::order() const { return state_->samples.order; }

Table Series::header() const {
  series::MadeColumns made(state_->windows);
  return state_->shingles_of(state_->samples.segments.front(), 0, 1, made).rows(0, 0);
}

void Series::for_each(const std::function<void(const Table& batch)>& visit) const {
  series::MadeColumns made(state_->windows);
  std::size_t n_before = 0;
  for (const Segment& segment : state_->samples.segments) {
    const std::size_t n_of_segment = state_->n_shingles_of(segment);
    const std::size_t step = state_->has_views() ? made.most_rows() : n_of_segment;
    for (std::size_t first = 0; first < n_of_segment; first += step) {
      const std::size_t n = std::min(step, n_of_segment - first);
      visit(state_->shingles_of(segment, first, n, made).numbered_from(n_before));
      n_before += n;
    }
  }
}

Schema Series::declared() const {
  Schema schema;
  for (const series::WindowColumn& one : state_->windows.columns) {
    const std::string& metric = state_->recipe.metrics[state_->windows.signals[one.signal].metric].name;
    const bool is_given =
        std::ranges::find(state_->given.columns, metric, &ColumnSchema::name) != state_->given.columns.end();
    if (state_->has_views() || is_given) schema.columns.push_back(one.schema);
  }
  if (state_->recipe.calendar) {
    schema.columns.push_back(state_->recipe.time);
    schema.columns.back().epoch_unit = EpochUnit::seconds;
    schema.columns.back().date_order = DateOrder::year_first;
    schema.columns.back().note = "the time of a window's last sample";
  }
  if (state_->has_views()) schema.windows = state_->recipe;
  return schema;
}

std::vector<std::size_t> Series::shingles_of_samples(WindowAlignment align, std::span<const double> bits) const {
  if (bits.size() != n_rows())
    throw InvalidInput(fmt::format("there must be {} scores, one per window; got {}.", n_rows(), bits.size()));
  const std::size_t window = state_->recipe.window;
  const std::size_t first = align == WindowAlignment::end ? window - 1 : 0;
  const std::size_t last = align == WindowAlignment::start ? 0 : window - 1;
  std::vector<std::size_t> shingles(n_samples(), none);
  std::size_t shingle = 0;
  for (const Segment& segment : state_->samples.segments)
    for (std::size_t i = 0; i < state_->n_shingles_of(segment); ++i, ++shingle)
      for (std::size_t place = first; place <= last; ++place) {
        std::size_t& chosen = shingles[state_->samples.rows[segment.begin + i + place]];
        if (chosen == none || bits[shingle] > bits[chosen]) chosen = shingle;
      }
  return shingles;
}

WindowSamples Series::samples_of(std::size_t shingle, std::size_t n_around) const {
  const std::size_t window = state_->recipe.window;
  std::size_t place = shingle;  // within the segment
  for (const Segment& segment : state_->samples.segments) {
    const std::size_t n_of_segment = state_->n_shingles_of(segment);
    if (place >= n_of_segment) {
      place -= n_of_segment;
      continue;
    }
    const std::size_t first = place - std::min(n_around, place);
    const std::size_t end = std::min(segment.n, place + window + n_around);
    const auto rows = state_->samples.rows.begin() + static_cast<std::ptrdiff_t>(segment.begin);
    return {.rows = {rows + static_cast<std::ptrdiff_t>(first), rows + static_cast<std::ptrdiff_t>(end)},
            .begin = place - first,
            .n = window};
  }
  throw InvalidInput(fmt::format("there is no window {}: the series have {}.", shingle, n_rows()));
}

}  // namespace pidforest
