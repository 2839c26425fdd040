// SPDX-License-Identifier: Apache-2.0
#include "stream/keyed_streams.h"

#include <fmt/format.h>

#include <utility>

#include "pidforest/error.h"
#include "stream/stream_state.h"

namespace pidforest {

KeyedStreams::KeyedStreams(const StreamOptions& options, std::optional<Schema> schema, std::size_t most_keys)
    : state_(std::make_unique<State>(State{options, std::move(schema), most_keys})) {
  validate(state_->options);
  if (state_->schema) validate(*state_->schema);
  if (most_keys < 1)
    throw InvalidOption(fmt::format("the maximum number of keys must be at least 1; got {}.", most_keys));
}

KeyedStreams::~KeyedStreams() = default;
KeyedStreams::KeyedStreams(KeyedStreams&&) noexcept = default;
KeyedStreams& KeyedStreams::operator=(KeyedStreams&&) noexcept = default;

Stream& KeyedStreams::of(std::string_view key) {
  auto found = state_->streams.find(key);
  if (found == state_->streams.end()) {
    if (state_->streams.size() == state_->most_keys) state_->forget_oldest();
    State::Entry entry{Stream(state_->options, state_->schema), state_->n_uses};
    found = state_->streams.emplace(std::string(key), std::move(entry)).first;
  } else {
    state_->by_use.erase(found->second.last_used);
  }
  found->second.last_used = state_->n_uses++;
  state_->by_use.emplace(found->second.last_used, found->first);
  return found->second.stream;
}

void KeyedStreams::end_warm_ups() {
  for (auto& [key, entry] : state_->streams) entry.stream.end_warm_up();
}

std::size_t KeyedStreams::n_keys() const { return state_->streams.size(); }
std::uint64_t KeyedStreams::n_forgotten() const { return state_->n_forgotten; }
const StreamOptions& KeyedStreams::options() const { return state_->options; }
const std::optional<Schema>& KeyedStreams::schema() const { return state_->schema; }

void KeyedStreams::State::forget_oldest() {
  const auto oldest = by_use.begin();
  streams.erase(streams.find(oldest->second));
  by_use.erase(oldest);
  ++n_forgotten;
}

}  // namespace pidforest
