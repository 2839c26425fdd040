// SPDX-License-Identifier: Apache-2.0
// Strict JSON: UTF-8 without a key twice, a number that a double cannot hold, or more nesting than was asked for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pidforest::data {

struct JsonMember;

struct Json {
  using Array = std::vector<Json>;
  /// In the order of the document.
  using Object = std::vector<JsonMember>;

  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value;
};

struct JsonMember {
  std::string key;
  Json value;
};

/// What a reader is told about a document.
struct JsonDocument {
  /// What messages begin with.
  std::string_view name;
  std::string_view text;
  /// How many arrays and objects may lie in one another.
  std::size_t deepest = 0;
};

/// A byte order mark at the start is skipped. Throws InvalidInput for what is no JSON, with line and column from 1 (in
/// characters), and for what is not strict, with the path of the value.
Json parse_json(const JsonDocument& document);

/// The value as a message quotes it: 12, 'abc', true, null, an array, an object.
std::string describe(const Json& json);

/// A text in quotes, escaped as JSON wants it and no further. The text must be UTF-8.
std::string quoted(const std::string& text);

}  // namespace pidforest::data
