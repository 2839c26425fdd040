// SPDX-License-Identifier: Apache-2.0
#include "schema/windows_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "pidforest/error.h"
#include "schema/column_json.h"
#include "values/excerpt.h"
#include "values/first_repeat.h"
#include "values/number_text.h"
#include "values/utf8.h"

namespace pidforest::schema {

namespace {

using values::Json;
using values::JsonChild;
using values::JsonKind;

constexpr std::size_t longest_window = 1'000'000;
/// Doubles represent all whole numbers up to this one.
constexpr double largest_whole = 9007199254740992;
constexpr std::size_t half_hours_per_day = 48;
constexpr std::size_t half_hours_per_week = 7 * half_hours_per_day;

[[noreturn]] void refuse_windows(std::string_view key, std::string_view demand, const std::string& got) {
  throw InvalidInput(fmt::format("schema: windows{}{}: {}; got {}.", key.empty() ? "" : ".", key, demand, got));
}

std::int64_t read_whole(const Json& json, std::string_view key) {
  const auto number = json.number();
  if (!number || *number < 0 || *number > largest_whole || std::floor(*number) != *number)
    refuse_windows(key, "must be a whole number of at least 0", describe(json));
  return static_cast<std::int64_t>(*number);
}

std::string read_text(const Json& json, std::string_view key) {
  if (!json.text()) refuse_windows(key, "must be a text", describe(json));
  return std::string(*json.text());
}

values::JsonChildren items_of(const Json& json, std::string_view key) {
  if (json.kind() != JsonKind::array) refuse_windows(key, "must be an array", describe(json));
  return json.children();
}

std::vector<double> read_numbers(const Json& json) {
  std::vector<double> numbers;
  for (const JsonChild& item : items_of(json, "usual")) {
    if (!item.value.number()) refuse_windows("usual", "must be arrays of numbers", describe(item.value));
    numbers.push_back(*item.value.number());
  }
  return numbers;
}

void read_metrics(const Json& json, WindowRecipe& windows) {
  const auto items = items_of(json, "metrics");
  std::size_t n_described = 0;  // only these are worth memory: see schema_json.cpp
  for (const JsonChild& item : items) n_described += describes_column(item.value) ? 1 : 0;
  windows.metrics.reserve(n_described);
  for (const JsonChild& item : items)
    windows.metrics.push_back(read_column(item.value, {windows.metrics.size(), {}, "windows.metrics"}));
}

void read_member(const JsonChild& member, WindowRecipe& windows) {
  const auto& [key, value] = member;
  if (key == "window")
    windows.window = static_cast<std::size_t>(read_whole(value, key));
  else if (key == "views")
    for (const JsonChild& item : items_of(value, key)) windows.views.push_back(read_text(item.value, key));
  else if (key == "means")
    for (const JsonChild& item : items_of(value, key))
      windows.means.push_back(static_cast<std::size_t>(read_whole(item.value, key)));
  else if (key == "calendar")
    windows.calendar =
        value.boolean() ? *value.boolean() : (refuse_windows(key, "must be true or false", describe(value)), false);
  else if (key == "by")
    windows.by = read_text(value, key);
  else if (key == "max_gap")
    windows.max_gap = read_whole(value, key);
  else if (key == "time")
    windows.time = read_column(value, {0, {}, "windows.time"});
  else if (key == "step")
    windows.step = read_whole(value, key);
  else if (key == "metrics")
    read_metrics(value, windows);
  else if (key == "usual")
    for (const JsonChild& item : items_of(value, key)) windows.usual.push_back(read_numbers(item.value));
  else
    refuse_windows("", "its keys may be window, views, means, calendar, by, max_gap, time, step, metrics, usual",
                   fmt::format("'{}'", values::excerpt(key)));
}

std::string in_brackets(const std::vector<std::string>& items) { return fmt::format("[{}]", fmt::join(items, ", ")); }

template <class Items, class Print>
std::string array_of(const Items& items, const Print& print) {
  std::vector<std::string> printed;
  for (const auto& item : items) printed.push_back(print(item));
  return in_brackets(printed);
}

}  // namespace

WindowRecipe read_windows(const Json& json) {
  if (json.kind() != JsonKind::object) refuse_windows("", "must be an object", describe(json));
  WindowRecipe windows;
  for (const JsonChild& member : json.children()) read_member(member, windows);
  return windows;
}

std::string print_windows(const WindowRecipe& windows) {
  const auto whole = [](auto number) { return fmt::to_string(number); };
  const auto text = [](const std::string& one) { return values::quoted(one); };
  std::vector<std::string> members{fmt::format("\"window\": {}", windows.window),
                                   fmt::format("\"views\": {}", array_of(windows.views, text))};
  if (!windows.means.empty()) members.push_back(fmt::format("\"means\": {}", array_of(windows.means, whole)));
  if (windows.calendar) members.emplace_back("\"calendar\": true");
  if (!windows.by.empty()) members.push_back(fmt::format("\"by\": {}", values::quoted(windows.by)));
  if (windows.max_gap) members.push_back(fmt::format("\"max_gap\": {}", *windows.max_gap));
  if (!windows.time.name.empty()) members.push_back(fmt::format("\"time\": {}", print_column(windows.time)));
  if (windows.step != 0) members.push_back(fmt::format("\"step\": {}", windows.step));
  members.push_back(fmt::format("\"metrics\": {}", array_of(windows.metrics, print_column)));
  if (!windows.usual.empty())
    members.push_back(fmt::format("\"usual\": {}", array_of(windows.usual, [](const std::vector<double>& of_metric) {
                                    return array_of(of_metric, values::shortest_text);
                                  })));
  return fmt::format("{{\n    {}\n  }}", fmt::join(members, ",\n    "));
}

void validate(const WindowRecipe& windows) {
  const auto check_text = [](std::string_view key, const std::string& text) {
    if (!values::is_utf8(text)) refuse_windows(key, "must be UTF-8", fmt::format("'{}'", values::excerpt(text)));
  };
  if (windows.window < 1 || windows.window > longest_window)
    refuse_windows("window", fmt::format("must be between 1 and {}", longest_window), fmt::to_string(windows.window));
  for (const std::string& view : windows.views) check_text("views", view);
  check_text("by", windows.by);
  for (const std::size_t span : windows.means)
    if (span < 2 || span > longest_window)
      refuse_windows("means", fmt::format("must be between 2 and {}", longest_window), fmt::to_string(span));
  if (windows.max_gap && *windows.max_gap < 0) refuse_windows("max_gap", "must not be negative", "less");
  if (windows.metrics.empty()) refuse_windows("metrics", "must have at least one column", "none");
  const auto name = [&](std::size_t i) -> const std::string& { return windows.metrics[i].name; };
  if (values::first_repeat(windows.metrics.size(), name))
    refuse_windows("metrics", "names must differ", "one of them twice");
  if (!windows.time.name.empty() && windows.time.kind != Kind::time)
    refuse_windows("time", "must be a column of kind time", std::string(name_of(windows.time.kind)));
  if (!windows.usual.empty() && windows.usual.size() != windows.metrics.size())
    refuse_windows("usual", "must have one array per metric", fmt::to_string(windows.usual.size()));
  for (const std::vector<double>& usual : windows.usual) {
    if (!usual.empty() && usual.size() != half_hours_per_day && usual.size() != half_hours_per_week)
      refuse_windows("usual", "must have 48 or 336 numbers for a metric, or none", fmt::to_string(usual.size()));
    if (!std::ranges::all_of(usual, [](double x) { return std::isfinite(x); }))
      refuse_windows("usual", "must be finite numbers", "another");
    if (!usual.empty() && windows.time.name.empty())
      refuse_windows("usual", "requires time, the column of the times", "none");
  }
}

}  // namespace pidforest::schema
