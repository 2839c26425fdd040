// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "data/excerpt.h"
#include "data/json.h"
#include "data/number_text.h"
#include "data/schema_words.h"
#include "data/utf8.h"
#include "pidforest/error.h"
#include "pidforest/schema.h"

namespace pidforest {

namespace {

using data::ColumnPlace;
using data::excerpt;
using data::Json;
using data::JsonMember;
using data::quoted;
using data::shortest_text;

/// A value of the document and where it stands, for messages.
struct Entry {
  const Json& json;
  const ColumnPlace& place;
  std::string_view key;

  [[noreturn]] void refuse(std::string_view demand) const {
    place.refuse(key, fmt::format("{}; got {}", demand, describe(json)));
  }
  /// The same for an item of an array.
  [[noreturn]] void refuse_item(std::size_t i, std::string_view demand, const Json& item) const {
    place.refuse(fmt::format("{}[{}]", key, i), fmt::format("{}; got {}", demand, describe(item)));
  }
};

template <typename Value>
const Value& read_as(const Entry& entry, std::string_view demand) {
  const auto* value = std::get_if<Value>(&entry.json.value);
  if (value == nullptr) entry.refuse(demand);
  return *value;
}

std::string read_text(const Entry& entry) { return read_as<std::string>(entry, "must be a text"); }

std::string read_text_not_empty(const Entry& entry) {
  constexpr std::string_view demand = "must be a text that is not empty";
  const auto& text = read_as<std::string>(entry, demand);
  if (text.empty()) entry.refuse(demand);
  return text;
}

double read_above_0(const Entry& entry) {
  constexpr std::string_view demand = "must be a number above 0";
  const double number = read_as<double>(entry, demand);
  if (!(number > 0)) entry.refuse(demand);
  return number;
}

const Json::Array& read_items(const Entry& entry, std::string_view demand) {
  const auto& items = read_as<Json::Array>(entry, demand);
  if (items.empty())
    entry.place.refuse(entry.key, fmt::format("{}; got none. Leave it out to have them found", demand));
  return items;
}

using Words = std::span<const std::string_view>;

/// The place of the value among the words.
std::size_t read_word(const Entry& entry, Words words) {
  const auto* text = std::get_if<std::string>(&entry.json.value);
  const auto found = text == nullptr ? words.end() : std::ranges::find(words, *text);
  if (found == words.end()) entry.refuse(fmt::format("must be one of {}", fmt::join(words, ", ")));
  return static_cast<std::size_t>(found - words.begin());
}

void read_levels(const Entry& entry, ColumnSchema& column) {
  const auto& items = read_items(entry, "must be an array of one level or more");
  column.numeric_levels = std::holds_alternative<double>(items[0].value);
  column.levels.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const auto* number = std::get_if<double>(&items[i].value); number != nullptr && column.numeric_levels)
      column.levels.push_back(shortest_text(*number));
    else if (const auto* text = std::get_if<std::string>(&items[i].value); text != nullptr && !column.numeric_levels)
      column.levels.push_back(*text);
    else
      entry.refuse_item(i, "levels must be all texts or all numbers", items[i]);
}

void read_parents(const Entry& entry, ColumnSchema& column) {
  constexpr std::string_view demand = "must be an object of one level or more and the branch above each";
  const auto& members = read_as<Json::Object>(entry, demand);
  if (members.empty()) entry.place.refuse(entry.key, fmt::format("{}; got none", demand));
  column.parents.reserve(members.size());
  for (const JsonMember& member : members) {
    const auto* parent = std::get_if<std::string>(&member.value.value);
    if (parent == nullptr)
      entry.place.refuse(entry.key, fmt::format("the branch above '{}' must be a text; got {}", excerpt(member.key),
                                                describe(member.value)));
    column.parents.emplace_back(member.key, *parent);
  }
}

void read_range(const Entry& entry, ColumnSchema& column) {
  constexpr std::string_view demand = "must be [low, high], two numbers";
  const auto& ends = read_as<Json::Array>(entry, demand);
  if (ends.size() != 2) entry.place.refuse(entry.key, fmt::format("{}; got an array of {}", demand, ends.size()));
  const auto end = [&](std::size_t i) {
    const auto* number = std::get_if<double>(&ends[i].value);
    if (number == nullptr) entry.refuse_item(i, "must be a number", ends[i]);
    return *number;
  };
  column.range = {end(0), end(1)};
}

void read_unit(const Entry& entry, ColumnSchema& column) {
  if (column.kind == Kind::time)
    column.epoch_unit = static_cast<EpochUnit>(read_word(entry, data::epoch_unit_names) + 1);
  else
    column.unit = read_text(entry);
}

void read_derivations(const Entry& entry, ColumnSchema& column) {
  const auto& items = read_items(entry, "must be an array of one derivation or more");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string key = fmt::format("{}[{}]", entry.key, i);
    column.derive.push_back(static_cast<Derivation>(read_word({items[i], entry.place, key}, data::derivation_names)));
  }
}

