// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "event.h"
#include "options.h"
#include "pidforest/error.h"
#include "pidforest/series.h"
#include "rows.h"
#include "witnesses.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

/// A stream whose events are dicts or tables. Calls from several threads are serialized.
class EventStream {
 public:
  /// The column `time`, if it has a name, has the times of events.
  EventStream(const StreamOptions& options, std::optional<Schema> schema, std::string time)
      : given_(std::move(schema)), time_(std::move(time)), stream_(options, given_) {}
  EventStream(Stream stream, std::optional<Schema> schema, std::string time, std::vector<std::string> columns)
      : given_(std::move(schema)), time_(std::move(time)), stream_(std::move(stream)) {
    set_columns(std::move(columns));
  }

  EventScore score_one(const nb::dict& event) {
    const auto turn = take_turn();
    return score(timed(read(event)));
  }

  /// `time`, if given, is that of an event without a time column.
  EventScore update_one(const nb::dict& event, std::optional<std::int64_t> time) {
    const auto turn = take_turn();
    return learn(timed(read(event), time), {});
  }

  /// Scores an event and learns it. The reason of an anomaly is that of the command: its counts include the event.
  std::tuple<double, bool, std::optional<std::string>> follow_one(const nb::dict& event,
                                                                  std::optional<std::int64_t> time) {
    const auto turn = take_turn();
    const Timed row = timed(read(event), time);
    std::optional<Finding> finding;
    const EventScore scored = learn(row, [&](const EventScore& one) {
      if (one.is_anomaly) finding = stream_.find_last({});
    });
    if (!finding) return {scored.bits, scored.is_anomaly, std::nullopt};
    const Witness witness = stream_.explain_last();
    describe(*finding, witness, stream_.last_window(row.events), 0, *stream_.schema());
    return {scored.bits, scored.is_anomaly, reason_in_words(*finding, witness, *stream_.schema())};
  }

  Arrival arrive(std::int64_t time, std::uint64_t fingerprint, std::optional<std::int64_t> max_gap) {
    const auto turn = take_turn();
    return stream_.arrive(time, fingerprint, max_gap);
  }

  std::vector<EventScore> update(const Rows& rows) {
    std::vector<EventScore> scored;
    const nb::gil_scoped_release unlocked;
    const std::scoped_lock turn(mutex_);
    rows.batches().for_each([&](const Table& batch) {
      const Timed rows_with_times = timed(batch);
      for (const EventScore& one : stream_.update(rows_with_times.events, {}, rows_with_times.times))
        scored.push_back(one);
    });
    return scored;
  }

  void end_warm_up() {
    const auto turn = take_turn();
    stream_.end_warm_up();
    event_.set_schema(stream_.schema());
  }

  void start_segment() {
    const auto turn = take_turn();
    stream_.start_segment();
  }

  Witnesses explain_one(const nb::dict& event) {
    const auto turn = take_turn();
    const Timed row = timed(read(event));
    const double bits = score(row).bits;
    if (std::isnan(bits))
      throw nb::value_error(
          "an event without a score has no reason: no window ends at it, or the warm-up is not over.");
    const Schema& schema = *stream_.schema();
    const Witness witness = stream_.explain_last();
    Finding finding = stream_.find_last({});
    describe(finding, witness, stream_.last_window(row.events), 0, schema);
    return {schema, {witness}, {reason_in_words(finding, witness, schema)}};
  }

  /// Calls `visit` with the stream while no other thread uses it.
  template <class Visit>
  auto look(Visit visit) {
    const auto turn = take_turn();
    return visit(std::as_const(stream_));
  }

  [[nodiscard]] const std::optional<Schema>& given() const { return given_; }
  [[nodiscard]] const std::string& time() const { return time_; }
  [[nodiscard]] const std::vector<std::string>& columns() const { return event_.columns(); }
  void set_columns(std::vector<std::string> names) {
    event_.set_columns(std::move(names));
    set_schema();
  }

 private:
  /// Events without the column of their times, and these. Valid until the next call.
  struct Timed {
    const Table& events;
    std::vector<std::int64_t> times;
  };

