// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/series.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "pidforest/error.h"
#include "pidforest/series.h"
#include "schema/encode.h"
#include "schema/table_facts.h"
#include "stream/stream_state.h"
#include "table/value.h"
#include "values/excerpt.h"

namespace pidforest {

namespace {

constexpr const char* no_model_yet = "there is no model before the warm-up ends.";
constexpr double no_score = std::numeric_limits<double>::quiet_NaN();
/// After this many late events in a row, each later than the one before, the clock is taken to have been set back.
constexpr std::uint64_t late_events_of_a_clock = 16;

/// Checks as much of an event as is possible before the meaning of its columns is known.
void check_unknown(const Table& event, const std::optional<Schema>& schema) {
  if (event.n_columns() == 0) throw InvalidInput("the event has no columns; a stream requires at least one.");
  for (const Column& column : event.columns())
    if ((column.type == ColumnType::number || column.type == ColumnType::boolean) && std::isinf(column.number(0)))
      table::refuse(column, 0, {.demand = "must be finite", .remedy = ""});
  if (!schema) return;
  (void)stream::StreamRows(schema::complete_schema(*schema, event), StreamOptions{}, false).encode(event);
}

/// What the columns mean, completed by the events of the warm-up.
Schema schema_of(const TableStore& held, const std::optional<Schema>& given) {
  return schema::complete_schema(given ? *given : infer_event_schema(held), held);
}

/// `times` is empty if events come without times.
std::optional<std::int64_t> time_at(std::span<const std::int64_t> times, std::size_t row) {
  return times.empty() ? std::nullopt : std::optional(times[row]);
}

void begin_model(stream::StreamState& state) {
  auto model =
      std::make_unique<stream::SlidingModel>(state.options, schema_of(state.held, state.schema), *state.has_times);
  std::size_t number = 0;
  state.held.for_each([&](const Table& batch) {
    const std::vector<double> numbers = model->rows().encode(batch);
    const std::size_t n = model->rows().n_numbers();
    for (std::size_t row = 0; row < batch.n_rows(); ++row, ++number) {
      const std::uint8_t marks = state.held_marks[number];
      if ((marks & stream::StreamState::begins_segment) != 0) model->start_segment();
      model->take(std::span(numbers).subspan(row * n, n), time_at(state.held_times, number),
                  (marks & stream::StreamState::ends_row) != 0);
    }
  });
  model->begin();
  state.model = std::move(model);
}

void forget_held(stream::StreamState& state) {
  state.held = TableStore();
  state.held_marks.clear();
  state.held_times.clear();
}

/// Buffers an event of the warm-up. The last one begins the model.
void hold(stream::StreamState& state, const Table& event, std::optional<std::int64_t> time) {
  state.held.append(event);
  const int marks = (state.next_ends_row() ? stream::StreamState::ends_row : 0) +
                    (state.n_in_segment == 0 ? stream::StreamState::begins_segment : 0);
  state.held_marks.push_back(static_cast<std::uint8_t>(marks));
  if (time) state.held_times.push_back(*time);
  ++state.n_in_segment;
  ++state.n_learned;
  if (state.n_held_rows() >= state.options.warm_up) begin_model(state);
}

/// Takes back the last `n` events of the warm-up, and the model that they began.
void take_back(stream::StreamState& state, std::size_t n, std::uint64_t n_in_segment) {
  std::vector<std::uint64_t> kept(state.held_marks.size() - n);
  std::iota(kept.begin(), kept.end(), 0U);
  state.model.reset();
  state.held = kept.empty() ? TableStore() : rows_at(state.held, kept);
  state.held_marks.resize(kept.size());
  if (*state.has_times) state.held_times.resize(kept.size());
  state.n_in_segment = n_in_segment;
  state.n_learned -= n;
}

/// Buffers events until the warm-up ends, and returns their number. After an exception, also if a later event does not
/// fit the model, the stream is as it was.
std::size_t warm_up(stream::StreamState& state, const Table& events, std::span<const std::int64_t> times) {
  const std::size_t n_before = state.held_marks.size();
  const std::uint64_t n_in_segment = state.n_in_segment;
  std::size_t row = 0;
  try {
    for (; row < events.n_rows() && !state.model; ++row) {
      check_unknown(events.rows(row, row + 1), state.schema);
      hold(state, events.rows(row, row + 1), time_at(times, row));
    }
    if (state.model) (void)state.model->rows().encode(events.rows(row, events.n_rows()));
  } catch (...) {
    take_back(state, state.held_marks.size() - n_before, n_in_segment);
    throw;
  }
  if (state.model) forget_held(state);
  return row;
}

/// The time from `before` to `after`, which is not earlier; at most the largest 64-bit number.
std::int64_t step_between(std::int64_t before, std::int64_t after) {
  const std::uint64_t step = static_cast<std::uint64_t>(after) - static_cast<std::uint64_t>(before);
  return static_cast<std::int64_t>(std::min<std::uint64_t>(step, std::numeric_limits<std::int64_t>::max()));
}

/// Throws InvalidInput unless all events of the stream, or none, have times.
void check_times(const stream::StreamState& state, const Table& events, std::span<const std::int64_t> times) {
  if (!times.empty() && times.size() != events.n_rows())
    throw InvalidInput(fmt::format("there must be {} times, one per event; got {}.", events.n_rows(), times.size()));
  if (state.has_times && *state.has_times == times.empty() && events.n_rows() > 0)
    throw InvalidInput(fmt::format("the events before {}: all events of a stream must have times, or none of them.",
                                   times.empty() ? "had times" : "had no times"));
}

using OnScore = std::function<void(const EventScore& scored)>;

/// Scores an encoded event if it ends a row.
EventScore score_next(stream::StreamState& state, std::span<const double> event, std::optional<std::int64_t> time,
                      const OnScore& on_score) {
  if (!state.next_ends_row()) return {.bits = no_score};
  const EventScore scored = state.model->score(event, time);
  if (on_score) on_score(scored);
  return scored;
}

/// Learns the event that `score_next` was called for last.
void learn_next(stream::StreamState& state, std::span<const double> event, std::optional<std::int64_t> time) {
  if (state.next_ends_row())
    state.model->learn_scored();
  else
    state.model->take(event, time, false);
  ++state.n_in_segment;
  ++state.n_learned;
}

}  // namespace

std::size_t Stream::State::n_held_rows() const {
  const auto ends = [](std::uint8_t marks) { return (marks & ends_row) != 0; };
  return static_cast<std::size_t>(std::ranges::count_if(held_marks, ends));
}

Schema infer_event_schema(const Batches& events) {
  Schema schema = infer_schema(events);
  for (ColumnSchema& column : schema.columns)
    if (column.kind == Kind::time) column.derive = {Derivation::hour_of_day, Derivation::day_of_week};
  return schema;
}

std::string_view name_of(WindowViews views) { return views == WindowViews::lags ? "lags" : "lags,changes"; }

WindowViews window_views(std::string_view name) {
  for (const WindowViews views : {WindowViews::lags, WindowViews::lags_and_changes})
    if (name == name_of(views)) return views;
  throw InvalidOption(fmt::format("views must be one of lags and lags,changes; got '{}'.", values::excerpt(name)));
}

void validate(const StreamOptions& options) {
  constexpr std::size_t longest_horizon = 10'000'000;
  constexpr std::size_t longest_window = 10'000;
  validate(options.forest);
  if (options.forest.count_rows != Options::all_rows)
    throw InvalidOption("count_rows must be all: a stream counts all rows of its horizon.");
  if (options.forest.aggregate == Aggregate::odds)
    throw InvalidOption("aggregate must not be odds: a stream would have to rank the leaves again at every event.");
  if (options.horizon < 2 || options.horizon > longest_horizon)
    throw InvalidOption(
        fmt::format("horizon must be between 2 and {} events; got {}.", longest_horizon, options.horizon));
  if (options.warm_up < 2 || options.warm_up > options.horizon)
    throw InvalidOption(
        fmt::format("warm_up must be between 2 and {}, the horizon; got {}.", options.horizon, options.warm_up));
  if (options.window < 1 || options.window > longest_window)
    throw InvalidOption(fmt::format("window must be between 1 and {} events; got {}.", longest_window, options.window));
  if (options.recent == 1 || options.recent > longest_horizon)
    throw InvalidOption(
        fmt::format("recent must be 0 or between 2 and {} events; got {}.", longest_horizon, options.recent));
  constexpr std::size_t longest_mean = 100'000;
  constexpr std::size_t most_means = 100;
  if (options.means.size() > most_means)
    throw InvalidOption(fmt::format("there may be at most {} means; got {}.", most_means, options.means.size()));
  for (const std::size_t span : options.means)
    if (span < 2 || span > longest_mean)
      throw InvalidOption(
          fmt::format("each of the means must span between 2 and {} events; got {}.", longest_mean, span));
  if (options.window > options.horizon)
    throw InvalidOption(
        fmt::format("window must be at most {}, the horizon; got {}.", options.horizon, options.window));
}

Stream::Stream(const StreamOptions& options, std::optional<Schema> schema) {
  validate(options);
  if (schema) validate(*schema);
  state_ = std::make_unique<State>(State{.options = options, .schema = std::move(schema)});
}
Stream::Stream(std::unique_ptr<State> state) : state_(std::move(state)) {}
Stream::~Stream() = default;
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;

std::vector<EventScore> Stream::update(const Table& events, const OnScore& on_score,
                                       std::span<const std::int64_t> times) {
  check_times(*state_, events, times);
  if (events.n_rows() == 0) return {};
  const bool is_first = !state_->has_times;
  if (is_first) state_->has_times = !times.empty();
  std::vector<EventScore> scored;
  scored.reserve(events.n_rows());
  // All are checked first: after an error none of them is learned.
  std::size_t row = 0;
  try {
    if (!state_->model) row = warm_up(*state_, events, times);
  } catch (...) {
    if (is_first) state_->has_times.reset();
    throw;
  }
  scored.assign(row, {.bits = no_score});
  for (; row < events.n_rows();) {
    const Table rest = events.rows(row, events.n_rows());
    stream::StreamRows& rows = state_->model->rows();
    const std::vector<double> numbers = rows.encode(rest);
    const std::size_t n = rows.n_numbers();
    bool are_still_right = true;
    for (std::size_t i = 0; i < rest.n_rows() && are_still_right; ++i, ++row) {
      const std::span<const double> event = std::span(numbers).subspan(i * n, n);
      const std::optional<std::int64_t> time = time_at(times, row);
      scored.push_back(score_next(*state_, event, time, on_score));
      are_still_right = !rows.add_levels(rest, i, event);
      learn_next(*state_, event, time);
    }
  }
  return scored;
}

EventScore Stream::score(const Table& event, std::optional<std::int64_t> time) {
  if (event.n_rows() != 1)
    throw InvalidInput(fmt::format("an event must be a table of one row; got {} rows.", event.n_rows()));
  const std::int64_t at = time.value_or(0);
  check_times(*state_, event, std::span(&at, time ? 1 : 0));
  if (!state_->model) {
    check_unknown(event, state_->schema);
    return {.bits = no_score};
  }
  const std::vector<double> numbers = state_->model->rows().encode(event);
  return state_->next_ends_row() ? state_->model->score(numbers, time) : EventScore{.bits = no_score};
}

void Stream::learn(const Table& events, std::span<const std::int64_t> times) { (void)update(events, {}, times); }

void Stream::end_warm_up() {
  if (state_->model || state_->n_held_rows() < 2) return;
  begin_model(*state_);
  forget_held(*state_);
}

void Stream::start_segment() {
  state_->n_in_segment = 0;
  if (state_->model) state_->model->start_segment();
}

Arrival Stream::arrive(std::int64_t time, std::uint64_t fingerprint, std::optional<std::int64_t> max_gap) {
  stream::EventClock& clock = state_->clock;
  if (clock.has_last && time == clock.last_time && fingerprint == clock.last_fingerprint) return Arrival::duplicate;
  if (clock.has_last && time < clock.last_time) {
    clock.n_late = clock.n_late > 0 && time >= clock.late_time ? clock.n_late + 1 : 1;
    clock.late_time = time;
    if (clock.n_late < late_events_of_a_clock) return Arrival::late;
    start_segment();
  } else if (clock.has_last && max_gap && step_between(clock.last_time, time) > *max_gap) {
    start_segment();
  }
  clock = {.has_last = true, .last_time = time, .last_fingerprint = fingerprint};
  return Arrival::next;
}

Model Stream::model() const {
  if (!state_->model) throw InvalidInput(no_model_yet);
  return state_->model->model();
}

Finding Stream::find_last(std::optional<double> most_normal) const {
  if (!state_->model) throw InvalidInput(no_model_yet);
  Finding finding = state_->model->find_last(most_normal);
  finding.row = state_->n_learned;
  return finding;
}

Witness Stream::explain_last() const {
  if (!state_->model) throw InvalidInput("there is no reason before the first score: the stream is warming up.");
  return state_->model->explain_last();
}

Table Stream::last_window(const Table& event) const {
  if (!state_->model) throw InvalidInput(no_model_yet);
  return state_->model->last_window(event);
}

const StreamOptions& Stream::options() const { return state_->options; }
std::size_t Stream::n_to_warm_up() const { return state_->model ? 0 : state_->options.warm_up - state_->n_held_rows(); }
std::uint64_t Stream::n_learned() const { return state_->n_learned; }
std::optional<double> Stream::threshold() const {
  return state_->model ? state_->model->threshold() : std::optional<double>();
}
const Schema* Stream::schema() const { return state_->model ? &state_->model->rows().rows().schema() : nullptr; }
Counts Stream::counts() const { return state_->model ? state_->model->forest().counts() : Counts{}; }

}  // namespace pidforest
