// SPDX-License-Identifier: Apache-2.0
// What a stream is made of: the events of its warm-up, and then the model that was grown on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "pidforest/series.h"
#include "pidforest/table.h"
#include "stream/sliding_model.h"

namespace pidforest::stream {

/// The times of the last events.
struct EventClock {
  bool has_last = false;
  std::int64_t last_time = 0;
  std::uint64_t last_fingerprint = 0;
  /// Late events in a row, and the time of the last of them.
  std::uint64_t n_late = 0;
  std::int64_t late_time = 0;
};

}  // namespace pidforest::stream

namespace pidforest {

struct [[gnu::visibility("hidden")]] Stream::State {
  StreamOptions options;
  /// The schema that was given, if any.
  std::optional<Schema> schema = {};
  std::uint64_t n_learned = 0;
  /// The events of the segment so far. Events before the first full window end no row.
  std::uint64_t n_in_segment = 0;
  stream::EventClock clock = {};

  /// Whether events come with times; unknown before the first.
  std::optional<bool> has_times = {};
  /// An event of the warm-up may end a row, and begin a segment.
  static constexpr std::uint8_t ends_row = 1;
  static constexpr std::uint8_t begins_segment = 2;
  /// The events of the warm-up, and for each the sum of what it does.
  TableStore held = {};
  std::vector<std::uint8_t> held_marks = {};
  /// Empty if events come without times.
  std::vector<std::int64_t> held_times = {};
  /// Made when the warm-up ends.
  std::unique_ptr<stream::SlidingModel> model = {};

  [[nodiscard]] std::size_t n_held_rows() const;
  /// Whether the next event ends a whole window.
  [[nodiscard]] bool next_ends_row() const { return n_in_segment + 1 >= options.window; }
};

}  // namespace pidforest

namespace pidforest::stream {

/// Reaches the private parts of a stream.
struct StreamAccess {
  using State = Stream::State;

  static const State& state(const Stream& stream) { return *stream.state_; }
};

using StreamState = StreamAccess::State;
inline const StreamState& state_of(const Stream& stream) { return StreamAccess::state(stream); }

}  // namespace pidforest::stream
