// SPDX-License-Identifier: Apache-2.0
// Fits and scores a small table with an installed pidforest; succeeds if the outlier scores highest.
#include <pidforest/pidforest.h>

#include <algorithm>
#include <vector>

int main() {
  std::vector<double> x(500, 1000.0);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) x[i] = static_cast<double>(i % 7);
  const auto table = pidforest::Table::row_major(x, 1);
  const std::vector<double> bits = pidforest::Model::fit(table, {.n_estimators = 20}).score(table);
  return std::ranges::max_element(bits) == bits.end() - 1 ? 0 : 1;
}
