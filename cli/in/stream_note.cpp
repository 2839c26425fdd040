// SPDX-License-Identifier: Apache-2.0
#include "in/stream_note.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Any bytes as UTF-8, which JSON requires: each byte becomes the character of its number.
std::string as_characters(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) text += static_cast<char>(0xC0 | (byte >> 6));
    text += byte >= 0x80 ? static_cast<char>(0x80 | (byte & 0x3F)) : c;
  }
  return text;
}

/// The inverse of `as_characters` for a text that it has made.
std::string as_bytes(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_lead = byte >= 0x80 && i + 1 < text.size();
    bytes += is_lead ? static_cast<char>((byte << 6) | (static_cast<unsigned char>(text[++i]) & 0x3F)) : text[i];
  }
  return bytes;
}

std::string bytes_at(const Json& json, const char* key) { return as_bytes(json.at(key).get<std::string>()); }

Json to_json(const KnownColumns::Types& types) {
  return {
      {"reading", types.reading}, {"undecided", types.undecided}, {"features", types.features}, {"times", types.times}};
}

KnownColumns::Types read_types(const Json& json) {
  return {.reading = json.at("reading").get<std::string>(),
          .undecided = json.at("undecided").get<std::vector<std::string>>(),
          .features = json.at("features").get<std::string>(),
          .times = json.at("times").get<std::string>()};
}

Json to_json(const KnownColumns& columns) {
  Json json;
  json["header"] = as_characters(columns.header);
  json["buffered"] = Json::array();
  for (const BufferedLine& line : columns.buffered)
    json["buffered"].push_back({{"number", line.number}, {"text", as_characters(line.text)}});
  json["types"] = columns.types ? to_json(*columns.types) : Json(nullptr);
  return json;
}

KnownColumns read_columns(const Json& json) {
  KnownColumns columns{.header = bytes_at(json, "header")};
  for (const Json& line : json.at("buffered"))
    columns.buffered.push_back({bytes_at(line, "text"), line.at("number").get<std::uint64_t>()});
  if (!json.at("types").is_null()) columns.types = read_types(json.at("types"));
  return columns;
}

}  // namespace

std::string to_text(const StreamNote& note) {
  Json json;
  json["setting"] = Json::object();
  for (const auto& [flag, value] : note.setting) json["setting"][flag] = as_characters(value);
  json["n_bytes"] = note.position.n_bytes;
  json["n_lines"] = note.position.n_lines;
  json["rest"] = as_characters(note.position.rest);
  json["n_dropped"] = note.position.n_dropped;
  json["fingerprint"] = note.position.fingerprint;
  json["dropped_fingerprint"] = note.position.dropped_fingerprint;
  json["n_written"] = note.n_written;
  json["n_events"] = note.tally.n_events;
  json["n_anomalies"] = note.tally.n_anomalies;
  json["n_late"] = note.tally.n_late;
  json["n_duplicates"] = note.tally.n_duplicates;
  json["n_bad"] = note.tally.n_bad;
  json["columns"] = note.columns ? to_json(*note.columns) : Json(nullptr);
  return json.dump();
}

StreamNote read_note(const std::string& text, const std::string& path) {
  try {
    const Json json = Json::parse(text);
    const auto number = [&](const char* key) { return json.at(key).get<std::uint64_t>(); };
    StreamNote note{.position = {.n_bytes = number("n_bytes"),
                                 .n_lines = number("n_lines"),
                                 .rest = bytes_at(json, "rest"),
                                 .n_dropped = number("n_dropped"),
                                 .fingerprint = number("fingerprint"),
                                 .dropped_fingerprint = number("dropped_fingerprint")},
                    .n_written = number("n_written"),
                    .tally = {.n_events = number("n_events"),
                              .n_anomalies = number("n_anomalies"),
                              .n_late = number("n_late"),
                              .n_duplicates = number("n_duplicates"),
                              .n_bad = number("n_bad")}};
    for (const auto& [flag, value] : json.at("setting").items())
      note.setting[flag] = as_bytes(value.get<std::string>());
    if (!json.at("columns").is_null()) note.columns = read_columns(json.at("columns"));
    return note;
  } catch (const nlohmann::json::exception&) {
    throw BadFile(fmt::format("state file '{}': it was not written by this version of `pidforest stream`.", path));
  }
}

}  // namespace pidforest::cli
