// SPDX-License-Identifier: Apache-2.0
// Scores a small table exactly with an installed pidforest::exact; succeeds if the outlier is rarer than the first row.
#include <pidforest/exact.h>

#include <vector>

int main() {
  const std::vector<double> x = {1, 2, 3, 100, 2, 1};
  const auto table = pidforest::Table::row_major(x, 1);
  const auto rows = pidforest::exact_scores(table, pidforest::infer_schema(table)).rows;
  return rows[3].bits > rows[0].bits ? 0 : 1;
}
