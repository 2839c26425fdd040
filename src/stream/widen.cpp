// SPDX-License-Identifier: Apache-2.0
#include "stream/widen.h"

#include <algorithm>
#include <numbers>
#include <utility>

#include "geometry/logarithm.h"

namespace pidforest::stream {

using geometry::Interval;
using geometry::portable_log2;

bool widen(forest::Tree& tree, std::vector<Interval>& root, std::size_t axis, double low, double high) {
  root[axis].low = low;
  root[axis].high = high;
  const auto cuts_axis = [&](const forest::Node& node) { return !node.is_leaf() && node.axis == axis; };
  if (std::ranges::none_of(tree.nodes, cuts_axis)) return false;
  const std::vector<double> before = tree.log2_volumes;
  // What each node holds of the axis.
  std::vector<std::pair<double, double>> parts(tree.nodes.size(), {low, high});
  for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
    const forest::Node& node = tree.nodes[v];
    if (node.is_leaf()) continue;
    const auto [from, to] = parts[v];
    const bool is_cut = node.axis == axis;
    const double values_share =
        node.has_missing_child
            ? 1 - geometry::portable_exp(std::numbers::ln2 * (before[node.missing_child()] - before[v]))
            : 1;
    for (std::uint32_t i = 0; i < node.n_children(); ++i) {
      const std::uint32_t child = node.first_child + i;
      parts[child] = parts[v];
      double log2_share = before[child] - before[v];
      if (is_cut && i < node.n_value_children) {
        const double* const cuts = tree.cuts.data() + node.first_cut;
        parts[child] = {i == 0 ? from : cuts[i - 1], i < node.n_cuts ? cuts[i] : to};
        const Interval whole{.low = from, .high = to};
        log2_share = portable_log2(
            values_share * geometry::floored_share(geometry::share_of(parts[child].first, parts[child].second, whole)));
      }
      tree.log2_volumes[child] = tree.log2_volumes[v] + log2_share;
    }
  }
  return true;
}

}  // namespace pidforest::stream
