// SPDX-License-Identifier: Apache-2.0
// The best grouping of one column's values: vectorised, plain, and in one pass.
#include <benchmark/benchmark.h>

#include "heavy_tailed_cells.h"

namespace {

using pidforest::geometry::Cells;

void exact(benchmark::State& state) {
  const Cells cells = heavy_tailed_cells(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(partition(cells, static_cast<int>(state.range(1))));
}

void plain(benchmark::State& state) {
  const Cells cells = heavy_tailed_cells(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(partition_plain(cells, static_cast<int>(state.range(1))));
}

void one_pass(benchmark::State& state) {
  const Cells cells = heavy_tailed_cells(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(partition_one_pass(cells, static_cast<int>(state.range(1)), 0.1));
}

void bound(benchmark::State& state) {
  const Cells cells = heavy_tailed_cells(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(upper_bound(cells, static_cast<int>(state.range(1))));
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Args({4, 5})->Args({16, 5})->Args({100, 3})->Args({256, 5})->Unit(benchmark::kMicrosecond);
}

void crossover(benchmark::internal::Benchmark* b) {
  for (const int m : {1000, 2000, 4000, 8000, 16000, 24000, 32000}) b->Args({m, 5});
  b->Unit(benchmark::kMicrosecond);
}

BENCHMARK(exact)->Apply(sizes)->Apply(crossover);
BENCHMARK(plain)->Apply(sizes);
BENCHMARK(one_pass)->Apply(sizes)->Apply(crossover);
BENCHMARK(bound)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
