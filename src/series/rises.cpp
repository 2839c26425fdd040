// SPDX-License-Identifier: Apache-2.0
#include "series/rises.h"

#include <fmt/format.h>

namespace pidforest::series {

std::vector<std::size_t> rise_spans(std::size_t window) {
  constexpr std::size_t longest = 8;
  std::vector<std::size_t> spans;
  for (std::size_t over = 1; over < window && over <= longest; ++over) spans.push_back(over);
  return spans;
}

ColumnSchema rise_column(const ColumnSchema& column, const std::string& span) {
  return {
      .name = fmt::format("rise of {} within {}", column.name, span), .kind = Kind::continuous, .unit = column.unit};
}

}  // namespace pidforest::series
