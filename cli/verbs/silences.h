// SPDX-License-Identifier: Apache-2.0
// Which keys of a stream have fallen silent: `pidforest stream --silent-after`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "in/stream_note.h"

namespace pidforest::cli {

class Silences {
 public:
  /// A key is silent once its last event is more than `after` microseconds ago. Beyond `most_keys` keys, the one
  /// with the oldest last event is forgotten.
  Silences(std::int64_t after, std::size_t most_keys) : after_(after), most_keys_(most_keys) {}

  /// Takes an event. A key that speaks again may fall silent again. An event that is accepted although it is earlier
  /// than the last one of its key means that the clock was set back: no other key is silent by the new clock.
  void hear(const LastHeard& event);
  /// Returns the keys that have fallen silent by `now`, longest silence first, each once.
  std::vector<LastHeard> silent_by(std::int64_t now);
  /// The time of the latest event.
  [[nodiscard]] std::int64_t latest() const { return latest_; }

  [[nodiscard]] std::vector<LastHeard> known() const;
  void restore(const std::vector<LastHeard>& known);

 private:
  void set(const LastHeard& heard);
  void set_back(std::int64_t time);

  std::int64_t after_;
  std::size_t most_keys_;
  std::int64_t latest_ = 0;
  std::map<std::string, LastHeard> keys_;
  /// The keys that are not silent, and all keys, by the times of their last events.
  std::set<std::pair<std::int64_t, std::string>> speaking_;
  std::set<std::pair<std::int64_t, std::string>> all_;
};

}  // namespace pidforest::cli
