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
#include "pidforest/series.h"
#include "rows.h"
#include "witnesses.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

/// A stream whose events are dicts or tables. Calls from several threads are serialized.
class EventStream {
 public:
  EventStream(const StreamOptions& options, std::optional<Schema> schema)
      : given_(std::move(schema)), stream_(options, given_) {}
  EventStream(Stream stream, std::optional<Schema> schema, std::vector<std::string> columns)
      : given_(std::move(schema)), stream_(std::move(stream)) {
    set_columns(std::move(columns));
  }

  EventScore score_one(const nb::dict& event) {
    const auto turn = take_turn();
    return stream_.score(read(event));
  }

  EventScore update_one(const nb::dict& event) {
    const auto turn = take_turn();
    return learn(read(event), {});
  }

  /// Scores an event and learns it. The reason of an anomaly is that of the command: its counts include the event.
  std::tuple<double, bool, std::optional<std::string>> follow_one(const nb::dict& event) {
    const auto turn = take_turn();
    const Table& row = read(event);
    std::optional<Finding> finding;
    const EventScore scored = learn(row, [&](const EventScore& one) {
      if (one.is_anomaly) finding = stream_.find_last({});
    });
    if (!finding) return {scored.bits, scored.is_anomaly, std::nullopt};
    const Witness witness = stream_.explain_last();
    describe(*finding, witness, stream_.last_window(row), 0, *stream_.schema());
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
      for (const EventScore& one : stream_.update(batch)) scored.push_back(one);
    });
    return scored;
  }

  void start_segment() {
    const auto turn = take_turn();
    stream_.start_segment();
  }

  Witnesses explain_one(const nb::dict& event) {
    const auto turn = take_turn();
    const Table& row = read(event);
    const double bits = stream_.score(row).bits;
    if (std::isnan(bits))
      throw nb::value_error(
          "an event without a score has no reason: no window ends at it, or the warm-up is not over.");
    const Schema& schema = *stream_.schema();
    const Witness witness = stream_.explain_last();
    Finding finding = stream_.find_last({});
    describe(finding, witness, stream_.last_window(row), 0, schema);
    return {schema, {witness}, {reason_in_words(finding, witness, schema)}};
  }

  /// Calls `visit` with the stream while no other thread uses it.
  template <class Visit>
  auto look(Visit visit) {
    const auto turn = take_turn();
    return visit(std::as_const(stream_));
  }

  [[nodiscard]] const std::optional<Schema>& given() const { return given_; }
  [[nodiscard]] const std::vector<std::string>& columns() const { return event_.columns(); }
  void set_columns(std::vector<std::string> names) {
    event_.set_columns(std::move(names));
    set_schema();
  }

 private:
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

  EventScore learn(const Table& row, const std::function<void(const EventScore&)>& on_score) {
    const bool was_warm = stream_.n_to_warm_up() == 0;
    const EventScore scored = stream_.update(row, on_score)[0];
    if (!was_warm && stream_.n_to_warm_up() == 0) event_.set_schema(stream_.schema());
    return scored;
  }

  void set_schema() {
    if (given_) event_.set_schema(&*given_);
    event_.set_schema(stream_.schema());
  }

  std::optional<Schema> given_;
  Stream stream_;
  Event event_;
  std::mutex mutex_;
};

void make(EventStream* self, const nb::dict& options, std::size_t horizon, std::size_t warm_up, std::size_t window,
          const std::string& views, std::size_t recent, const std::optional<std::string>& schema) {
  const StreamOptions checked{.forest = options_of(options, StreamOptions{}.forest),
                              .horizon = horizon,
                              .warm_up = warm_up,
                              .window = window,
                              .views = window_views(views),
                              .recent = recent};
  new (self) EventStream(checked, schema ? std::optional(parse_schema(*schema)) : std::nullopt);
}

using Pickled = std::tuple<nb::bytes, std::optional<std::string>, std::vector<std::string>>;

/// Returns the stream, the given schema, and the columns of events.
Pickled pickled(EventStream& self) {
  const std::string bytes = self.look([](const Stream& stream) { return stream.to_bytes(); });
  return {nb::bytes(bytes.data(), bytes.size()), self.given() ? std::optional(to_json(*self.given())) : std::nullopt,
          self.columns()};
}

void unpickle(EventStream& self, const Pickled& pickled) {
  const auto& [bytes, schema, columns] = pickled;
  new (&self) EventStream(Stream::from_bytes({bytes.c_str(), bytes.size()}),
                          schema ? std::optional(parse_schema(*schema)) : std::nullopt, columns);
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
           nb::arg("views"), nb::arg("recent"), nb::arg("schema").none(),
           nb::sig("def __init__(self, options: dict[str, str], horizon: int, warm_up: int, window: int, views: str, "
                   "recent: int, schema: str | None) -> None"))
      .def(
          "score_one", [](EventStream& stream, const nb::dict& event) { return pair_of(stream.score_one(event)); },
          nb::arg("event"))
      .def(
          "update_one", [](EventStream& stream, const nb::dict& event) { return pair_of(stream.update_one(event)); },
          nb::arg("event"))
      .def("follow_one", &EventStream::follow_one, nb::arg("event"),
           "Scores an event and learns it: its bits, whether it is an anomaly, and why if so.")
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
