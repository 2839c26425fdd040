// SPDX-License-Identifier: Apache-2.0
#include "reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "labels.h"
#include "printable.h"
#include "text_width.h"

namespace pidforest::cli {

namespace {

/// What gives less is not worth a word, nor what gives less than a share of 15 % of the score.
constexpr double least_bits = 0.5;
constexpr double least_share = 0.15;

/// Six digits are enough to recognise a number by; whole ones are shown in full.
std::string value_of(const Table& row, const std::string& name) {
  constexpr std::size_t longest_text = 40;
  const Column& column = column_of(row, name, "the model");
  if (column.type != ColumnType::text && std::abs(column.number(0)) < 1e15 &&
      column.number(0) != std::floor(column.number(0)))
    return fmt::format("{:.6g}", column.number(0));
  const std::string text = text_of(column, 0);
  return text.empty() ? "missing" : fitted(printable(text), longest_text);
}

}  // namespace

std::vector<ColumnBits> column_bits_of(const Explanations& explained, std::size_t i, std::size_t n_columns) {
  std::vector<ColumnBits> columns;
  for (std::size_t column = 0; column < n_columns; ++column)
    if (const double bits = explained.column_bits[i * n_columns + column]; bits != 0) columns.push_back({column, bits});
  std::ranges::stable_sort(columns, std::ranges::greater{}, &ColumnBits::bits);
  return columns;
}

std::string column_words(const std::vector<ColumnBits>& columns, const Schema& schema, const Table& row, double bits) {
  constexpr std::size_t most = 3;
  std::string words;
  for (std::size_t i = 0; i < std::min(most, columns.size()); ++i) {
    if (columns[i].bits < std::max(least_bits, least_share * bits)) break;
    const std::string& name = schema.columns[columns[i].column].name;
    words += fmt::format("{}{} {} (+{:.1f}{})", i > 0 ? ", " : "", printable(name), value_of(row, name),
                         columns[i].bits, i > 0 ? "" : " bits");
  }
  if (!words.empty()) return words;
  return bits < least_bits ? "nothing stands out" : "many columns, each a little";
}

std::string few_words_of(const Witness& witness, const Schema& schema) {
  const int digits = witness.expected() < 10 ? 1 : 0;
  return fmt::format("{}: {} row{}, {:.{}f} expected", printable(to_words(witness.conditions, schema)),
                     witness.n_inside, witness.n_inside == 1 ? "" : "s", witness.expected(), digits);
}

TableStore rows_at(const Batches& table, const std::vector<std::uint64_t>& numbers) {
  TableStore rows;
  std::uint64_t first = 0;
  auto next = numbers.begin();
  table.for_each([&](const Table& batch) {
    for (; next != numbers.end() && *next < first + batch.n_rows(); ++next) {
      const auto i = static_cast<std::size_t>(*next - first);
      rows.append(batch.rows(i, i + 1));
    }
    first += batch.n_rows();
  });
  return rows;
}

}  // namespace pidforest::cli