template <typename Enumerator>
std::string print_word(Words words, Enumerator enumerator) {
  return fmt::format("\"{}\"", words[static_cast<std::size_t>(enumerator)]);
}

constexpr std::string_view key_indent = "      ";
constexpr std::string_view item_indent = "        ";

/// An array on one line with its key if they fit, otherwise one line per item.
std::string print_items(std::string_view key, const std::vector<std::string>& items) {
  constexpr std::size_t longest_line = 100;
  std::string line = fmt::format("[{}]", fmt::join(items, ", "));
  const std::size_t around_it = key_indent.size() + std::string_view(R"("": ,)").size() + key.size();
  if (around_it + data::n_characters(line) <= longest_line) return line;
  return fmt::format("[\n{0}{1}\n{2}]", item_indent, fmt::join(items, fmt::format(",\n{}", item_indent)), key_indent);
}

std::string print_levels(const ColumnSchema& column) {
  if (column.numeric_levels) return print_items("levels", column.levels);
  std::vector<std::string> items;
  std::ranges::transform(column.levels, std::back_inserter(items), quoted);
  return print_items("levels", items);
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
  return print_word(data::epoch_unit_names, static_cast<std::size_t>(column.epoch_unit) - 1);
}

std::string print_derivations(const ColumnSchema& column) {
  std::vector<std::string> items;
  items.reserve(column.derive.size());
  for (const Derivation derivation : column.derive) items.push_back(print_word(data::derivation_names, derivation));
  return print_items("derive", items);
}

/// How the value of a key is read from a document and printed to it.
struct KeyFormat {
  std::string_view key;
  void (*read)(const Entry& entry, ColumnSchema& column);
  /// Only where the key is given.
  std::string (*print)(const ColumnSchema& column);
};

constexpr std::array<KeyFormat, 14> formats{{
    {"name", [](const Entry& e, ColumnSchema& c) { c.name = read_text_not_empty(e); },
     [](const ColumnSchema& c) { return quoted(c.name); }},
    {"kind", [](const Entry& e, ColumnSchema& c) { c.kind = static_cast<Kind>(read_word(e, data::kind_names)); },
     [](const ColumnSchema& c) { return print_word(data::kind_names, c.kind); }},
    {"levels", read_levels, print_levels},
    {"parents", read_parents, print_parents},
    {"range", read_range, print_range},
    {"period", [](const Entry& e, ColumnSchema& c) { c.period = read_above_0(e); },
     [](const ColumnSchema& c) { return shortest_text(c.period); }},
    {"step", [](const Entry& e, ColumnSchema& c) { c.step = read_above_0(e); },
     [](const ColumnSchema& c) { return shortest_text(c.step); }},
    {"unit", read_unit, print_unit},
    {"derive", read_derivations, print_derivations},
    {"zone", [](const Entry& e, ColumnSchema& c) { c.zone = read_text_not_empty(e); },
     [](const ColumnSchema& c) { return quoted(c.zone); }},
    {"resolution",
     [](const Entry& e, ColumnSchema& c) {
       c.resolution = static_cast<Resolution>(read_word(e, data::resolution_names));
     },
     [](const ColumnSchema& c) { return print_word(data::resolution_names, *c.resolution); }},
    {"date_order",
     [](const Entry& e, ColumnSchema& c) {
       c.date_order = static_cast<DateOrder>(read_word(e, data::date_order_names));
     },
     [](const ColumnSchema& c) { return print_word(data::date_order_names, c.date_order); }},
    {"missing_share",
     [](const Entry& e, ColumnSchema& c) {
       c.missing_share = read_as<double>(e, "must be a number above 0 and below 1");
     },
     [](const ColumnSchema& c) { return shortest_text(*c.missing_share); }},
    {"note", [](const Entry& e, ColumnSchema& c) { c.note = read_text(e); },
     [](const ColumnSchema& c) { return quoted(c.note); }},
}};

