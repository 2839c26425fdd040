// SPDX-License-Identifier: Apache-2.0
#include "verbs/silences.h"

#include <algorithm>
#include <limits>

namespace pidforest::cli {

void Silences::hear(const LastHeard& event) {
  const auto known = keys_.find(event.key);
  if (known != keys_.end() && event.time < known->second.time) set_back(event.time);
  latest_ = keys_.empty() ? event.time : std::max(latest_, event.time);
  set(event);
  while (keys_.size() > most_keys_) {
    const auto oldest = *all_.begin();
    all_.erase(oldest);
    speaking_.erase(oldest);
    keys_.erase(oldest.second);
  }
}

void Silences::set(const LastHeard& heard) {
  const auto [known, is_new] = keys_.try_emplace(heard.key, heard);
  const std::pair<std::int64_t, std::string> before{known->second.time, heard.key};
  all_.erase(before);
  speaking_.erase(before);
  known->second = heard;
  all_.emplace(heard.time, heard.key);
  if (!heard.is_silent) speaking_.emplace(heard.time, heard.key);
}

/// Later times become this one.
void Silences::set_back(std::int64_t time) {
  latest_ = time;
  for (LastHeard heard : known()) {
    heard.time = std::min(heard.time, time);
    set(heard);
  }
}

std::vector<LastHeard> Silences::silent_by(std::int64_t now) {
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  const std::int64_t limit = now < lowest + after_ ? lowest : now - after_;
  std::vector<LastHeard> silent;
  while (!speaking_.empty() && speaking_.begin()->first < limit) {
    LastHeard& heard = keys_.at(speaking_.begin()->second);
    heard.is_silent = true;
    silent.push_back(heard);
    speaking_.erase(speaking_.begin());
  }
  return silent;
}

std::vector<LastHeard> Silences::known() const {
  std::vector<LastHeard> known;
  known.reserve(keys_.size());
  for (const auto& [key, heard] : keys_) known.push_back(heard);
  return known;
}

void Silences::restore(const std::vector<LastHeard>& known) {
  for (const LastHeard& heard : known) {
    latest_ = keys_.empty() ? heard.time : std::max(latest_, heard.time);
    set(heard);
  }
}

}  // namespace pidforest::cli
