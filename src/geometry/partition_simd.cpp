// SPDX-License-Identifier: Apache-2.0
// `partition`, vectorised with Highway and dispatched to the best instructions of the machine at run time.
//
// Targets i go side by side in the lanes of a vector; sources j run past them. Up to four layers of groups share the
// computation of what the units between j and i are worth. The largest of a set does not depend on the order of
// comparing, so every vector length chooses what `partition_plain` chooses.
// Declared in geometry/partition.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry/partition_simd.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "geometry/partition.h"
#include "system/per_thread.h"

#ifndef PIDFOREST_GEOMETRY_PARTITION_TABLES
#define PIDFOREST_GEOMETRY_PARTITION_TABLES
namespace pidforest::geometry {

/// The lanes of the longest vector in use, 512 bits.
inline constexpr std::size_t lanes_at_most = 16;

/// The arrays of one run, all indexed by border and padded by a whole vector.
struct PartitionTables {
  const float* border;
  const float* penalty;
  /// reciprocal[c] = 1 / c; readable for negative c too.
  const float* reciprocal;
  /// layer[g][i]: the largest worth of the units before border i in exactly g + 1 groups.
  std::array<float*, max_groups> layer;
  const std::function<void()>* check_cancelled;
};

/// The number of targets between two calls of check_cancelled: milliseconds even for hundreds of thousands of units.
inline constexpr std::size_t targets_per_check = 1024;

}  // namespace pidforest::geometry
#endif

HWY_BEFORE_NAMESPACE();
namespace pidforest::geometry::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, lanes_at_most>;

/// Fills layers g .. g + Layers - 1 at the borders 0 .. n from layer g - 1.
template <int Layers>
void fill_layers(const PartitionTables& t, std::size_t g, std::size_t n) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto never = hn::Set(d, -std::numeric_limits<float>::infinity());
  const float* from1 = t.layer[g - 1];
  const float* from2 = t.layer[g];
  const float* from3 = Layers > 2 ? t.layer[g + 1] : nullptr;
  const float* from4 = Layers > 3 ? t.layer[g + 2] : nullptr;
  for (std::size_t i = 0; i <= n; i += lanes) {
    if (i % targets_per_check == 0 && *t.check_cancelled) (*t.check_cancelled)();
    const auto border = hn::LoadU(d, t.border + i);
    const auto penalty = hn::LoadU(d, t.penalty + i);
    auto best1 = never;
    auto best2 = never;
    auto best3 = never;
    auto best4 = never;
    const auto worth = [&](std::size_t j) HWY_ATTR {
      const auto length = hn::Sub(border, hn::Set(d, t.border[j]));
      return hn::Mul(hn::Mul(length, length), hn::LoadU(d, t.reciprocal + i - j));
    };
    for (std::size_t j = 0; j < i; ++j) {
      const auto joined = worth(j);
      best1 = hn::Max(best1, hn::Add(hn::Set(d, from1[j]), joined));
      if constexpr (Layers > 1) best2 = hn::Max(best2, hn::Add(hn::Set(d, from2[j]), joined));
      if constexpr (Layers > 2) best3 = hn::Max(best3, hn::Add(hn::Set(d, from3[j]), joined));
      if constexpr (Layers > 3) best4 = hn::Max(best4, hn::Add(hn::Set(d, from4[j]), joined));
    }
    // Sources among the targets themselves: lane j - i is final once the sources before it have been seen.
    for (std::size_t j = i; j < std::min(i + lanes, n); ++j) {
      if constexpr (Layers > 1) hn::StoreU(hn::Add(best1, penalty), d, t.layer[g] + i);
      if constexpr (Layers > 2) hn::StoreU(hn::Add(best2, penalty), d, t.layer[g + 1] + i);
      if constexpr (Layers > 3) hn::StoreU(hn::Add(best3, penalty), d, t.layer[g + 2] + i);
      const auto later = hn::Not(hn::FirstN(d, j - i + 1));
      const auto joined = hn::IfThenElse(later, worth(j), never);
      best1 = hn::Max(best1, hn::Add(hn::Set(d, from1[j]), joined));
      if constexpr (Layers > 1) best2 = hn::Max(best2, hn::Add(hn::Set(d, from2[j]), joined));
      if constexpr (Layers > 2) best3 = hn::Max(best3, hn::Add(hn::Set(d, from3[j]), joined));
      if constexpr (Layers > 3) best4 = hn::Max(best4, hn::Add(hn::Set(d, from4[j]), joined));
    }
    hn::StoreU(hn::Add(best1, penalty), d, t.layer[g] + i);
    if constexpr (Layers > 1) hn::StoreU(hn::Add(best2, penalty), d, t.layer[g + 1] + i);
    if constexpr (Layers > 2) hn::StoreU(hn::Add(best3, penalty), d, t.layer[g + 2] + i);
    if constexpr (Layers > 3) hn::StoreU(hn::Add(best4, penalty), d, t.layer[g + 3] + i);
  }
}

/// The largest of from[j] + worth(j, i) over the sources 1 <= j < i.
float best_at(const PartitionTables& t, const float* from, std::size_t i) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto never = hn::Set(d, -std::numeric_limits<float>::infinity());
  const auto border = hn::Set(d, t.border[i]);
  auto best = never;
  for (std::size_t j = 0; j < i; j += lanes) {
    const auto length = hn::Sub(border, hn::LoadU(d, t.border + j));
    const auto reciprocal = hn::Reverse(d, hn::LoadU(d, t.reciprocal + i - j - (lanes - 1)));
    const auto joined = hn::Mul(hn::Mul(length, length), reciprocal);
    const auto sum = hn::Add(hn::LoadU(d, from + j), joined);
    best = hn::Max(best, hn::IfThenElse(hn::FirstN(d, i - j), sum, never));
  }
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