  Timed timed(const Table& events, std::optional<std::int64_t> time = {}) {
    if (time_.empty()) return {events, time ? std::vector{*time} : std::vector<std::int64_t>{}};
    std::vector<std::int64_t> times;
    std::vector<Column> others;
    for (const Column& column : events.columns()) {
      if (column.name == time_)
        times = times_in(column, events.n_rows());
      else
        others.push_back(column);
    }
    if (others.size() == events.n_columns())
      throw InvalidInput("there must be a column '" + time_ + "', which has the times of events.");
    others_.emplace(events.n_rows(), std::move(others));
    return {*others_, std::move(times)};
  }

  [[nodiscard]] std::vector<std::int64_t> times_in(const Column& column, std::size_t n_rows) const {
    std::vector<std::int64_t> times;
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (column.type != ColumnType::time || column.time(row) == Column::missing_time)
        throw InvalidInput("column '" + time_ + "' must have a datetime for each event.");
      times.push_back(column.time(row));
    }
    return times;
  }

  EventScore score(const Timed& row) {
    return stream_.score(row.events, row.times.empty() ? std::nullopt : std::optional(row.times[0]));
  }

  /// Waits without Python's lock, which the thread that holds the mutex may need.
  std::unique_lock<std::mutex> take_turn() {
    std::unique_lock<std::mutex> turn(mutex_, std::try_to_lock);
    if (!turn.owns_lock()) {
      const nb::gil_scoped_release unlocked;
      turn.lock();
    }
    return turn;
  }

  /// The first event that is learned determines the columns.
  const Table& read(const nb::dict& event) {
    if (stream_.n_learned() == 0) {
      event_.take_columns(event);
      set_schema();
    }
    return event_.read(event);
  }

  EventScore learn(const Timed& row, const std::function<void(const EventScore&)>& on_score) {
    const bool was_warm = stream_.n_to_warm_up() == 0;
    const EventScore scored = stream_.update(row.events, on_score, row.times)[0];
    if (!was_warm && stream_.n_to_warm_up() == 0) event_.set_schema(stream_.schema());
    return scored;
  }

  void set_schema() {
    if (given_) event_.set_schema(&*given_);
    event_.set_schema(stream_.schema());
  }

  std::optional<Schema> given_;
  std::string time_;
  /// The columns of events without their times.
  std::optional<Table> others_;
  Stream stream_;
  Event event_;
  std::mutex mutex_;
};

void make(EventStream* self, const nb::dict& options, std::size_t horizon, std::size_t warm_up, std::size_t window,
          const std::string& views, std::size_t recent, const std::string& time, bool season,
          std::vector<std::size_t> means, const std::optional<std::string>& schema) {
  const StreamOptions checked{.forest = options_of(options, StreamOptions{}.forest),
                              .horizon = horizon,
                              .warm_up = warm_up,
                              .window = window,
                              .views = window_views(views),
                              .recent = recent,
                              .season = season,
                              .means = std::move(means)};
  new (self) EventStream(checked, schema ? std::optional(parse_schema(*schema)) : std::nullopt, time);
}

using Pickled = std::tuple<nb::bytes, std::optional<std::string>, std::string, std::vector<std::string>>;

/// Returns the stream, the given schema, the time column, and the columns of events.
Pickled pickled(EventStream& self) {
  const std::string bytes = self.look([](const Stream& stream) { return stream.to_bytes(); });
  return {nb::bytes(bytes.data(), bytes.size()), self.given() ? std::optional(to_json(*self.given())) : std::nullopt,
          self.time(), self.columns()};
}

void unpickle(EventStream& self, const Pickled& pickled) {
  const auto& [bytes, schema, time, columns] = pickled;
  new (&self) EventStream(Stream::from_bytes({bytes.c_str(), bytes.size()}),
                          schema ? std::optional(parse_schema(*schema)) : std::nullopt, time, columns);
}

