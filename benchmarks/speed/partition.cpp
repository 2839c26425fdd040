// SPDX-License-Identifier: Apache-2.0
// Times the best grouping of one column's values: vectorized, plain, and in one pass; and a circle compared with a
// line.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <numeric>

#include "geometry/cyclic_axis.h"
#include "heavy_tailed_cells.h"

namespace {

using namespace pidforest::geometry;

constexpr double circle_length = 200;

/// Times a grouping method. The counter is the squared error of its result, in units of the node's sparsity.
template <class Group>
void grouping_by(benchmark::State& state, const Group& group) {
  const Cells cells = heavy_tailed_cells(static_cast<std::size_t>(state.range(0)));
  const auto k = static_cast<int>(state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(group(cells, k));
  state.counters["error"] = largest_value(cells) - value_of(cells, group(cells, k));
}

void exact(benchmark::State& state) {
  grouping_by(state, [](const Cells& cells, int k) { return partition(cells, k); });
}

void plain(benchmark::State& state) { grouping_by(state, partition_plain); }

void one_pass(benchmark::State& state) {
  grouping_by(state, [](const Cells& cells, int k) { return partition_one_pass(cells, k, 0.1); });
}

void bound(benchmark::State& state) {
  const Cells cells = heavy_tailed_cells(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(value_bound(cells, static_cast<int>(state.range(1))));
}

/// Times the best split of the same values on an axis of the given kind, from sorted values to children.
void split_of(benchmark::State& state, const Axis& axis) {
  const std::vector<double> values = heavy_tailed_values(static_cast<std::size_t>(state.range(0)));
  std::vector<std::uint32_t> rows(values.size());
  std::iota(rows.begin(), rows.end(), 0U);
  const NodeValues node{values, rows, 0};
  const Interval interval{0, circle_length};
  const auto k = static_cast<int>(state.range(1));
  Layout layout;
  for (auto _ : state) {
    axis.lay_out(node, interval, layout);
    const Grouping grouping = axis.group(node, interval, k, nullptr, layout);
    benchmark::DoNotOptimize(axis.split_by(node, interval, layout, grouping));
  }
}

void split_of_a_line(benchmark::State& state) { split_of(state, OrderedAxis(false)); }
void split_of_a_circle(benchmark::State& state) { split_of(state, CyclicAxis(circle_length, false)); }

void sizes(benchmark::internal::Benchmark* b) {
  b->Args({4, 5})->Args({16, 5})->Args({100, 3})->Args({256, 5})->Args({300, 5});
  b->Unit(benchmark::kMicrosecond);
}

void crossover(benchmark::internal::Benchmark* b) {
  for (const int m : {1000, 2000, 4000, 8000, 16000, 24000, 32000}) b->Args({m, 5});
  b->Unit(benchmark::kMicrosecond);
}

BENCHMARK(exact)->Apply(sizes)->Apply(crossover);
BENCHMARK(plain)->Apply(sizes);
BENCHMARK(one_pass)->Apply(sizes)->Apply(crossover);
BENCHMARK(bound)->Apply(sizes);
BENCHMARK(split_of_a_line)->Apply(sizes);
BENCHMARK(split_of_a_circle)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
