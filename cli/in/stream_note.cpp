// SPDX-License-Identifier: Apache-2.0
#include "in/stream_note.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Thrown for JSON that is not a note.
struct NotANote {};

void require(bool is_so) {
  if (!is_so) throw NotANote();
}

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

/// The inverse of `as_characters`. The text is UTF-8.
std::string as_bytes(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    require(byte <= 0xC3);  // the first byte of a character up to U+00FF
    bytes += byte < 0x80 ? text[i] : static_cast<char>((byte << 6) | (static_cast<unsigned char>(text[++i]) & 0x3F));
  }
  return bytes;
}

std::string bytes_at(const Json& json, const char* key) { return as_bytes(json.at(key).get<std::string>()); }

std::uint64_t number_at(const Json& json, const char* key) {
  require(json.at(key).is_number_unsigned());
  return json.at(key).get<std::uint64_t>();
}

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
  Json json = Json::object();
  json["header"] = as_characters(columns.header);
  json["buffered"] = Json::array();
  for (const BufferedLine& line : columns.buffered)
    json["buffered"].push_back({{"number", line.number}, {"text", as_characters(line.text)}});
  json["types"] = columns.types ? to_json(*columns.types) : Json(nullptr);
  return json;
}

KnownColumns read_columns(const Json& json) {
  KnownColumns columns{.header = bytes_at(json, "header")};
  require(json.at("buffered").is_array());
  for (const Json& line : json.at("buffered"))
    columns.buffered.push_back({bytes_at(line, "text"), number_at(line, "number")});
  if (!json.at("types").is_null()) columns.types = read_types(json.at("types"));
  require(!columns.types || columns.buffered.empty());
  return columns;
}

Json to_json(const FollowedFile& file) {
  return {{"device", file.device},
          {"inode", file.inode},
          {"modified", file.modified},
          {"n_earlier_lines", file.n_earlier_lines}};
}

FollowedFile read_followed(const Json& json) {
  return {.device = number_at(json, "device"),
          .inode = number_at(json, "inode"),
          .modified = number_at(json, "modified"),
          .n_earlier_lines = number_at(json, "n_earlier_lines")};
}

Json to_json(const LastHeard& heard) {
  return {{"key", as_characters(heard.key)},
          {"time", heard.time},
          {"time_text", as_characters(heard.time_text)},
          {"is_silent", heard.is_silent}};
}

LastHeard read_heard(const Json& json) {
  require(json.at("time").is_number_integer() && json.at("is_silent").is_boolean());
  return {.key = bytes_at(json, "key"),
          .time = json.at("time").get<std::int64_t>(),
          .time_text = bytes_at(json, "time_text"),
          .is_silent = json.at("is_silent").get<bool>()};
}

StreamNote read_note(const Json& json) {
  StreamNote note{.position = {.n_bytes = number_at(json, "n_bytes"),
                               .n_lines = number_at(json, "n_lines"),
                               .rest = bytes_at(json, "rest"),
                               .n_dropped = number_at(json, "n_dropped"),
                               .fingerprint = number_at(json, "fingerprint"),
                               .dropped_fingerprint = number_at(json, "dropped_fingerprint")},
                  .n_written = number_at(json, "n_written"),
                  .tally = {.n_events = number_at(json, "n_events"),
                            .n_anomalies = number_at(json, "n_anomalies"),
                            .n_late = number_at(json, "n_late"),
                            .n_duplicates = number_at(json, "n_duplicates"),
                            .n_bad = number_at(json, "n_bad"),
                            .n_silent = number_at(json, "n_silent")}};
  note.incidents = bytes_at(json, "incidents");
  note.n_taken = number_at(json, "n_taken");
  require(json.at("offsets").is_object());
  for (const auto& [partition, offset] : json.at("offsets").items()) {
    require(offset.is_number_unsigned());
    note.offsets[as_bytes(partition)] = offset.get<std::uint64_t>();
  }
  require(json.at("heard").is_array());
  for (const Json& heard : json.at("heard")) note.heard.push_back(read_heard(heard));
  if (!json.at("followed").is_null()) note.position.followed = read_followed(json.at("followed"));
  require(!note.position.followed || note.position.followed->n_earlier_lines <= note.position.n_lines);
  require(json.at("setting").is_object());
  for (const auto& [flag, value] : json.at("setting").items()) note.setting[flag] = as_bytes(value.get<std::string>());
  if (!json.at("columns").is_null()) note.columns = read_columns(json.at("columns"));
  require(note.columns || note.position.n_lines == 0);
  return note;
}

}  // namespace

std::string to_text(const StreamNote& note) {
  Json json = Json::object();
  json["setting"] = Json::object();
  for (const auto& [flag, value] : note.setting) json["setting"][flag] = as_characters(value);
  json["n_bytes"] = note.position.n_bytes;
  json["n_lines"] = note.position.n_lines;
  json["rest"] = as_characters(note.position.rest);
  json["n_dropped"] = note.position.n_dropped;
  json["fingerprint"] = note.position.fingerprint;
  json["dropped_fingerprint"] = note.position.dropped_fingerprint;
  json["followed"] = note.position.followed ? to_json(*note.position.followed) : Json(nullptr);
  json["n_written"] = note.n_written;
  json["n_events"] = note.tally.n_events;
  json["n_anomalies"] = note.tally.n_anomalies;
  json["n_late"] = note.tally.n_late;
  json["n_duplicates"] = note.tally.n_duplicates;
  json["n_bad"] = note.tally.n_bad;
  json["n_silent"] = note.tally.n_silent;
  json["incidents"] = as_characters(note.incidents);
  json["n_taken"] = note.n_taken;
  json["offsets"] = Json::object();
  for (const auto& [partition, offset] : note.offsets) json["offsets"][as_characters(partition)] = offset;
  json["heard"] = Json::array();
  for (const LastHeard& heard : note.heard) json["heard"].push_back(to_json(heard));
  json["columns"] = note.columns ? to_json(*note.columns) : Json(nullptr);
  return json.dump();
}

StreamNote read_note(const std::string& text, const std::string& path) {
  const std::string complaint =
      fmt::format("state file '{}': it was not written by this version of `pidforest stream`.", path);
  try {
    return read_note(Json::parse(text));
  } catch (const Json::exception&) {
    throw BadFile(complaint);
  } catch (const NotANote&) {
    throw BadFile(complaint);
  }
}

}  // namespace pidforest::cli
