// SPDX-License-Identifier: Apache-2.0
#include "schema/schema_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <initializer_list>
#include <vector>

#include "pidforest/error.h"
#include "values/excerpt.h"

namespace pidforest {

std::string_view name_of(Kind kind) { return schema::kind_names[static_cast<std::size_t>(kind)]; }

namespace schema {

namespace {

constexpr unsigned of(std::initializer_list<Kind> kinds) {
  unsigned bits = 0;
  for (const Kind kind : kinds) bits |= 1U << static_cast<unsigned>(kind);
  return bits;
}

constexpr unsigned every_kind = (1U << kind_names.size()) - 1;

constexpr std::array<SchemaKey, 17> keys{{
    {"name", every_kind, [](const ColumnSchema&) { return true; }},
    {"kind", every_kind, [](const ColumnSchema&) { return true; }},
    {"levels", of({Kind::ordinal, Kind::cyclic, Kind::category}),
     [](const ColumnSchema& c) { return !c.levels.empty() || c.numeric_levels; }},
    {"parents", of({Kind::category}), [](const ColumnSchema& c) { return !c.parents.empty(); }},
    {"range", of({Kind::continuous, Kind::ordinal}), [](const ColumnSchema& c) { return c.range.has_value(); }},
    {"written", of({Kind::continuous}), [](const ColumnSchema& c) { return !c.written.empty(); }},
    {"period", of({Kind::cyclic}), [](const ColumnSchema& c) { return c.period != 0; }},
    {"step", of({Kind::cyclic}), [](const ColumnSchema& c) { return c.step != 0; }},
    {"unit", of({Kind::continuous, Kind::ordinal, Kind::cyclic, Kind::time}),
     [](const ColumnSchema& c) { return !c.unit.empty() || c.epoch_unit != EpochUnit::none; }},
    {"derive", of({Kind::time}), [](const ColumnSchema& c) { return !c.derive.empty(); }},
    {"zone", of({Kind::time}), [](const ColumnSchema& c) { return !c.zone.empty(); }},
    {"resolution", of({Kind::time}), [](const ColumnSchema& c) { return c.resolution.has_value(); }},
    {"date_order", of({Kind::time}), [](const ColumnSchema& c) { return c.date_order != DateOrder::year_first; }},
    {"missing_share", every_kind & ~of({Kind::ignored}),
     [](const ColumnSchema& c) { return c.missing_share.has_value(); }},
    {"views", every_kind & ~of({Kind::ignored}), [](const ColumnSchema& c) { return !c.views.empty(); }},
    {"rise_of", of({Kind::continuous}), [](const ColumnSchema& c) { return !c.rise_of.empty(); }},
    {"note", every_kind, [](const ColumnSchema& c) { return !c.note.empty(); }},
}};

std::vector<std::string_view> keys_of(Kind kind) {
  std::vector<std::string_view> names;
  for (const SchemaKey& key : keys)
    if (key.is_allowed(kind)) names.push_back(key.name);
  return names;
}

}  // namespace

std::span<const SchemaKey> schema_keys() { return keys; }

void ColumnPlace::refuse(std::string_view key, std::string_view complaint) const {
  const std::string shown_name = name.empty() ? "" : fmt::format(" ('{}')", values::excerpt(name));
  throw InvalidInput(
      fmt::format("schema: {}[{}]{}{}{}: {}.", list, index, shown_name, key.empty() ? "" : ".", key, complaint));
}

void ColumnPlace::refuse_key(std::string_view key, Kind kind) const {
  refuse(values::excerpt(key), fmt::format("the keys of a column of kind {} may be {}; got '{}'", name_of(kind),
                                           fmt::join(keys_of(kind), ", "), values::excerpt(key)));
}

}  // namespace schema
}  // namespace pidforest
