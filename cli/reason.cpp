// SPDX-License-Identifier: Apache-2.0
#include "reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "labels.h"
#include "printable.h"
#include "text_width.h"

namespace pidforest::cli {

namespace {

/// What gives less is not worth a word, nor what gives less than a share of 15 % of the score.
constexpr double least_bits = 0.5;
constexpr double least_share = 0.15;

struct Part {
  std::string column;
  double bits;
};

std::vector<Part> parts_that_matter(const Model& model, const Table& row, double bits) {
  constexpr std::size_t most_parts = 3;
  const std::vector<double> shares = model.column_bits(row);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i] >= std::max(least_bits, least_share * bits))
      parts.push_back({model.schema().columns[i].name, shares[i]});
  std::ranges::stable_sort(parts, std::ranges::greater{}, &Part::bits);
  if (parts.size() > most_parts) parts.erase(parts.begin() + most_parts, parts.end());
  return parts;
}

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

std::string reason_of(const Model& model, const Table& row, double bits) {
  std::string reason;
  for (const Part& part : parts_that_matter(model, row, bits))
    reason += fmt::format("{}{} {} (+{:.1f}{})", reason.empty() ? "" : ", ", printable(part.column),
                          value_of(row, part.column), part.bits, reason.empty() ? " bits" : "");
  if (!reason.empty()) return reason;
  return bits < least_bits ? "nothing stands out" : "many columns, each a little";
}

}  // namespace pidforest::cli
