// SPDX-License-Identifier: Apache-2.0
#include "in/schema_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "in/input_file.h"
#include "pidforest/error.h"
#include "values/name_pattern.h"

namespace pidforest::cli {

namespace {

constexpr std::size_t most_shown = 10;

std::string note_of(const ColumnSchema& column) {
  const std::string reason = column.note.empty() ? "" : fmt::format(" ({})", column.note);
  return fmt::format("{}: {}{}", column.name, name_of(column.kind), reason);
}

}  // namespace

Schema read_schema(const std::string& path, const Run& run) {
  const std::string json = read_input(path, run);
  try {
    return parse_schema(json);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", path, error.what()));
  }
}

Schema without_columns(Schema schema, const std::vector<std::string>& names) {
  std::erase_if(schema.columns, [&](const ColumnSchema& column) { return values::matches_any(names, column.name); });
  return schema;
}

std::size_t n_used(const Schema& schema) {
  return static_cast<std::size_t>(
      std::ranges::count_if(schema.columns, [](Kind kind) { return kind != Kind::ignored; }, &ColumnSchema::kind));
}

std::vector<std::string> notes_of(const Schema& schema, const std::string& file) {
  std::vector<std::string> notes;
  for (const ColumnSchema& column : schema.columns)
    if (column.kind != Kind::continuous || !column.written.empty()) notes.push_back(note_of(column));
  if (notes.size() <= most_shown) return notes;
  const std::size_t n_more = notes.size() - most_shown;
  notes.resize(most_shown);
  notes.push_back(fmt::format("and {} more; pidforest schema {} shows all", n_more, file));
  return notes;
}

std::string list_of(const std::vector<std::string>& names) {
  const auto last = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_shown));
  const std::string list = fmt::format("{}", fmt::join(names.begin(), last, ", "));
  return last == names.end() ? list : fmt::format("{} and {} more", list, names.end() - last);
}

}  // namespace pidforest::cli
