// SPDX-License-Identifier: Apache-2.0
// Scores a small table exactly through an installed pidforest::exact; succeeds if the odd row out scores highest.
#include <pidforest/exact.h>

#include <algorithm>
#include <vector>

int main() {
  const std::vector<double> x = {1, 2, 3, 100, 2, 1};
  const auto table = pidforest::Table::row_major(x, 1);
  const auto rows = pidforest::exact_scores(table, pidforest::infer_schema(table)).rows;
  return std::ranges::max_element(rows, {}, &pidforest::ExactScore::bits) == rows.begin() + 3 ? 0 : 1;
}