const KeyFormat& format_of(std::string_view key) { return *std::ranges::find(formats, key, &KeyFormat::key); }

bool is_allowed(std::string_view key, Kind kind) {
  const auto keys = data::schema_keys();
  const auto found = std::ranges::find(keys, key, &data::SchemaKey::name);
  return found != keys.end() && found->is_allowed(kind);
}

/// For a key that every column must have.
const Json& member_of(const Json::Object& object, std::string_view key, const ColumnPlace& place,
                      std::string_view demand) {
  const auto found = std::ranges::find(object, key, &JsonMember::key);
  if (found == object.end()) place.refuse(key, fmt::format("{}; got none", demand));
  return found->value;
}

ColumnSchema read_column(const Json& json, std::size_t index) {
  ColumnPlace place{index, {}};
  ColumnSchema column;
  const auto& object = read_as<Json::Object>({json, place, ""}, "must be an object that describes a column");
  const auto read = [&](std::string_view key, const Json& value) { format_of(key).read({value, place, key}, column); };
  read("name", member_of(object, "name", place, "must be a text that is not empty"));
  place.name = column.name;
  read("kind", member_of(object, "kind", place, fmt::format("must be one of {}", fmt::join(data::kind_names, ", "))));
  for (const auto& [key, value] : object) {
    if (!is_allowed(key, column.kind)) place.refuse_key(key, column.kind);
    if (key != "name" && key != "kind") read(key, value);
  }
  return column;
}

[[noreturn]] void refuse_document(std::string_view complaint) {
  throw InvalidInput(fmt::format("schema: {}.", complaint));
}

const Json::Array& columns_of(const Json& document) {
  const auto* object = std::get_if<Json::Object>(&document.value);
  if (object == nullptr)
    refuse_document(fmt::format("must be an object with the key 'columns'; got {}", describe(document)));
  const auto other = std::ranges::find_if(*object, [](const JsonMember& member) { return member.key != "columns"; });
  if (other != object->end())
    refuse_document(fmt::format("its only key must be 'columns'; got '{}'", excerpt(other->key)));
  if (object->empty()) refuse_document("must have the key 'columns'; got none");
  const Json& columns = object->front().value;
  const auto* array = std::get_if<Json::Array>(&columns.value);
  if (array == nullptr) refuse_document(fmt::format("columns: must be an array of objects; got {}", describe(columns)));
  return *array;
}

std::string print_column(const ColumnSchema& column) {
  std::vector<std::string> members;
  for (const data::SchemaKey& key : data::schema_keys())
    if (key.is_given(column))
      members.push_back(fmt::format("{}\"{}\": {}", key_indent, key.name, format_of(key.name).print(column)));
  return fmt::format("    {{\n{}\n    }}", fmt::join(members, ",\n"));
}

}  // namespace

Schema parse_schema(std::string_view json) {
  constexpr std::size_t document_columns_column_levels = 4;
  const Json document = data::parse_json({"schema", json, document_columns_column_levels});
  Schema schema;
  for (const Json& column : columns_of(document)) schema.columns.push_back(read_column(column, schema.columns.size()));
  validate(schema);
  return schema;
}

std::string to_json(const Schema& schema) {
  validate(schema);
  std::vector<std::string> columns;
  std::ranges::transform(schema.columns, std::back_inserter(columns), print_column);
  return fmt::format("{{\n  \"columns\": [\n{}\n  ]\n}}\n", fmt::join(columns, ",\n"));
}

}  // namespace pidforest
