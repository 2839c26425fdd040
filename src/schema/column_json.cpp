// SPDX-License-Identifier: Apache-2.0
#include "schema/column_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/first_repeat.h"
#include "values/number_text.h"
#include "values/utf8.h"

namespace pidforest::schema {

namespace {

using values::excerpt;
using values::Json;
using values::JsonChild;
using values::JsonChildren;
using values::JsonKind;
using values::quoted;
using values::shortest_text;

/// A value of the document and its position, for messages.
struct Entry {
  const Json& json;
  const ColumnPlace& place;
  std::string_view key;

  [[noreturn]] void refuse(std::string_view demand) const {
    place.refuse(key, fmt::format("{}; got {}", demand, describe(json)));
  }
  /// Like `refuse`, for an item of an array.
  [[noreturn]] void refuse_item(std::size_t i, std::string_view demand, const Json& item) const {
    place.refuse(fmt::format("{}[{}]", key, i), fmt::format("{}; got {}", demand, describe(item)));
  }
};

std::string_view read_text(const Entry& entry, std::string_view demand = "must be a string") {
  const auto text = entry.json.text();
  if (!text) entry.refuse(demand);
  return *text;
}

std::string_view read_text_not_empty(const Entry& entry) {
  constexpr std::string_view demand = "must be a non-empty string";
  const std::string_view text = read_text(entry, demand);
  if (text.empty()) entry.refuse(demand);
  return text;
}

double read_number(const Entry& entry, std::string_view demand) {
  const auto number = entry.json.number();
  if (!number) entry.refuse(demand);
  return *number;
}

double read_above_0(const Entry& entry) {
  constexpr std::string_view demand = "must be a number above 0";
  const double number = read_number(entry, demand);
  if (!(number > 0)) entry.refuse(demand);
  return number;
}

/// Returns the children of a value of this kind, array or object; throws InvalidInput for any other value.
JsonChildren read_children(const Entry& entry, JsonKind kind, std::string_view demand) {
  if (entry.json.kind() != kind) entry.refuse(demand);
  return entry.json.children();
}

JsonChildren read_items(const Entry& entry, std::string_view demand) {
  const JsonChildren items = read_children(entry, JsonKind::array, demand);
  if (items.empty()) entry.place.refuse(entry.key, fmt::format("{}; got none. Omit it to have them inferred", demand));
  return items;
}

using Words = std::span<const std::string_view>;

/// Returns the index of the value among the words.
std::size_t read_word(const Entry& entry, Words words) {
  const auto text = entry.json.text();
  const auto found = text ? std::ranges::find(words, *text) : words.end();
  if (found == words.end()) entry.refuse(fmt::format("must be one of {}", fmt::join(words, ", ")));
  return static_cast<std::size_t>(found - words.begin());
}

/// Returns how many items to read as levels. If the items are so short that levels would take many times the memory of
/// the document, items after a repeated one are not read: the repetition is rejected anyway, and a forged file could
/// hold any number of them.
std::size_t n_levels_to_read(const JsonChildren& items, std::size_t n_items) {
  constexpr std::size_t few_times = 4;
  constexpr std::size_t quotes_and_comma = 3;
  std::size_t n_bytes = 0;
  for (const JsonChild& item : items) n_bytes += item.value.written().size() + quotes_and_comma;
  if (n_items * sizeof(std::string) <= few_times * n_bytes) return n_items;
  const auto repeat = values::first_repeat(n_items, [&](std::size_t i) { return items.item(i).written(); });
  return repeat ? *repeat + 1 : n_items;
}

void read_levels(const Entry& entry, ColumnSchema& column) {
  const JsonChildren items = read_items(entry, "must be a non-empty array of levels");
  const JsonKind kind = items.item(0).kind();
  std::size_t n_items = 0;
  for (const JsonChild& item : items)
    if (item.value.kind() == kind && (kind == JsonKind::number || kind == JsonKind::text))
      ++n_items;
    else
      entry.refuse_item(n_items, "levels must be all strings or all numbers", item.value);
  const std::size_t n_levels = n_levels_to_read(items, n_items);
  column.numeric_levels = kind == JsonKind::number;
  column.levels.reserve(n_levels);
  for (std::size_t i = 0; i < n_levels; ++i) {
    const Json level = items.item(i);
    column.levels.push_back(column.numeric_levels ? shortest_text(*level.number()) : std::string(*level.text()));
  }
}

void read_parents(const Entry& entry, ColumnSchema& column) {
  constexpr std::string_view demand = "must be a non-empty object that gives each level its parent";
  const JsonChildren members = read_children(entry, JsonKind::object, demand);
  if (members.empty()) entry.place.refuse(entry.key, fmt::format("{}; got none", demand));
  for (const auto& [level, parent] : members)
    if (parent.kind() != JsonKind::text)
      entry.place.refuse(entry.key,
                         fmt::format("the parent of '{}' must be a string; got {}", excerpt(level), describe(parent)));
  column.parents.reserve(members.size());
  for (const auto& [level, parent] : members) column.parents.emplace_back(level, *parent.text());
}

void read_range(const Entry& entry, ColumnSchema& column) {
  constexpr std::string_view demand = "must be [low, high], two numbers";
  const JsonChildren ends = read_children(entry, JsonKind::array, demand);
  if (ends.size() != 2) entry.place.refuse(entry.key, fmt::format("{}; got an array of {}", demand, ends.size()));
  std::vector<double> numbers;
  for (const JsonChild& end : ends) {
    if (!end.value.number()) entry.refuse_item(numbers.size(), "must be a number", end.value);
    numbers.push_back(*end.value.number());
  }
  column.range = {numbers[0], numbers[1]};
}

void read_unit(const Entry& entry, ColumnSchema& column) {
  if (column.kind == Kind::time)
    column.epoch_unit = static_cast<EpochUnit>(read_word(entry, epoch_unit_names) + 1);
  else
    column.unit = read_text(entry);
}

void read_derivations(const Entry& entry, ColumnSchema& column) {
  for (const JsonChild& item : read_items(entry, "must be a non-empty array of derivations")) {
    const std::string key = fmt::format("{}[{}]", entry.key, column.derive.size());
    column.derive.push_back(static_cast<Derivation>(read_word({item.value, entry.place, key}, derivation_names)));
  }
}

void read_views(const Entry& entry, ColumnSchema& column) {
  constexpr std::string_view demand = "must be a non-empty array of names";
  for (const JsonChild& item : read_items(entry, demand)) {
    if (!item.value.text()) entry.refuse_item(column.views.size(), "must be a text", item.value);
    column.views.emplace_back(*item.value.text());
  }
}

template <typename Enumerator>
std::string print_word(Words words, Enumerator enumerator) {
  return fmt::format("\"{}\"", words[static_cast<std::size_t>(enumerator)]);
}

constexpr std::string_view key_indent = "      ";
constexpr std::string_view item_indent = "        ";

/// Prints an array on the line of its key if it fits, otherwise one line per item.
std::string print_items(std::string_view key, const std::vector<std::string>& items) {
  constexpr std::size_t longest_line = 100;
  std::string line = fmt::format("[{}]", fmt::join(items, ", "));
  const std::size_t around_it = key_indent.size() + std::string_view(R"("": ,)").size() + key.size();
  if (around_it + values::n_characters(line) <= longest_line) return line;
  return fmt::format("[\n{0}{1}\n{2}]", item_indent, fmt::join(items, fmt::format(",\n{}", item_indent)), key_indent);
}

std::string print_levels(const ColumnSchema& column) {
  if (column.numeric_levels) return print_items("levels", column.levels);
  std::vector<std::string> items;
  std::ranges::transform(column.levels, std::back_inserter(items), quoted);
  return print_items("levels", items);
}

std::string print_views(const ColumnSchema& column) {
  std::vector<std::string> items;
  std::ranges::transform(column.views, std::back_inserter(items), quoted);
  return print_items("views", items);
}

std::string print_parents(const ColumnSchema& column) {
  std::string text = "{";
  for (const auto& [child, parent] : column.parents)
    text += fmt::format("{}\n{}{}: {}", text.size() > 1 ? "," : "", item_indent, quoted(child), quoted(parent));
  return text + fmt::format("\n{}}}", key_indent);
}

std::string print_range(const ColumnSchema& column) {
  const auto [low, high] = column.range.value_or(std::pair(0.0, 0.0));
  return print_items("range", {shortest_text(low), shortest_text(high)});
}

std::string print_unit(const ColumnSchema& column) {
  if (column.kind != Kind::time) return quoted(column.unit);
  return print_word(epoch_unit_names, static_cast<std::size_t>(column.epoch_unit) - 1);
}

std::string print_derivations(const ColumnSchema& column) {
  std::vector<std::string> items;
  items.reserve(column.derive.size());
  for (const Derivation derivation : column.derive) items.push_back(print_word(derivation_names, derivation));
  return print_items("derive", items);
}

/// How the value of a key is read from a document and printed.
struct KeyFormat {
  std::string_view key;
  void (*read)(const Entry& entry, ColumnSchema& column);
  /// Only called if the key is given.
  std::string (*print)(const ColumnSchema& column);
};

constexpr std::array<KeyFormat, 17> formats{{
    {"name", [](const Entry& e, ColumnSchema& c) { c.name = read_text_not_empty(e); },
     [](const ColumnSchema& c) { return quoted(c.name); }},
    {"kind", [](const Entry& e, ColumnSchema& c) { c.kind = static_cast<Kind>(read_word(e, kind_names)); },
     [](const ColumnSchema& c) { return print_word(kind_names, c.kind); }},
    {"levels", read_levels, print_levels},
    {"parents", read_parents, print_parents},
    {"range", read_range, print_range},
    {"written", [](const Entry& e, ColumnSchema& c) { c.written = read_text_not_empty(e); },
     [](const ColumnSchema& c) { return quoted(c.written); }},
    {"period", [](const Entry& e, ColumnSchema& c) { c.period = read_above_0(e); },
     [](const ColumnSchema& c) { return shortest_text(c.period); }},
    {"step", [](const Entry& e, ColumnSchema& c) { c.step = read_above_0(e); },
     [](const ColumnSchema& c) { return shortest_text(c.step); }},
    {"unit", read_unit, print_unit},
    {"derive", read_derivations, print_derivations},
    {"zone", [](const Entry& e, ColumnSchema& c) { c.zone = read_text_not_empty(e); },
     [](const ColumnSchema& c) { return quoted(c.zone); }},
    {"resolution",
     [](const Entry& e, ColumnSchema& c) { c.resolution = static_cast<Resolution>(read_word(e, resolution_names)); },
     [](const ColumnSchema& c) { return print_word(resolution_names, *c.resolution); }},
    {"date_order",
     [](const Entry& e, ColumnSchema& c) { c.date_order = static_cast<DateOrder>(read_word(e, date_order_names)); },
     [](const ColumnSchema& c) { return print_word(date_order_names, c.date_order); }},
    {"missing_share",
     [](const Entry& e, ColumnSchema& c) { c.missing_share = read_number(e, "must be a number above 0 and below 1"); },
     [](const ColumnSchema& c) { return shortest_text(*c.missing_share); }},
    {"views", read_views, print_views},
    {"rise_of", [](const Entry& e, ColumnSchema& c) { c.rise_of = read_text_not_empty(e); },
     [](const ColumnSchema& c) { return quoted(c.rise_of); }},
    {"note", [](const Entry& e, ColumnSchema& c) { c.note = read_text(e); },
     [](const ColumnSchema& c) { return quoted(c.note); }},
}};

const KeyFormat& format_of(std::string_view key) { return *std::ranges::find(formats, key, &KeyFormat::key); }

bool is_allowed(std::string_view key, Kind kind) {
  const auto keys = schema_keys();
  const auto found = std::ranges::find(keys, key, &SchemaKey::name);
  return found != keys.end() && found->is_allowed(kind);
}

/// Returns the value of a key that every column must have.
Json member_of(const JsonChildren& members, std::string_view key, const ColumnPlace& place, std::string_view demand) {
  const auto found = members.find(key);
  if (!found) place.refuse(key, fmt::format("{}; got none", demand));
  return *found;
}

}  // namespace

ColumnSchema read_column(const Json& json, ColumnPlace place) {
  ColumnSchema column;
  const JsonChildren members =
      read_children({json, place, ""}, JsonKind::object, "must be an object that describes a column");
  const auto read = [&](std::string_view key, const Json& value) { format_of(key).read({value, place, key}, column); };
  read("name", member_of(members, "name", place, "must be a non-empty string"));
  place.name = column.name;
  read("kind", member_of(members, "kind", place, fmt::format("must be one of {}", fmt::join(kind_names, ", "))));
  for (const auto& [key, value] : members) {
    if (!is_allowed(key, column.kind)) place.refuse_key(key, column.kind);
    if (key != "name" && key != "kind") read(key, value);
  }
  return column;
}

bool describes_column(const Json& json) {
  if (json.kind() != JsonKind::object) return false;
  const JsonChildren members = json.children();
  return members.find("name") && members.find("kind");
}

std::string print_column(const ColumnSchema& column) {
  std::vector<std::string> members;
  for (const SchemaKey& key : schema_keys())
    if (key.is_given(column))
      members.push_back(fmt::format("{}\"{}\": {}", key_indent, key.name, format_of(key.name).print(column)));
  return fmt::format("    {{\n{}\n    }}", fmt::join(members, ",\n"));
}

}  // namespace pidforest::schema
