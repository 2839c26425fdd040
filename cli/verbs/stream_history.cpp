// SPDX-License-Identifier: Apache-2.0
#include "verbs/stream_history.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "in/stream_note.h"
#include "pidforest/error.h"
#include "pidforest/model.h"
#include "system/read_file.h"
#include "verbs/stream_setting.h"

namespace pidforest::cli {

namespace {

/// The first bytes of models and states: see docs/file_format.md.
constexpr std::string_view first_bytes = "\x89PIDF";

bool is_ours(const std::string& path) {
  if (path == "-" || !system::file_size(path)) return false;  // the bytes of a pipe can be read only once
  const std::string begin = system::read_file(path, first_bytes.size(), [](std::string_view) { return 0; });
  return begin.starts_with(first_bytes);
}

bool is_model(const std::string& path) {
  try {
    (void)Model::load(path);
    return true;
  } catch (const BadFile&) {
    return false;
  }
}

}  // namespace

std::optional<LearnedPast> learned_past(const StreamRequest& request) {
  const std::string& path = request.past.file;
  if (path.empty() || !is_ours(path)) return {};
  if (is_model(path))
    throw BadFile(fmt::format(
        "the history '{}' is a model. A model keeps no rows, and a stream forgets its rows one by one. Name "
        "the table that it was fitted on, or the state of a stream.",
        path));
  auto [streams, text] = KeyedStreams::load(path, request.most_keys);
  StreamNote note = read_note(text, path);
  check_setting(note.setting, request, path);
  if (!note.columns || !note.columns->types)
    throw BadFile(fmt::format("state file '{}': its stream has seen too few events to know its columns.", path));
  streams.end_warm_ups();
  return LearnedPast{std::move(streams), std::move(*note.columns->types), note.tally.n_events};
}

}  // namespace pidforest::cli