/// The earliest source from which border i reaches `best`.
std::size_t source_of(const PartitionTables& t, const float* from, std::size_t i, float best) {
  std::size_t j = 1;
  for (;; ++j) {
    const float length = t.border[i] - t.border[j];
    if (from[j] + length * length * t.reciprocal[i - j] == best) return j;
  }
}

/// Fills the layers from the second up to but not including `end`.
void FillLayers(const PartitionTables& t, std::size_t n, std::size_t end) {
  for (std::size_t g = 1; g < end;) {
    const std::size_t layers = std::min<std::size_t>(4, end - g);
    if (layers == 4) fill_layers<4>(t, g, n);
    if (layers == 3) fill_layers<3>(t, g, n);
    if (layers == 2) fill_layers<2>(t, g, n);
    if (layers == 1) fill_layers<1>(t, g, n);
    g += layers;
  }
}

void Solve(const PartitionTables& t, std::size_t n, std::size_t k, Grouping& grouping) {
  if (k > 1) {
    FillLayers(t, n, k - 1);
    // The last layer is needed at the last border only.
    t.layer[k - 1][n] = best_at(t, t.layer[k - 2], n);
  }

  std::size_t group = 0;
  for (std::size_t g = 1; g < k; ++g)
    if (t.layer[g][n] > t.layer[group][n]) group = g;
  grouping.n_groups = static_cast<int>(group) + 1;
  grouping.first[group + 1] = n;
  for (; group > 0; --group) {
    const std::size_t i = grouping.first[group + 1];
    grouping.first[group] = source_of(t, t.layer[group - 1], i, t.layer[group][i]);
  }
}

}  // namespace pidforest::geometry::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::geometry {

HWY_EXPORT(FillLayers);
HWY_EXPORT(Solve);

namespace {

constexpr std::size_t padding = lanes_at_most;

/// The memory of one thread's runs, kept between them: splitting a small node must not cost an allocation.
struct Workspace {
  std::vector<float> reciprocal;
  std::vector<float> border;
  std::vector<float> penalty;
  std::vector<float> layers;

  void resize(std::size_t n, std::size_t k) {
    const std::size_t width = n + 1 + 2 * padding;
    if (reciprocal.size() < width) {
      border.assign(width, 0);
      penalty.assign(width, 0);
      reciprocal.assign(width, 0);  // comes last: its size says that all of them have memory
      for (std::size_t c = 1; c + padding < width; ++c) reciprocal[c + padding] = 1.0F / static_cast<float>(c);
    }
    if (layers.size() < width * k) layers.assign(width * k, 0);
  }
};

/// The thread's tables with the first layer filled in.
PartitionTables tables_of(const Cells& cells, std::size_t k, const std::function<void()>& check_cancelled) {
  static const system::PerThread<Workspace> workspaces;
  Workspace& workspace = workspaces();
  const std::size_t n = cells.size();
  workspace.resize(n, k);
  constexpr float never = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 1; i <= n; ++i) {
    workspace.border[i] = static_cast<float>(cells.border(i));
    workspace.penalty[i] = cells.may_cut(i) ? 0 : never;
  }
  PartitionTables t{.border = workspace.border.data(),
                    .penalty = workspace.penalty.data(),
                    .reciprocal = workspace.reciprocal.data() + padding,
                    .layer = {},
                    .check_cancelled = &check_cancelled};
  for (std::size_t g = 0; g < k; ++g) t.layer[g] = workspace.layers.data() + g * (n + 1 + padding);
  t.layer[0][0] = never;
  for (std::size_t i = 1; i <= n; ++i) t.layer[0][i] = t.border[i] * t.border[i] * t.reciprocal[i] + t.penalty[i];
  return t;
}

}  // namespace

Grouping partition(const Cells& cells, int k, const std::function<void()>& check_cancelled) {
  constexpr std::size_t rows_per_cell_for_plain = 3;  // then its steps are fewer by more than a vector has lanes
  if (cells.n_cells() * rows_per_cell_for_plain < cells.size()) return partition_plain(cells, k);
  const auto most = static_cast<std::size_t>(k);
  const PartitionTables t = tables_of(cells, most, check_cancelled);
  Grouping grouping;
  HWY_DYNAMIC_DISPATCH(Solve)(t, cells.size(), most, grouping);
  return grouping;
}

PrefixWorths prefix_worths(const Cells& cells, int k, const std::function<void()>& check_cancelled) {
  const auto most = static_cast<std::size_t>(k);
  const PartitionTables t = tables_of(cells, most, check_cancelled);
  HWY_DYNAMIC_DISPATCH(FillLayers)(t, cells.size(), most);
  std::vector<float> worths;
  worths.reserve(most * (cells.size() + 1));
  for (std::size_t g = 0; g < most; ++g) worths.insert(worths.end(), t.layer[g], t.layer[g] + cells.size() + 1);
  return {cells.size(), std::move(worths)};
}

}  // namespace pidforest::geometry
#endif  // HWY_ONCE
