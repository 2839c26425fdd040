// SPDX-License-Identifier: Apache-2.0
// The columns of a row in words.
// Declared in pidforest/explain.h.
#include "explain/column_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "explain/rise_words.h"

namespace pidforest {

namespace {

constexpr double least_bits = 0.5;

/// A row's value in a column: "latency 133", "latency rose by 120 ms within 10 min".
std::string value_in_words(const ColumnSchema& column, const std::string& value) {
  if (const auto rise = explain::own_rise(column, value)) return *rise;
  return fmt::format("{}{}{}", explain::name_in_words(column), value.empty() ? "" : " ", value);
}

}  // namespace

bool explain::is_worth_a_word(const ColumnBits& column, double bits) {
  constexpr double least_share = 0.15;
  return column.bits >= std::max(least_bits, least_share * bits);
}

std::string to_words(std::span<const ColumnBits> columns, const Schema& schema, double bits) {
  constexpr std::size_t most = 3;
  std::string words;
  for (std::size_t i = 0, n_shown = 0; i < columns.size() && n_shown < most; ++i) {
    if (!explain::is_worth_a_word(columns[i], bits)) continue;
    words += fmt::format("{}{} (+{:.1f}{})", n_shown > 0 ? ", " : "",
                         value_in_words(schema.columns[columns[i].column], columns[i].value), columns[i].bits,
                         n_shown > 0 ? "" : " bits");
    ++n_shown;
  }
  if (!words.empty()) return words;
  return bits < least_bits ? "nothing stands out" : "many columns contribute a little each";
}

}  // namespace pidforest
