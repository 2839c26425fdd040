// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "pidforest/error.h"
#include "pidforest/series.h"
#include "series/stream_state.h"

namespace pidforest {

KeyedStreams::KeyedStreams(const StreamOptions& options, std::optional<Schema> schema, std::size_t most_keys)
    : options_(options), schema_(std::move(schema)), most_keys_(most_keys) {
  validate(options_);
  if (schema_) validate(*schema_);
  if (most_keys_ < 1) throw InvalidOption(fmt::format("there must be room for at least 1 key; got {}.", most_keys_));
}

Stream& KeyedStreams::of(std::string_view key) {
  auto found = streams_.find(key);
  if (found == streams_.end()) {
    if (streams_.size() == most_keys_) forget_oldest();
    found = streams_.emplace(std::string(key), Entry{Stream(options_, schema_), n_uses_}).first;
  } else {
    by_use_.erase(found->second.last_used);
  }
  found->second.last_used = n_uses_++;
  by_use_.emplace(found->second.last_used, found->first);
  return found->second.stream;
}

void KeyedStreams::forget_oldest() {
  const auto oldest = by_use_.begin();
  streams_.erase(streams_.find(oldest->second));
  by_use_.erase(oldest);
  ++n_forgotten_;
}

}  // namespace pidforest
