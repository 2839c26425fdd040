// SPDX-License-Identifier: Apache-2.0
#include "arrow/arrow_type.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "pidforest/error.h"
#include "values/excerpt.h"

namespace pidforest::arrow {

namespace {

using Layout = ArrowType::Layout;

/// Formats without parameters.
std::optional<ArrowType> plain_type(std::string_view format) {
  static const std::array<std::pair<std::string_view, ArrowType>, 22> types{{
      {"n", {.layout = Layout::null}},
      {"b", {.layout = Layout::bits}},
      {"c", {.layout = Layout::numbers, .element = ElementType::int8}},
      {"C", {.layout = Layout::numbers, .element = ElementType::uint8}},
      {"s", {.layout = Layout::numbers, .element = ElementType::int16}},
      {"S", {.layout = Layout::numbers, .element = ElementType::uint16}},
      {"i", {.layout = Layout::numbers, .element = ElementType::int32}},
      {"I", {.layout = Layout::numbers, .element = ElementType::uint32}},
      {"l", {.layout = Layout::numbers, .element = ElementType::int64}},
      {"L", {.layout = Layout::numbers, .element = ElementType::uint64}},
      {"e", {.layout = Layout::numbers, .element = ElementType::float16}},
      {"f", {.layout = Layout::numbers, .element = ElementType::float32}},
      {"g", {.layout = Layout::numbers, .element = ElementType::float64}},
      {"u", {.layout = Layout::texts}},
      {"U", {.layout = Layout::long_texts}},
      {"vu", {.layout = Layout::text_views}},
      {"tdD", {.layout = Layout::times, .element = ElementType::int32, .unit = TimeUnit::days}},
      {"tdm", {.layout = Layout::times, .element = ElementType::int64, .unit = TimeUnit::milliseconds}},
      {"tts", {.layout = Layout::clock, .element = ElementType::int32, .unit = TimeUnit::seconds}},
      {"ttm", {.layout = Layout::clock, .element = ElementType::int32, .unit = TimeUnit::milliseconds}},
      {"ttu", {.layout = Layout::clock, .element = ElementType::int64, .unit = TimeUnit::microseconds}},
      {"ttn", {.layout = Layout::clock, .element = ElementType::int64, .unit = TimeUnit::nanoseconds}},
  }};
  for (const auto& [name, type] : types)
    if (name == format) return type;
  return std::nullopt;
}

std::optional<TimeUnit> unit_of(char letter) {
  switch (letter) {
    case 's':
      return TimeUnit::seconds;
    case 'm':
      return TimeUnit::milliseconds;
    case 'u':
      return TimeUnit::microseconds;
    case 'n':
      return TimeUnit::nanoseconds;
    default:
      return std::nullopt;
  }
}

/// Parses formats such as "tsu:Europe/Berlin" and "tDn".
std::optional<ArrowType> type_with_unit(std::string_view format) {
  const bool is_time = format.starts_with("ts") && format.size() >= 4 && format[3] == ':';
  const bool is_duration = format.starts_with("tD") && format.size() == 3;
  if (!is_time && !is_duration) return std::nullopt;
  const std::optional<TimeUnit> unit = unit_of(format[2]);
  if (!unit) return std::nullopt;
  return ArrowType{.layout = is_time ? Layout::times : Layout::durations,
                   .element = ElementType::int64,
                   .unit = *unit,
                   .zone = std::string(is_time ? format.substr(4) : "")};
}

/// Removes a whole number, and a comma after it, from the front of the text.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(',')) text.remove_prefix(1);
  return number;
}

/// Parses "d:19,10" or "d:9,2,32": precision, scale, and the number of bits if it is not 128.
std::optional<ArrowType> decimal_type(std::string_view format) {
  if (!format.starts_with("d:")) return std::nullopt;
  format.remove_prefix(2);
  const std::optional<int> precision = take_number(format);
  const std::optional<int> scale = take_number(format);
  const std::optional<int> bits = format.empty() ? 128 : take_number(format);
  if (!precision || !scale || !bits || !format.empty()) return std::nullopt;
  if (*bits != 32 && *bits != 64 && *bits != 128 && *bits != 256) return std::nullopt;
  return ArrowType{.layout = Layout::decimals, .n_bytes = static_cast<std::size_t>(*bits) / 8, .scale = *scale};
}

std::string words_of(std::string_view format) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 13> words{{
      {"+l", "a list"},
      {"+L", "a list"},
      {"+vl", "a list"},
      {"+vL", "a list"},
      {"+w", "a list of fixed size"},
      {"+s", "a struct"},
      {"+m", "a map"},
      {"+u", "a union"},
      {"+r", "run-end encoded values"},
      {"z", "binary data"},
      {"Z", "binary data"},
      {"vz", "binary data"},
      {"w:", "binary data of fixed size"},
  }};
  if (format.starts_with("ti")) return "an interval";
  for (const auto& [begin, word] : words)
    if (format.starts_with(begin)) return std::string(word);
  return fmt::format("the Arrow format '{}'", values::excerpt(format));
}

}  // namespace

ColumnType ArrowType::column_type() const {
  switch (layout) {
    case Layout::bits:
      return ColumnType::boolean;
    case Layout::texts:
    case Layout::long_texts:
    case Layout::text_views:
      return ColumnType::text;
    case Layout::times:
      return ColumnType::time;
    default:
      return ColumnType::number;
  }
}

ArrowType arrow_type_of(std::string_view format, std::string_view column) {
  if (auto type = plain_type(format)) return *std::move(type);
  if (auto type = type_with_unit(format)) return *std::move(type);
  if (auto type = decimal_type(format)) return *std::move(type);
  throw InvalidInput(
      fmt::format("column '{}' must contain numbers, booleans, text, times or durations; got {}. Exclude "
                  "it, or convert it to one of these types.",
                  values::excerpt(column), words_of(format)));
}

}  // namespace pidforest::arrow
