// SPDX-License-Identifier: Apache-2.0
// The columns of a row in words.
// Declared in pidforest/explain.h.
#include <fmt/format.h>

#include <algorithm>

#include "pidforest/explain.h"
#include "values/excerpt.h"

namespace pidforest {

std::string to_words(std::span<const ColumnBits> columns, const Schema& schema, double bits) {
  constexpr std::size_t most = 3;
  // A column that gives less, or less than 15 % of the score, is not worth a word.
  constexpr double least_bits = 0.5;
  constexpr double least_share = 0.15;
  std::string words;
  for (std::size_t i = 0; i < std::min(most, columns.size()); ++i) {
    if (columns[i].bits < std::max(least_bits, least_share * bits)) break;
    words +=
        fmt::format("{}{} {} (+{:.1f}{})", i > 0 ? ", " : "", values::excerpt(schema.columns[columns[i].column].name),
                    columns[i].value, columns[i].bits, i > 0 ? "" : " bits");
  }
  if (!words.empty()) return words;
  return bits < least_bits ? "nothing stands out" : "many columns contribute a little each";
}

}  // namespace pidforest
