// SPDX-License-Identifier: Apache-2.0
// Compares the cost of explaining rows with that of scoring them: normal numbers, one thread, the fastest of three
// rounds.
//
//     build-bench/explain_cost
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "pidforest/pidforest.h"

namespace {

using pidforest::Explainer;
using pidforest::Model;
using pidforest::Run;
using pidforest::Table;

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void measure(std::size_t n_rows, std::size_t n_columns) {
  constexpr int rounds = 3;
  constexpr double nanoseconds = 1e9;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> values(n_rows * n_columns);
  std::ranges::generate(values, [&] { return normal(random); });
  const Table table = Table::column_major(values, n_columns);
  const Run run{.threads = 1};
  const Model model = Model::fit(table, {}, run);
  std::vector<double> least(5, std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round) {
    Explainer explainer(model, table);
    // The first row has the cubes made. The first pass over all rows counts them, so that the second only chooses.
    const std::vector<double> times{seconds([&] { (void)model.score(table, run); }),
                                    seconds([&] { (void)explainer.explain(table.rows(0, 1), run); }),
                                    seconds([&] { (void)explainer.explain(table, run); }),
                                    seconds([&] { (void)explainer.explain(table, run); }),
                                    seconds([&] { (void)model.column_bits(table, run); })};
    std::ranges::transform(times, least, least.begin(), [](double a, double b) { return std::min(a, b); });
  }
  const double per_row = nanoseconds / static_cast<double>(n_rows);
  const double explain = least[3] + least[4];
  fmt::print(
      "{} x {}: score {:.0f} ns per row; cubes {:.2f} s once; count {:.0f} ns per row; explain {:.0f} ns per row, "
      "{:.1f} times the score\n",
      n_rows, n_columns, least[0] * per_row, least[1], (least[2] - least[3]) * per_row, explain * per_row,
      explain / least[0]);
}

}  // namespace

int main() {
  for (const std::size_t n_columns : {3, 10, 50}) measure(200'000, n_columns);
}
