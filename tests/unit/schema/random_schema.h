// SPDX-License-Identifier: Apache-2.0
// Random valid schemas of all kinds, with odd names, for RapidCheck.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "pidforest/schema.h"

namespace pidforest {

using Names = std::vector<std::string>;

inline std::string numbered(std::string_view word, std::size_t i) { return std::string(word) + std::to_string(i); }

/// Texts with characters that JSON, files and terminals treat specially.
inline std::string any_text() {
  static const Names pieces{"a", "B", "1",  " ",      ",",      "\"",   "\\",   "/",
                            "'", "{", "]",  "\n",     "\t",     "\x01", "\x7F", std::string(1, '\0'),
                            "ä", "€", "🐘", "\u2028", "\uFEFF", "null", "1.0"};
  std::string text;
  for (const auto& piece : *rc::gen::container<Names>(rc::gen::elementOf(pieces))) text += piece;
  return text;
}

inline Names distinct(Names texts) {
  std::unordered_set<std::string> seen;
  std::erase_if(texts, [&](const std::string& text) { return !seen.insert(text).second; });
  return texts;
}

inline Names any_levels(std::size_t fewest) {
  Names texts;
  for (std::size_t i = 0, n = *rc::gen::inRange<std::size_t>(fewest, 12); i < n; ++i)
    texts.push_back(any_text() + numbered("#", i));
  if (!texts.empty() && *rc::gen::arbitrary<bool>()) texts[0] = "";
  return distinct(texts);
}

inline double any_number() {
  const double number = *rc::gen::arbitrary<double>() * std::pow(10.0, *rc::gen::inRange(-30, 30));
  return *rc::gen::arbitrary<bool>() ? std::round(number) : number;
}

template <typename Enumerator>
Enumerator any_of(int first, int last) {
  return static_cast<Enumerator>(*rc::gen::inRange(first, last + 1));
}

/// Numeric levels in the form in which a document has them.
inline Names any_numeric_levels(std::size_t fewest) {
  std::set<double> numbers;
  const auto n = *rc::gen::inRange<std::size_t>(std::max<std::size_t>(fewest, 1), 12);
  while (numbers.size() < n) numbers.insert(any_number() + static_cast<double>(numbers.size()));
  std::ostringstream items;
  items.precision(17);
  for (const double number : numbers) items << (number == *numbers.begin() ? "" : ", ") << number;
  return parse_schema(R"({"columns": [{"name": "x", "kind": "category", "levels": [)" + items.str() + "]}]}")
      .columns[0]
      .levels;
}

inline void add_levels(ColumnSchema& column, std::size_t fewest) {
  column.numeric_levels = *rc::gen::arbitrary<bool>();
  column.levels = column.numeric_levels ? any_numeric_levels(fewest) : any_levels(fewest);
}

inline void add_parents(ColumnSchema& column) {
  const Names branches = any_levels(1);
  std::unordered_set<std::string> with_parent;
  for (const std::string& level : column.levels) {
    const std::string branch = "branch " + *rc::gen::elementOf(branches);
    column.parents.emplace_back(level, branch);
    if (*rc::gen::arbitrary<bool>() && with_parent.insert(branch).second) column.parents.emplace_back(branch, "top");
  }
  if (!*rc::gen::arbitrary<bool>()) return;
  column.levels.clear();
  column.numeric_levels = false;
}

inline void add_range(ColumnSchema& column, bool is_whole) {
  const double low = is_whole ? *rc::gen::inRange(-1000, 1000) : any_number();
  const double high = is_whole ? low + *rc::gen::inRange(1, 1000) : any_number();
  if (low < high) column.range = {low, high};
}

inline void add_time_keys(ColumnSchema& column) {
  for (int i = 0; i < 5; ++i)
    if (*rc::gen::arbitrary<bool>()) column.derive.push_back(static_cast<Derivation>(i));
  column.zone = any_text();
  if (*rc::gen::arbitrary<bool>()) column.resolution = any_of<Resolution>(0, 3);
  column.epoch_unit = any_of<EpochUnit>(0, 3);
  column.date_order = any_of<DateOrder>(0, 5);
}

inline void add_cyclic_keys(ColumnSchema& column) {
  if (*rc::gen::arbitrary<bool>()) return add_levels(column, 2);
  column.step = std::abs(any_number()) + 1e-100;
  column.period = column.step * *rc::gen::inRange(2, 10'000);
  if (*rc::gen::arbitrary<bool>()) column.step = 0;
  column.unit = any_text();
}

inline void add_keys_of_kind(ColumnSchema& column) {
  if (column.kind == Kind::continuous || column.kind == Kind::ordinal) column.unit = any_text();
  if (column.kind == Kind::continuous) add_range(column, false);
  if (column.kind == Kind::ordinal && *rc::gen::arbitrary<bool>()) return add_range(column, true);
  if (column.kind == Kind::ordinal || column.kind == Kind::category) add_levels(column, 0);
  if (column.kind == Kind::category && *rc::gen::arbitrary<bool>()) add_parents(column);
  if (column.kind == Kind::cyclic) add_cyclic_keys(column);
  if (column.kind == Kind::time) add_time_keys(column);
}

inline ColumnSchema any_column(std::size_t index) {
  ColumnSchema column{.name = numbered(any_text(), index), .kind = any_of<Kind>(0, 6)};
  column.note = any_text();
  if (column.kind != Kind::ignored && *rc::gen::arbitrary<bool>())
    column.missing_share = *rc::gen::inRange(1, 1000) / 1001.0;
  add_keys_of_kind(column);
  return column;
}

inline Schema any_schema() {
  Schema schema;
  for (std::size_t i = 0, n = *rc::gen::inRange<std::size_t>(1, 6); i < n; ++i) schema.columns.push_back(any_column(i));
  std::unordered_set<std::string> seen;
  std::erase_if(schema.columns, [&](const ColumnSchema& column) { return !seen.insert(column.name).second; });
  return schema;
}

}  // namespace pidforest
