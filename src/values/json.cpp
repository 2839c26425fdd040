// SPDX-License-Identifier: Apache-2.0
#include "values/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/first_repeat.h"
#include "values/number_text.h"
#include "values/read_text.h"
#include "values/utf8.h"

namespace pidforest::values {

namespace {

[[noreturn]] void refuse_at(const JsonText& document, std::size_t place, std::string_view complaint) {
  std::string_view before = document.text.substr(0, place);
  if (before.starts_with("\xEF\xBB\xBF")) before.remove_prefix(3);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t column = n_characters(before.substr(before.rfind('\n') + 1)) + 1;
  throw InvalidInput(fmt::format("{}: line {}, column {}: {}.", document.name, line, column, complaint));
}

/// Translates a syntax error of nlohmann's parser into the wording of our messages.
struct SyntaxError {
  /// Position of the last byte read, counted from 1; past the end if the text ends too early.
  std::size_t position = 0;
  /// The bytes read since the start of the last text or number, up to that byte.
  std::string_view last_read;
  std::string_view message;

  [[noreturn]] void refuse(const JsonText& document) const {
    constexpr std::string_view unexpected = "unexpected ";
    const std::size_t dash = message.find(" - ");
    const std::string_view reason = dash == std::string_view::npos ? message : message.substr(dash + 3);
    if (reason.starts_with(unexpected)) refuse_token(document, reason.substr(unexpected.size()));
    refuse_at(document, last_byte(),
              fmt::format("{}; got '{}'", reason.substr(0, reason.find("; last read")), excerpt(last_read)));
  }

 private:
  [[nodiscard]] std::size_t last_byte() const { return position == 0 ? 0 : position - 1; }

  /// `reason` looks like "string literal; expected ':'" or "','".
  [[noreturn]] void refuse_token(const JsonText& document, std::string_view reason) const {
    constexpr std::string_view expected = "; expected ";
    const std::size_t at = reason.find(expected);
    const std::string_view wanted = at == std::string_view::npos ? "a value" : reason.substr(at + expected.size());
    const std::string_view token = reason.substr(0, at);
    const bool is_last_read = token == "string literal" || token == "number literal";
    const std::size_t begin = is_last_read ? position - last_read.size() : last_byte();
    refuse_at(document, begin, fmt::format("expected {}; got {}", wanted, is_last_read ? excerpt(last_read) : token));
  }
};

/// Builds the document from the events of nlohmann's parser. The parser's own values would silently keep the last of
/// two equal keys.
class Builder {
 public:
  explicit Builder(const JsonText& text) : text_(text) {}

  JsonDocument take() { return std::move(document_); }

  bool null() { return add(JsonKind::null); }
  bool boolean(bool value) { return add(value ? JsonKind::yes : JsonKind::no); }
  bool number_integer(std::int64_t value) { return add_integer(static_cast<double>(value), fmt::to_string(value)); }
  bool number_unsigned(std::uint64_t value) { return add_integer(static_cast<double>(value), fmt::to_string(value)); }
  bool number_float(double value, const std::string& text) {
    const bool is_integer = text.find_first_not_of("-0123456789") == std::string::npos;
    if (is_integer) return add_integer(value, text);
    const bool is_zero = text.find_first_of("123456789") >= text.find_first_of("eE");
    add(JsonKind::number, text);
    if (value == 0 && !is_zero) refuse_number(demand_for_range, text);
    return true;
  }
  bool string(const std::string& value) { return add(JsonKind::text, value); }
  static bool binary(nlohmann::json::binary_t& /*value*/) { return false; }

  bool start_object(std::size_t /*n_members*/) { return open(JsonKind::object); }
  bool start_array(std::size_t /*n_items*/) { return open(JsonKind::array); }
  bool key(const std::string& key) {
    open_.back().last_key = document_.nodes.size();
    return push(JsonKind::text, key);
  }
  bool end_object() {
    const std::size_t object = close();
    check_keys(object);
    return true;
  }
  bool end_array() {
    close();
    return true;
  }

  bool parse_error(std::size_t position, const std::string& last_read, const nlohmann::json::exception& error) {
    constexpr int number_overflow = 406;
    if (error.id == number_overflow)
      refuse_at(text_, position - last_read.size(),
                fmt::format("a number must be at most 1.8e308 in magnitude; got {}", excerpt(last_read)));
    SyntaxError{std::min(position, text_.text.size() + 1), last_read, error.what()}.refuse(text_);
  }

 private:
  /// An array or object that is not closed yet.
  struct Open {
    std::size_t node = 0;
    std::size_t n_children = 0;
    std::size_t last_key = 0;
  };

