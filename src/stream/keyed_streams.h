// SPDX-License-Identifier: Apache-2.0
// The state of streams with keys: the streams, and the order in which they were last used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "pidforest/series.h"

namespace pidforest {

struct [[gnu::visibility("hidden")]] KeyedStreams::State {
  struct Entry {
    Stream stream;
    std::uint64_t last_used;
  };

  StreamOptions options;
  std::optional<Schema> schema;
  std::size_t most_keys;
  std::uint64_t n_uses = 0;
  std::uint64_t n_forgotten = 0;
  std::map<std::string, Entry, std::less<>> streams = {};
  /// The keys by the time of their last use.
  std::map<std::uint64_t, std::string> by_use = {};

  void forget_oldest();
};

}  // namespace pidforest
