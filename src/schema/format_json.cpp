// SPDX-License-Identifier: Apache-2.0
#include "schema/format_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/utf8.h"

namespace pidforest::schema {

namespace {

using values::Json;
using values::JsonChild;
using values::JsonKind;

[[noreturn]] void refuse(std::string_view key, std::string_view demand, const std::string& got) {
  throw InvalidInput(fmt::format("schema: format{}{}: {}; got {}.", key.empty() ? "" : ".", key, demand, got));
}

char read_character(const Json& json, std::string_view key, std::string_view demand) {
  const auto text = json.text();
  if (!text || text->size() != 1) refuse(key, demand, describe(json));
  return text->front();
}

std::vector<std::string> read_words(const Json& json) {
  constexpr std::string_view demand = "must be a non-empty array of texts";
  if (json.kind() != JsonKind::array || json.children().empty()) refuse("missing", demand, describe(json));
  std::vector<std::string> words;
  for (const JsonChild& item : json.children()) {
    if (!item.value.text()) refuse("missing", demand, describe(item.value));
    words.emplace_back(*item.value.text());
  }
  return words;
}

bool read_header(const Json& json) {
  const auto has_header = json.boolean();
  if (!has_header) refuse("header", "must be true or false", describe(json));
  return *has_header;
}

}  // namespace

WrittenFormat read_format(const Json& json) {
  if (json.kind() != JsonKind::object) refuse("", "must be an object", describe(json));
  WrittenFormat format;
  for (const auto& [key, value] : json.children()) {
    if (key == "delimiter")
      format.delimiter = read_character(value, key, "must be one character");
    else if (key == "decimal")
      format.decimal = read_character(value, key, "must be a point or a comma");
    else if (key == "missing")
      format.missing = read_words(value);
    else if (key == "header")
      format.has_header = read_header(value);
    else
      refuse("", "its keys may be delimiter, decimal, missing, header", fmt::format("'{}'", values::excerpt(key)));
  }
  return format;
}

std::string print_format(const WrittenFormat& format) {
  std::vector<std::string> members;
  if (format.delimiter)
    members.push_back(fmt::format("\"delimiter\": {}", values::quoted(std::string(1, *format.delimiter))));
  if (format.decimal != '.')
    members.push_back(fmt::format("\"decimal\": {}", values::quoted(std::string(1, format.decimal))));
  if (!format.missing.empty()) {
    std::vector<std::string> words;
    for (const std::string& word : format.missing) words.push_back(values::quoted(word));
    members.push_back(fmt::format("\"missing\": [{}]", fmt::join(words, ", ")));
  }
  if (!format.has_header) members.emplace_back("\"header\": false");
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

void validate(const WrittenFormat& format) {
  const auto shown = [](char c) { return fmt::format("'{}'", values::excerpt(std::string_view(&c, 1))); };
  constexpr char last_ascii = 0x7F;
  if (format.delimiter && (*format.delimiter <= 0 || *format.delimiter >= last_ascii))
    refuse("delimiter", "must be an ASCII character", shown(*format.delimiter));
  if (format.decimal != '.' && format.decimal != ',')
    refuse("decimal", "must be a point or a comma", shown(format.decimal));
  for (const std::string& word : format.missing)
    if (word.empty() || !values::is_utf8(word))
      refuse("missing", "must be non-empty texts in UTF-8", fmt::format("'{}'", values::excerpt(word)));
}

}  // namespace pidforest::schema
