// SPDX-License-Identifier: Apache-2.0
// A table that owns its values, and one-line schemas.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Numbers = std::vector<double>;
/// nullopt is a missing text.
using Texts = std::vector<std::optional<std::string>>;
using Times = std::vector<std::int64_t>;

/// Copies share the values.
class ColumnTable {
 public:
  ColumnTable& numbers(const std::string& name, Numbers values) {
    const auto& kept = keep(std::move(values));
    return add({.name = name, .first = kept.data()}, kept.size());
  }
  ColumnTable& booleans(const std::string& name, Numbers values) {
    const auto& kept = keep(std::move(values));
    return add(Column::of_booleans(name, kept.data()), kept.size());
  }
  ColumnTable& texts(const std::string& name, Texts values) {
    const auto& kept = keep(std::move(values));
    std::vector<std::string_view> views;
    for (const auto& text : kept) views.push_back(text ? std::string_view(*text) : std::string_view());
    const auto& kept_views = keep(std::move(views));
    return add(Column::of_texts(name, kept_views.data()), kept_views.size());
  }
  ColumnTable& times(const std::string& name, Times values) {
    const auto& kept = keep(std::move(values));
    return add(Column::of_times(name, kept.data()), kept.size());
  }

  [[nodiscard]] Table table() const { return {n_rows_, columns_}; }

 private:
  template <class Values>
  const Values& keep(Values values) {
    auto kept = std::make_shared<const Values>(std::move(values));
    values_.push_back(kept);
    return *kept;
  }
  ColumnTable& add(Column column, std::size_t n_rows) {
    columns_.push_back(std::move(column));
    n_rows_ = n_rows;
    return *this;
  }

  std::vector<std::shared_ptr<const void>> values_;
  std::vector<Column> columns_;
  std::size_t n_rows_ = 0;
};

inline ColumnSchema column_of(Kind kind, std::string name = "x") {
  ColumnSchema schema;
  schema.name = std::move(name);
  schema.kind = kind;
  return schema;
}

inline ColumnSchema with_levels(Kind kind, std::vector<std::string> levels, bool are_numbers = false) {
  ColumnSchema schema = column_of(kind);
  schema.levels = std::move(levels);
  schema.numeric_levels = are_numbers;
  return schema;
}

}  // namespace pidforest
