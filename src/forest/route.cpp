// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/route.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "forest/compare-inl.h"
#include "forest/route.h"

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

/// The rows whose value is `cut` or more.
HWY_INLINE RowSet at_least(const double* values, double cut) {
  const auto threshold = hn::Set(Doubles(), cut);
  return rows_where(values, [&](auto x) HWY_ATTR { return hn::Ge(x, threshold); });
}

void Route(const Tree& tree, const RowBlock& block, std::size_t word, Arrivals& arrivals) {
  struct Visit {
    std::uint32_t node;
    RowSet rows;
  };
  std::array<Visit, word_rows> to_visit;  // as with arrivals: disjoint and not empty
  std::size_t n_to_visit = 0;
  const Node* nodes = tree.nodes.data();
  const auto send = [&](std::uint32_t node, RowSet rows) HWY_ATTR {
    if (rows == 0) return;
    if (nodes[node].is_leaf())
      arrivals.add(node, rows);
    else
      to_visit[n_to_visit++] = {node, rows};
  };

  send(0, block.rows(word));
  while (n_to_visit > 0) {
    auto [number, rows] = to_visit[--n_to_visit];
    const Node& node = nodes[number];
    const RowSet missing = rows & block.missing(node.axis, word);
    if (missing != 0) {
      if (node.has_missing_child)
        send(node.missing_child(), missing);
      else
        arrivals.add(number, missing);
      rows &= ~missing;
    }
    const double* values = block.values(node.axis, word);
    const double* cuts = tree.cuts.data() + node.first_cut;
    for (std::uint32_t i = node.n_cuts; i > 0 && rows != 0; --i) {
      const RowSet above = rows & at_least(values, cuts[i - 1]);
      send(node.first_child + i, above);
      rows &= ~above;
    }
    send(node.first_child, rows);
  }
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(Route);

void route(const Tree& tree, const RowBlock& block, std::size_t word, Arrivals& arrivals) {
  arrivals.clear();
  HWY_DYNAMIC_DISPATCH(Route)(tree, block, word, arrivals);
}

std::uint32_t child_towards(const Tree& tree, std::uint32_t number, const Rows& rows, std::size_t row) {
  const Node& node = tree.nodes[number];
  if (node.is_leaf()) return number;
  const double x = rows.columns[node.axis][row];
  if (std::isnan(x)) return node.has_missing_child ? node.missing_child() : number;
  const auto cuts = tree.cuts.begin() + node.first_cut;
  return node.first_child + static_cast<std::uint32_t>(std::upper_bound(cuts, cuts + node.n_cuts, x) - cuts);
}

std::uint32_t route_plain(const Tree& tree, const Rows& rows, std::size_t row) {
  for (std::uint32_t number = 0;;) {
    const std::uint32_t child = child_towards(tree, number, rows, row);
    if (child == number) return number;
    number = child;
  }
}

}  // namespace pidforest::forest
#endif  // HWY_ONCE
