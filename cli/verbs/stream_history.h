// SPDX-License-Identifier: Apache-2.0
// The past of a stream that another stream has learned: its state, from which a new one begins.
#pragma once

#include <cstdint>
#include <optional>

#include "in/live_reader.h"
#include "pidforest/series.h"
#include "verbs/stream_request.h"

namespace pidforest::cli {

struct LearnedPast {
  KeyedStreams streams;
  KnownColumns::Types types;
  std::uint64_t n_events = 0;
};

/// Reads the file of --history if pidforest wrote it. Nullopt for other files. Throws FileError; BadFile for a model,
/// and for a state that is damaged or still finds the types of its columns; InvalidOption for a state of other flags.
std::optional<LearnedPast> learned_past(const StreamRequest& request);

}  // namespace pidforest::cli
