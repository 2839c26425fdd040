// SPDX-License-Identifier: Apache-2.0
// What the columns of a row say for themselves.
// Declared in pidforest/explain.h.
#include <fmt/format.h>

#include <algorithm>

#include "pidforest/explain.h"
#include "schema/match.h"
#include "table/value.h"
#include "values/excerpt.h"

namespace pidforest {

std::vector<ColumnBits> column_bits_of(const Explanations& explained, std::size_t i) {
  const std::size_t n_columns = explained.column_bits.size() / explained.witness_of.size();
  std::vector<ColumnBits> columns;
  for (std::size_t column = 0; column < n_columns; ++column)
    if (const double bits = explained.column_bits[i * n_columns + column]; bits != 0) columns.push_back({column, bits});
  std::ranges::stable_sort(columns, std::ranges::greater{}, &ColumnBits::bits);
  return columns;
}

std::string to_words(std::span<const ColumnBits> columns, const Schema& schema, const Table& row, double bits) {
  constexpr std::size_t most = 3;
  // What gives less is not worth a word, nor what gives less than a share of 15 % of the score.
  constexpr double least_bits = 0.5;
  constexpr double least_share = 0.15;
  std::string words;
  for (std::size_t i = 0; i < std::min(most, columns.size()); ++i) {
    if (columns[i].bits < std::max(least_bits, least_share * bits)) break;
    const std::string& name = schema.columns[columns[i].column].name;
    const Column& column = row.columns()[schema::place_of(row, name, "a column of the model")];
    words += fmt::format("{}{} {} (+{:.1f}{})", i > 0 ? ", " : "", values::excerpt(name), table::value_words(column, 0),
                         columns[i].bits, i > 0 ? "" : " bits");
  }
  if (!words.empty()) return words;
  return bits < least_bits ? "nothing stands out" : "many columns contribute a little each";
}

}  // namespace pidforest
