// SPDX-License-Identifier: Apache-2.0
// Streams as sections of a file: their buffered events, their trees, and their counters. The rows that reach each node
// are counted again when a stream is read.
// Declared in pidforest/series.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "file/axis_sections.h"
#include "file/byte_reader.h"
#include "file/options_json.h"
#include "file/sections.h"
#include "file/tree_sections.h"
#include "model/check_forest.h"
#include "model/roots.h"
#include "pidforest/error.h"
#include "stream/held_events.h"
#include "stream/keyed_streams.h"
#include "stream/renewed_forest.h"
#include "stream/stream_state.h"
#include "system/atomic_file.h"

namespace pidforest {

using stream::SlidingRows;

namespace {

template <class T>
std::vector<T> take_numbers(file::SectionReader& file, std::string_view name) {
  const auto array = file.take_array<T>(name);
  return array.copy(0, array.size());
}

/// A section of exactly n numbers.
template <std::size_t n>
std::array<std::uint64_t, n> take_counts(file::SectionReader& file, std::string_view name) {
  const auto array = file.take_array<std::uint64_t>(name);
  if (array.size() != n)
    throw BadFile(fmt::format("its section '{}' must have {} numbers; got {}.", name, n, array.size()));
  std::array<std::uint64_t, n> counts{};
  for (std::size_t i = 0; i < n; ++i) counts[i] = array[i];
  return counts;
}

constexpr std::uint64_t times_unknown = 2;
/// Streams of earlier versions have fewer.
constexpr std::size_t n_sizes = 6;

void add_options(file::SectionWriter& file, const StreamOptions& options, const std::optional<Schema>& schema) {
  file.add("options", file::to_json(options.forest));
  file.add_array("stream.sizes", std::array<std::uint64_t, n_sizes>{options.horizon, options.warm_up, options.window,
                                                                    static_cast<std::uint64_t>(options.views),
                                                                    options.recent, options.season ? 1U : 0U});
  if (!options.means.empty())
    file.add_array("stream.means", std::vector<std::uint64_t>(options.means.begin(), options.means.end()));
  file.add("stream.given", schema ? to_json(*schema) : "");
}

[[noreturn]] void refuse_earlier() {
  throw BadFile(
      "an earlier version of pidforest wrote it, and only that version reads it. Begin a new state with the history of "
      "the stream as input.");
}

StreamOptions read_options(file::SectionReader& file, std::optional<Schema>& schema) {
  if (!file.has("stream.sizes") && file.has("tree.n_nodes"))
    throw BadFile("it is a model, not the state of a stream. Name another file, or one that does not exist yet.");
  if (file.take_array<std::uint64_t>("stream.sizes").size() < n_sizes) refuse_earlier();
  StreamOptions options{.forest = file::parse_options(file.take("options"))};
  const auto [horizon, warm_up, window, views, recent, season] = take_counts<n_sizes>(file, "stream.sizes");
  options.horizon = horizon;
  options.warm_up = warm_up;
  options.window = window;
  if (views > static_cast<std::uint64_t>(WindowViews::lags_and_changes))
    throw BadFile(fmt::format("its views must be 0 or 1; got {}.", views));
  options.views = static_cast<WindowViews>(views);
  options.recent = recent;
  options.season = season != 0;
  if (file.has("stream.means"))
    for (const std::uint64_t span : take_numbers<std::uint64_t>(file, "stream.means")) options.means.push_back(span);
  validate(options);
  if (const std::string_view given = file.take("stream.given"); !given.empty()) schema = parse_schema(given);
  return options;
}

void add_samples(file::SectionWriter& file, const SlidingRows& rows) {
  const stream::PlainSamples samples = rows.plain_samples();
  file.add_array("stream.samples", samples.values);
  file.add_array("stream.ends_row", samples.ends_row);
}

stream::PlainSamples read_samples(file::SectionReader& file, const StreamOptions& options, std::size_t n_numbers) {
  stream::PlainSamples samples{take_numbers<double>(file, "stream.samples"),
                               take_numbers<std::uint8_t>(file, "stream.ends_row")};
  if (samples.values.size() != samples.ends_row.size() * n_numbers)
    throw BadFile("its number of events differs from the declared one.");
  if (samples.ends_row.size() > options.horizon + options.window - 1)
    throw BadFile(fmt::format("it must have at most {} events; got {}.", options.horizon + options.window - 1,
                              samples.ends_row.size()));
  for (const double value : samples.values)
    if (std::isinf(value)) throw BadFile("its events must be finite.");
  return samples;
}

void add_forest(file::SectionWriter& file, const stream::RenewedForest& renewed) {
  const stream::SlidingForest& forest = renewed.sliding();
  file::add_trees(file, forest.trees(), forest.counts());
  file::add_roots(file, forest.roots());
  file.add_array("tree.median", forest.medians());
  file::add_isolated(file, forest.isolated());
  file.add_array("forest.clock", std::array{renewed.clock().n_grown, renewed.clock().n_since_grown});
}

void check_finite(const std::vector<double>& numbers, std::string_view what) {
  for (const double number : numbers)
    if (!std::isfinite(number)) throw BadFile(fmt::format("its {} must be finite; got {}.", what, number));
}

/// A forest that a stream saved, and its counts.
struct SavedForest {
  stream::RenewedForest::Saved saved;
  Counts counts;
};

SavedForest read_forest(file::SectionReader& file, std::span<const schema::AxisInfo> infos, std::size_t n_trees,
                        std::int64_t max_depth) {
  forest::Forest forest;
  SavedForest read;
  file::read_trees(file, forest.trees, read.counts);
  if (forest.trees.size() != n_trees)
    throw BadFile(fmt::format("it must have {} trees; got {}.", n_trees, forest.trees.size()));
  forest.own_roots = file::read_roots(file, infos.size(), n_trees);
  if (infos.empty()) forest.own_roots.resize(n_trees);
  if (forest.own_roots.size() != n_trees) throw BadFile("its arrays of axes have wrong lengths.");
  for (forest::Root& root : forest.own_roots)
    for (std::size_t axis = 0; axis < infos.size(); ++axis)
      root[axis] = model::checked_own_interval(infos[axis], std::move(root[axis]));
  model::check_forest(forest, infos, max_depth);
  read.saved.isolated = file::read_isolated(file, infos);
  read.saved.medians = take_numbers<double>(file, "tree.median");
  if (read.saved.medians.size() != n_trees) throw BadFile("its number of medians is impossible.");
  check_finite(read.saved.medians, "medians");
  const auto [n_grown, n_since_grown] = take_counts<2>(file, "forest.clock");
  read.saved.clock = {.n_grown = n_grown, .n_since_grown = n_since_grown};
  read.saved.trees = std::move(forest.trees);
  read.saved.roots = std::move(forest.own_roots);
  return read;
}

void add_season(file::SectionWriter& file, const stream::SlidingModel& model) {
  std::vector<std::uint8_t> is_seasonal;
  for (std::size_t metric = 0; metric < model.rows().metrics().size(); ++metric)
    is_seasonal.push_back(model.rows().is_seasonal(metric) ? 1 : 0);
  file.add_array("stream.seasonal", is_seasonal);
  file.add_array("stream.season", model.season() ? model.season()->saved() : std::vector<double>());
  if (model.means().n_means() > 0) file.add_array("stream.last", model.means().saved());
  if (const auto gaps = model.vanished().saved(); !gaps.empty()) file.add_array("stream.gaps", gaps);
  const auto [has_last, last, step, n_equal] = model.step().saved();
  file.add_array("stream.step",
                 std::array{has_last, last, step, n_equal, static_cast<std::uint64_t>(model.rows().step())});
}

void add_model(file::SectionWriter& file, const stream::SlidingModel& model) {
  file.add("schema", to_json(model.rows().events()));
  add_samples(file, model.forest().rows());
  add_season(file, model);
  add_forest(file, model.renewed());
  if (model.recent()) {
    file::SectionWriter recent;
    add_forest(recent, *model.recent());
    file.add("stream.recent", recent.finish());
  }
  file.add_array("stream.clock", std::array{model.clock().n_since_threshold, model.clock().n_scores});
  file.add_array("stream.scores", model.scores());
  file.add_array("stream.level", model.level().saved());
  file.add_array("threshold", std::vector<double>(model.threshold() ? 1 : 0, model.threshold().value_or(0)));
}

/// Checks that the file has an interval for each lag of each column, before memory is taken for them.
void check_n_axes(file::SectionReader& file, const Schema& events, const StreamOptions& options) {
  const auto has_lags = [](const ColumnSchema& column) {
    return column.kind != Kind::ignored && column.kind != Kind::time;
  };
  const auto n_columns = static_cast<std::size_t>(std::ranges::count_if(events.columns, has_lags));
  if (file.take_array<double>("axis.low").size() / options.window < n_columns)
    throw BadFile("its arrays of axes have wrong lengths.");
}

SavedForest read_recent(std::string_view bytes, const stream::RenewedForest& recent,
                        std::span<const schema::AxisInfo> infos, const StreamOptions& options) {
  return file::read_sections(bytes, "the second forest", [&](file::SectionReader& sections) {
    SavedForest read = read_forest(sections, infos, recent.sliding().medians().size(), options.forest.max_depth);
    sections.check_all_taken();
    return read;
  });
}

/// Reads which metrics rows have minus what is usual.
void read_seasonal(file::SectionReader& file, stream::SlidingModel& model) {
  const auto is_seasonal = take_numbers<std::uint8_t>(file, "stream.seasonal");
  if (is_seasonal.size() != model.rows().metrics().size()) throw BadFile("its season has the wrong number of metrics.");
  if (!model.season() && std::ranges::count(is_seasonal, 0) != std::ssize(is_seasonal))
    throw BadFile("it has a season without times.");
  model.set_seasonal(is_seasonal);
}

/// Reads the time between events, by which lags are named.
stream::EvenStep read_step(file::SectionReader& file, stream::SlidingModel& model) {
  const auto [has_last, last, step, n_equal, named] = take_counts<5>(file, "stream.step");
  stream::EvenStep read;
  read.restore({.has_last = has_last, .last = last, .step = step, .n_equal = n_equal});
  if (named > stream::EvenStep::longest || step > stream::EvenStep::longest)
    throw BadFile("the step between its events is impossible.");
  model.rows().set_step(static_cast<std::int64_t>(named));
  return read;
}

stream::SlidingModel read_model(file::SectionReader& file, const StreamOptions& options, bool has_times) {
  Schema events = parse_schema(file.take("schema"));
  check_n_axes(file, events, options);
  stream::SlidingModel model(options, std::move(events), has_times);
  read_seasonal(file, model);
  const stream::EvenStep step = read_step(file, model);
  model.take_samples(read_samples(file, options, model.rows().n_sample_numbers()));
  const std::vector<schema::AxisInfo>& infos = model.rows().rows().axes();
  SavedForest forest =
      read_forest(file, infos, static_cast<std::size_t>(options.forest.n_estimators), options.forest.max_depth);
  SavedForest recent;
  if (model.recent()) recent = read_recent(file.take("stream.recent"), *model.recent(), infos, options);
  const auto [n_since_threshold, n_scores] = take_counts<2>(file, "stream.clock");
  auto scores = take_numbers<double>(file, "stream.scores");
  stream::RecentLevel level;
  level.restore(take_numbers<double>(file, "stream.level"));
  const auto threshold = take_numbers<double>(file, "threshold");
  if (scores.empty() || scores.size() > options.horizon || threshold.size() > 1 ||
      threshold.empty() != (options.forest.contamination == Options::none))
    throw BadFile("its number of scores or thresholds is impossible.");
  check_finite(scores, "scores");
  check_finite(threshold, "threshold");
  model.restore({.forest = std::move(forest.saved),
                 .recent = std::move(recent.saved),
                 .clock = {.n_since_threshold = n_since_threshold, .n_scores = n_scores},
                 .scores = std::move(scores),
                 .level = std::move(level),
                 .season = take_numbers<double>(file, "stream.season"),
                 .step = step,
                 .means = file.has("stream.last") ? take_numbers<double>(file, "stream.last") : std::vector<double>(),
                 .vanished = file.has("stream.gaps") ? take_numbers<std::uint64_t>(file, "stream.gaps")
                                                     : std::vector<std::uint64_t>(),
                 .threshold = threshold.empty() ? std::nullopt : std::optional(threshold[0])});
  if (model.forest().rows().n_rows() == 0 || model.forest().counts() != forest.counts ||
      (model.recent() && model.recent()->sliding().counts() != recent.counts))
    throw BadFile("its counts do not match its events.");
  return model;
}

std::unique_ptr<stream::StreamState> read_state(file::SectionReader& file) {
  std::optional<Schema> schema;
  const StreamOptions options = read_options(file, schema);
  auto state =
      std::make_unique<stream::StreamState>(stream::StreamState{.options = options, .schema = std::move(schema)});
  const auto [n_learned, n_in_segment, has_last, last_time, last_fingerprint, n_late, late_time, is_warm, has_times] =
      take_counts<9>(file, "stream.events");
  state->n_learned = n_learned;
  state->n_in_segment = n_in_segment;
  state->clock = {.has_last = has_last != 0,
                  .last_time = static_cast<std::int64_t>(last_time),
                  .last_fingerprint = last_fingerprint,
                  .n_late = n_late,
                  .late_time = static_cast<std::int64_t>(late_time)};
  state->held = stream::read_held(file.take("held"));
  state->held_marks = take_numbers<std::uint8_t>(file, "held.ends_row");
  state->held_times = take_numbers<std::int64_t>(file, "held.times");
  if (has_times != times_unknown) state->has_times = has_times != 0;
  if (state->held_times.size() != (state->has_times.value_or(false) ? state->held_marks.size() : 0))
    throw BadFile("its number of times differs from that of its events.");
  if (state->held.n_rows() != state->held_marks.size() || (is_warm != 0 && state->held.n_rows() > 0))
    throw BadFile("its number of buffered events differs from the declared one.");
  if (is_warm != 0)
    state->model = std::make_unique<stream::SlidingModel>(read_model(file, options, state->has_times.value_or(false)));
  else if (state->n_held_rows() >= options.warm_up)
    throw BadFile("it contains more events than a warm-up has.");
  file.check_all_taken();
  return state;
}

}  // namespace

std::string Stream::to_bytes() const {
  file::SectionWriter file;
  add_options(file, state_->options, state_->schema);
  const stream::EventClock& clock = state_->clock;
  const std::uint64_t has_times = state_->has_times ? (*state_->has_times ? 1U : 0U) : times_unknown;
  file.add_array("stream.events", std::array<std::uint64_t, 9>{
                                      state_->n_learned, state_->n_in_segment, clock.has_last ? 1U : 0U,
                                      static_cast<std::uint64_t>(clock.last_time), clock.last_fingerprint, clock.n_late,
                                      static_cast<std::uint64_t>(clock.late_time), state_->model ? 1U : 0U, has_times});
  file.add("held", stream::bytes_of_held(state_->held));
  file.add_array("held.ends_row", state_->held_marks);
  file.add_array("held.times", state_->held_times);
  if (state_->model) add_model(file, *state_->model);
  return file.finish();
}

Stream Stream::from_bytes(std::string_view bytes) { return Stream(file::read_sections(bytes, "stream", read_state)); }

void KeyedStreams::save(const std::string& path, std::string_view note) const {
  file::SectionWriter file;
  add_options(file, state_->options, state_->schema);
  file.add("keys.note", std::string(note));
  file.add_array("keys.counts", std::array{state_->n_uses, state_->n_forgotten});
  std::string streams;
  for (const auto& [key, entry] : state_->streams) {
    file::append_text(streams, key);
    file::append_little_endian(streams, entry.last_used);
    file::append_text(streams, entry.stream.to_bytes());
  }
  file.add("keys.streams", std::move(streams));
  system::AtomicFile written(path);
  written.write(file.finish());
  written.commit();
}

std::pair<KeyedStreams, std::string> KeyedStreams::load(const std::string& path, std::size_t most_keys) {
  const std::string name = fmt::format("state file '{}'", path);
  return file::read_sections(file::read_sections_file(path, name), name, [&](file::SectionReader& file) {
    std::optional<Schema> schema;
    const StreamOptions options = read_options(file, schema);
    KeyedStreams streams(options, std::move(schema), most_keys);
    State& state = *streams.state_;
    const auto [n_uses, n_forgotten] = take_counts<2>(file, "keys.counts");
    file::ByteReader bytes(file.take("keys.streams"), "keys.streams");
    while (!bytes.is_at_end()) {
      const std::string key(bytes.take_text());
      const auto last_used = bytes.take<std::uint64_t>();
      if (!state.by_use.emplace(last_used, key).second || last_used >= n_uses)
        throw BadFile("two of its streams claim the same event.");
      if (!state.streams.emplace(key, State::Entry{Stream::from_bytes(bytes.take_text()), last_used}).second)
        throw BadFile("it has two streams with the same key.");
    }
    state.n_uses = n_uses;
    state.n_forgotten = n_forgotten;
    while (state.streams.size() > most_keys) state.forget_oldest();
    std::string note(file.take("keys.note"));
    file.check_all_taken();
    return std::pair(std::move(streams), std::move(note));
  });
}

}  // namespace pidforest
