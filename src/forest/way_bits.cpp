// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/way_bits.cpp"
#include "forest/way_bits.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void AddWays(const double* bits, std::size_t stride, std::span<const std::uint32_t> end_of, double* sums) {
  const hn::CappedTag<double, 4> d;
  for (const std::uint32_t node : end_of) {
    const double* way = bits + node * stride;
    for (std::size_t i = 0; i < stride; i += hn::Lanes(d))
      hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::LoadU(d, way + i)), d, sums + i);
    sums += stride;
  }
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

void WayBits::add(std::span<const std::uint32_t> end_of, std::span<double> sums) const {
  HWY_DYNAMIC_DISPATCH(AddWays)(bits_.data(), stride_, end_of, sums.data());
}

}  // namespace pidforest::forest
#endif  // HWY_ONCE
