// SPDX-License-Identifier: Apache-2.0
#include "in/stream_note.h"

#include <fmt/format.h>

#include "pidforest/error.h"

namespace pidforest::cli {

std::string to_text(const StreamNote& note) {
  nlohmann::ordered_json text;
  text["setting"] = note.setting;
  text["n_bytes"] = note.n_bytes;
  text["n_lines"] = note.n_lines;
  text["n_written"] = note.n_written;
  text["n_events"] = note.tally.n_events;
  text["n_anomalies"] = note.tally.n_anomalies;
  text["n_late"] = note.tally.n_late;
  text["n_duplicates"] = note.tally.n_duplicates;
  text["n_bad"] = note.tally.n_bad;
  text["columns"] = note.columns;
  return text.dump();
}

StreamNote read_note(const std::string& text, const std::string& path) {
  try {
    const auto note = nlohmann::ordered_json::parse(text);
    const auto number = [&](const char* key) { return note.at(key).get<std::uint64_t>(); };
    return {.setting = note.at("setting").get<std::string>(),
            .n_bytes = number("n_bytes"),
            .n_lines = number("n_lines"),
            .n_written = number("n_written"),
            .tally = {.n_events = number("n_events"),
                      .n_anomalies = number("n_anomalies"),
                      .n_late = number("n_late"),
                      .n_duplicates = number("n_duplicates"),
                      .n_bad = number("n_bad")},
            .columns = note.at("columns")};
  } catch (const nlohmann::json::exception&) {
    throw BadFile(fmt::format("state file '{}': it was not written by `pidforest stream`.", path));
  }
}

}  // namespace pidforest::cli