  /// All texts together fit into as many bytes as the document has.
  bool push(JsonKind kind, std::string_view text = {}) {
    if (document_.texts.empty()) document_.texts.reserve(text_.text.size());
    document_.nodes.push_back(
        {.size = static_cast<std::uint32_t>(text.size()), .text = static_cast<std::uint32_t>(document_.texts.size())});
    document_.texts += static_cast<char>(kind);
    document_.texts += text;
    return true;
  }

  bool add(JsonKind kind, std::string_view text = {}) {
    if (!open_.empty()) ++open_.back().n_children;
    return push(kind, text);
  }

  /// Rejects an integer that a double would round: used as a level, it would name a different one.
  bool add_integer(double value, const std::string& digits) {
    add(JsonKind::number, digits == "-0" ? "0" : digits);
    if (digits != "-0" && fmt::format("{:.0f}", value) != digits) refuse_number(demand_for_integers, digits);
    return true;
  }

  bool open(JsonKind kind) {
    add(kind);
    if (open_.size() == text_.deepest)
      refuse(path(), fmt::format("arrays and objects may be nested at most {} deep; got more", text_.deepest));
    open_.push_back({.node = document_.nodes.size() - 1});
    return true;
  }

  std::size_t close() {
    const std::size_t node = open_.back().node;
    open_.pop_back();
    document_.nodes[node].size = static_cast<std::uint32_t>(document_.nodes.size() - 1 - node);
    return node;
  }

  void check_keys(std::size_t object) const {
    std::vector<std::uint32_t> keys;
    for (std::size_t key = object + 1; key < document_.nodes.size(); key = document_.behind(key + 1))
      keys.push_back(static_cast<std::uint32_t>(key));
    const auto repeat = first_repeat(keys.size(), [&](std::size_t i) { return document_.written(keys[i]); });
    if (repeat)
      refuse(path(), fmt::format("a key must occur once; got '{}' twice", excerpt(document_.written(keys[*repeat]))));
  }

  /// Path of the value that was read last: columns[3].levels[0].
  [[nodiscard]] std::string path() const {
    std::string path;
    for (const Open& container : open_)
      if (document_.kind(container.node) == JsonKind::object)
        path += fmt::format("{}{}", path.empty() ? "" : ".", excerpt(document_.written(container.last_key)));
      else
        path += fmt::format("[{}]", container.n_children - 1);
    return path;
  }

  [[noreturn]] void refuse_number(std::string_view demand, std::string_view text) const {
    refuse(path(), fmt::format("{}; got {}", demand, excerpt(text)));
  }
  [[noreturn]] void refuse(const std::string& path, std::string_view complaint) const {
    throw InvalidInput(fmt::format("{}: {}{}{}.", text_.name, path, path.empty() ? "" : ": ", complaint));
  }

  JsonText text_;
  JsonDocument document_;
  std::vector<Open> open_;
};

}  // namespace

std::optional<std::string_view> Json::text() const {
  return kind() == JsonKind::text ? std::optional(written()) : std::nullopt;
}

std::optional<bool> Json::boolean() const {
  if (kind() != JsonKind::yes && kind() != JsonKind::no) return std::nullopt;
  return kind() == JsonKind::yes;
}

JsonChildren Json::children() const { return {*document_, node_}; }

std::optional<double> Json::number() const {
  if (kind() != JsonKind::number) return std::nullopt;
  const std::string_view digits = written();
  double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::size_t JsonChildren::size() const {
  std::size_t n = 0;
  for (auto child = begin(); !(child == end()); ++child) ++n;
  return n;
}

std::optional<Json> JsonChildren::find(std::string_view key) const {
  for (const JsonChild& child : *this)
    if (child.key == key) return child.value;
  return std::nullopt;
}

JsonDocument parse_json(const JsonText& text) {
  constexpr std::size_t largest = std::numeric_limits<std::uint32_t>::max();
  if (text.text.size() > largest)
    throw InvalidInput(fmt::format("{}: must have at most {} bytes; got {}.", text.name, largest, text.text.size()));
  // nlohmann's parser would take a NUL byte for the end of the text.
  const std::size_t nul = text.text.find('\0');
  if (nul != std::string_view::npos) refuse_at(text, nul, "expected text without NUL bytes; got one");
  Builder builder(text);
  nlohmann::json::sax_parse(text.text.begin(), text.text.end(), &builder);
  return builder.take();
}

std::string describe(const Json& json) {
  switch (json.kind()) {
    case JsonKind::null:
      return "null";
    case JsonKind::yes:
      return "true";
    case JsonKind::no:
      return "false";
    case JsonKind::number:
      return shortest_text(*json.number());
    case JsonKind::text:
      return fmt::format("'{}'", excerpt(json.written()));
    case JsonKind::array:
      return "an array";
    default:
      return "an object";
  }
}

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

}  // namespace pidforest::values
