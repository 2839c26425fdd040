// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/way_bits.cpp"
#include "forest/way_bits.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The paths of rows in several trees: bits[t] + ends[t][i] * stride points to the bits of row i in tree t.
struct Ways {
  std::array<const double*, WayBits::most_trees> bits;
  std::array<const std::uint32_t*, WayBits::most_trees> ends;
  std::size_t stride;
  std::size_t n_rows;
};

template <std::size_t N>
HWY_INLINE void add_ways(const Ways& ways, double* sums) {
  const hn::CappedTag<double, 4> d;
  for (std::size_t row = 0; row < ways.n_rows; ++row, sums += ways.stride) {
    std::array<const double*, N> way;
    for (std::size_t t = 0; t < N; ++t) way[t] = ways.bits[t] + ways.ends[t][row] * ways.stride;
    for (std::size_t i = 0; i < ways.stride; i += hn::Lanes(d)) {
      auto sum = hn::LoadU(d, sums + i);
      for (std::size_t t = 0; t < N; ++t) sum = hn::Add(sum, hn::LoadU(d, way[t] + i));
      hn::StoreU(sum, d, sums + i);
    }
  }
}

void AddWays(const double* const* bits, const std::uint32_t* const* ends, std::size_t n_trees, std::size_t stride,
             std::size_t n_rows, double* sums) {
  Ways ways{.bits = {}, .ends = {}, .stride = stride, .n_rows = n_rows};
  std::copy_n(bits, n_trees, ways.bits.begin());
  std::copy_n(ends, n_trees, ways.ends.begin());
  if (n_trees == 4) return add_ways<4>(ways, sums);
  if (n_trees == 3) return add_ways<3>(ways, sums);
  if (n_trees == 2) return add_ways<2>(ways, sums);
  add_ways<1>(ways, sums);
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(AddWays);

WayBits::WayBits(const Tree& tree, std::span<const double> node_bits, std::size_t n_axes)
    : stride_(stride_of(n_axes)), bits_(tree.nodes.size() * stride_, 0.0) {
  for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
    const Node& node = tree.nodes[v];
    for (std::uint32_t i = 0; i < node.n_children() && !node.is_leaf(); ++i) {
      const std::size_t child = node.first_child + i;
      double* way = bits_.data() + child * stride_;
      std::copy_n(bits_.data() + v * stride_, stride_, way);
      way[node.axis] += node_bits[child] - node_bits[v];
    }
  }
}

void WayBits::add(std::span<const WayBits* const> trees, std::span<const Ends> ends, std::size_t n_rows,
                  std::span<double> sums) {
  std::array<const double*, most_trees> bits{};
  std::array<const std::uint32_t*, most_trees> nodes{};
  for (std::size_t t = 0; t < trees.size(); ++t) {
    bits[t] = trees[t]->bits_.data();
    nodes[t] = ends[t].data();
  }
  HWY_DYNAMIC_DISPATCH(AddWays)
  (bits.data(), nodes.data(), trees.size(), trees.front()->stride_, n_rows, sums.data());
}

}  // namespace pidforest::forest
#endif  // HWY_ONCE
