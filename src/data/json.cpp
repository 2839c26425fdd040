// SPDX-License-Identifier: Apache-2.0
#include "data/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "data/excerpt.h"
#include "data/number_text.h"
#include "data/read_text.h"
#include "data/utf8.h"
#include "pidforest/error.h"

namespace pidforest::data {

namespace {

[[noreturn]] void refuse_at(const JsonDocument& document, std::size_t place, std::string_view complaint) {
  std::string_view before = document.text.substr(0, place);
  if (before.starts_with("\xEF\xBB\xBF")) before.remove_prefix(3);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t column = n_characters(before.substr(before.rfind('\n') + 1)) + 1;
  throw InvalidInput(fmt::format("{}: line {}, column {}: {}.", document.name, line, column, complaint));
}

/// What nlohmann's parser says about a text that is no JSON, in the words of our messages.
struct SyntaxError {
  /// The place of the last byte that it read, from 1; behind the text if that ends too early.
  std::size_t position = 0;
  /// That byte and those before it, from the last text or number on.
  std::string_view last_read;
  std::string_view message;

  [[noreturn]] void refuse(const JsonDocument& document) const {
    constexpr std::string_view unexpected = "unexpected ";
    const std::size_t dash = message.find(" - ");
    const std::string_view reason = dash == std::string_view::npos ? message : message.substr(dash + 3);
    if (reason.starts_with(unexpected)) refuse_token(document, reason.substr(unexpected.size()));
    refuse_at(document, last_byte(),
              fmt::format("{}; got '{}'", reason.substr(0, reason.find("; last read")), excerpt(last_read)));
  }

 private:
  [[nodiscard]] std::size_t last_byte() const { return position == 0 ? 0 : position - 1; }

  /// `reason` is "string literal; expected ':'" or "','".
  [[noreturn]] void refuse_token(const JsonDocument& document, std::string_view reason) const {
    constexpr std::string_view expected = "; expected ";
    const std::size_t at = reason.find(expected);
    const std::string_view wanted = at == std::string_view::npos ? "a value" : reason.substr(at + expected.size());
    const std::string_view token = reason.substr(0, at);
    const bool is_last_read = token == "string literal" || token == "number literal";
    const std::size_t begin = is_last_read ? position - last_read.size() : last_byte();
    refuse_at(document, begin, fmt::format("expected {}; got {}", wanted, is_last_read ? excerpt(last_read) : token));
  }
};

/// Builds the value from what nlohmann's parser reports; its own values keep the last of two equal keys.
class Builder {
 public:
  explicit Builder(const JsonDocument& document) : document_(document) {}

  Json take() { return std::move(root_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add_integer(static_cast<double>(value), fmt::to_string(value)); }
  bool number_unsigned(std::uint64_t value) { return add_integer(static_cast<double>(value), fmt::to_string(value)); }
  bool number_float(double value, const std::string& text) {
    const bool is_integer = text.find_first_not_of("-0123456789") == std::string::npos;
    if (is_integer) return add_integer(value, text);
    const bool is_zero = text.find_first_of("123456789") >= text.find_first_of("eE");
    add(value);
    if (value == 0 && !is_zero) refuse_number(demand_for_range, text);
    return true;
  }
  bool string(std::string& value) { return add(std::move(value)); }
  static bool binary(nlohmann::json::binary_t& /*value*/) { return false; }

  bool start_object(std::size_t /*n_members*/) { return open(Json::Object()); }
  bool start_array(std::size_t /*n_items*/) { return open(Json::Array()); }
  bool key(std::string& key) {
    std::get<Json::Object>(open_.back()->value).push_back({std::move(key), {}});
    return true;
  }
  bool end_object() {
    const Json& object = *open_.back();
    open_.pop_back();
    check_keys(std::get<Json::Object>(object.value));
    return true;
  }
  bool end_array() {
    open_.pop_back();
    return true;
  }

  bool parse_error(std::size_t position, const std::string& last_read, const nlohmann::json::exception& error) {
    constexpr int number_overflow = 406;
    if (error.id == number_overflow)
      refuse_at(document_, position - last_read.size(),
                fmt::format("a number must be at most 1.8e308 in size; got {}", excerpt(last_read)));
    SyntaxError{std::min(position, document_.text.size() + 1), last_read, error.what()}.refuse(document_);
  }

 private:
  bool add(decltype(Json::value) value) {
    place_for_next().value = std::move(value);
    return true;
  }

  /// An integer that would be rounded is another level than the one that was meant.
  bool add_integer(double value, const std::string& digits) {
    add(value + 0.0);
    if (digits != "-0" && fmt::format("{:.0f}", value) != digits) refuse_number(demand_for_integers, digits);
    return true;
  }

  bool open(decltype(Json::value) value) {
    Json& container = place_for_next();
    if (open_.size() == document_.deepest)
      refuse(path(), fmt::format("arrays and objects may be nested {} deep; got more", document_.deepest));
    container.value = std::move(value);
    open_.push_back(&container);
    return true;
  }

  /// The places of open containers stay: only the innermost one grows.
  Json& place_for_next() {
    if (open_.empty()) return root_;
    if (auto* object = std::get_if<Json::Object>(&open_.back()->value)) return object->back().value;
    return std::get<Json::Array>(open_.back()->value).emplace_back();
  }

  void check_keys(const Json::Object& object) const {
    std::unordered_set<std::string_view> seen;
    seen.reserve(object.size());
    for (const JsonMember& member : object)
      if (!seen.insert(member.key).second)
        refuse(path(), fmt::format("a key must occur once; got '{}' twice", excerpt(member.key)));
  }

  /// Where the value that was read last stands: columns[3].levels[0].
  [[nodiscard]] std::string path() const {
    std::string path;
    for (const Json* container : open_)
      if (const auto* object = std::get_if<Json::Object>(&container->value))
        path += fmt::format("{}{}", path.empty() ? "" : ".", excerpt(object->back().key));
      else
        path += fmt::format("[{}]", std::get<Json::Array>(container->value).size() - 1);
    return path;
  }

  [[noreturn]] void refuse_number(std::string_view demand, std::string_view text) const {
    refuse(path(), fmt::format("{}; got {}", demand, excerpt(text)));
  }
  [[noreturn]] void refuse(const std::string& path, std::string_view complaint) const {
    throw InvalidInput(fmt::format("{}: {}{}{}.", document_.name, path, path.empty() ? "" : ": ", complaint));
  }

  JsonDocument document_;
  Json root_;
  std::vector<Json*> open_;
};

}  // namespace

Json parse_json(const JsonDocument& document) {
  // nlohmann's parser would take it for the end.
  const std::size_t nul = document.text.find('\0');
  if (nul != std::string_view::npos) refuse_at(document, nul, "expected text without NUL bytes; got one");
  Builder builder(document);
  nlohmann::json::sax_parse(document.text.begin(), document.text.end(), &builder);
  return builder.take();
}

std::string describe(const Json& json) {
  if (const auto* text = std::get_if<std::string>(&json.value)) return fmt::format("'{}'", excerpt(*text));
  if (const auto* number = std::get_if<double>(&json.value)) return shortest_text(*number);
  if (const auto* boolean = std::get_if<bool>(&json.value)) return *boolean ? "true" : "false";
  if (std::holds_alternative<Json::Array>(json.value)) return "an array";
  return std::holds_alternative<Json::Object>(json.value) ? "an object" : "null";
}

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

}  // namespace pidforest::data