std::string_view name_of(Arrival arrival) {
  switch (arrival) {
    case Arrival::next:
      return "next";
    case Arrival::late:
      return "late";
    case Arrival::duplicate:
      return "duplicate";
  }
  return "";
}

std::tuple<double, bool> pair_of(const EventScore& scored) { return {scored.bits, scored.is_anomaly}; }

/// Returns the bits of the events, and whether each is above the threshold at its time.
std::tuple<NumpyArray<double>, NumpyArray<bool>> update(EventStream& stream, const Rows& rows) {
  const std::vector<EventScore> scored = stream.update(rows);
  std::vector<double> bits;
  auto* const flags = new bool[scored.size()];
  const nb::capsule owner(flags, [](void* array) noexcept { delete[] static_cast<bool*>(array); });
  for (std::size_t i = 0; i < scored.size(); ++i) {
    bits.push_back(scored[i].bits);
    flags[i] = scored[i].is_anomaly;
  }
  return {to_numpy(std::move(bits)), NumpyArray<bool>(flags, {scored.size()}, owner)};
}

}  // namespace

void bind_stream(nb::module_& module) {
  nb::class_<EventStream>(module, "Stream", "A detector that follows a stream of events.")
      .def("__init__", make, nb::arg("options"), nb::arg("horizon"), nb::arg("warm_up"), nb::arg("window"),
           nb::arg("views"), nb::arg("recent"), nb::arg("time"), nb::arg("season"), nb::arg("means"),
           nb::arg("schema").none(),
           nb::sig("def __init__(self, options: dict[str, str], horizon: int, warm_up: int, window: int, views: str, "
                   "recent: int, time: str, season: bool, means: Sequence[int], schema: str | None) -> None"))
      .def(
          "score_one", [](EventStream& stream, const nb::dict& event) { return pair_of(stream.score_one(event)); },
          nb::arg("event"))
      .def(
          "update_one",
          [](EventStream& stream, const nb::dict& event, std::optional<std::int64_t> time) {
            return pair_of(stream.update_one(event, time));
          },
          nb::arg("event"), nb::arg("time").none() = nb::none())
      .def("follow_one", &EventStream::follow_one, nb::arg("event"), nb::arg("time").none() = nb::none(),
           "Scores an event and learns it: its bits, whether it is an anomaly, and why if so. The time is in "
           "microseconds "
           "of the local clock.")
      .def(
          "arrive",
          [](EventStream& stream, std::int64_t time, std::uint64_t fingerprint, std::optional<std::int64_t> max_gap) {
            return std::string(name_of(stream.arrive(time, fingerprint, max_gap)));
          },
          nb::arg("time"), nb::arg("fingerprint"), nb::arg("max_gap").none(),
          "How the time of the next event, in microseconds, relates to the last one: next, late or duplicate.")
      .def("update", update, nb::arg("rows"))
      .def("explain_one", &EventStream::explain_one, nb::arg("event"))
      .def("start_segment", &EventStream::start_segment)
      .def("end_warm_up", &EventStream::end_warm_up)
      .def(
          "model", [](EventStream& self) { return self.look([](const Stream& stream) { return stream.model(); }); },
          "The forest over the horizon as a model.")
      .def("__getstate__", pickled)
      .def("__setstate__", unpickle)
      .def_prop_rw("columns", &EventStream::columns, &EventStream::set_columns,
                   "The columns of events; before the first was learned they may change.")
      .def_prop_ro(
          "n_to_warm_up",
          [](EventStream& self) { return self.look([](const Stream& stream) { return stream.n_to_warm_up(); }); })
      .def_prop_ro("n_learned",
                   [](EventStream& self) { return self.look([](const Stream& stream) { return stream.n_learned(); }); })
      .def_prop_ro("threshold",
                   [](EventStream& self) { return self.look([](const Stream& stream) { return stream.threshold(); }); })
      .def_prop_ro("schema", [](EventStream& self) {
        return self.look([](const Stream& stream) -> std::optional<std::string> {
          if (stream.schema() == nullptr) return std::nullopt;
          return to_json(*stream.schema());
        });
      });
}

}  // namespace pidforest::python
