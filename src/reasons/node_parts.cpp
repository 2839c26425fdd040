// SPDX-License-Identifier: Apache-2.0
#include "reasons/node_parts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace pidforest::reasons {

using geometry::Part;
using geometry::Parts;

namespace {

Parts with_part(const Parts& parts, std::size_t place, bool replaces, Part part) {
  Parts more = parts;
  if (replaces)
    more[place] = std::move(part);
  else
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(place), std::move(part));
  return more;
}

}  // namespace

Part part_of_child(const forest::Tree& tree, const forest::Node& node, std::uint32_t child, const Part* before) {
  if (child >= node.n_value_children) return {.axis = node.axis, .is_missing = true};
  // A fork that only separates missing values is ordered on every axis: the part before a cut of another kind holds all
  // values.
  const bool is_all_of_axis = before == nullptr || before->kind != node.kind;
  const Part whole = is_all_of_axis ? geometry::whole_part(node.axis, node.kind) : *before;
  return geometry::child_part(whole, tree.fork(node), child, is_all_of_axis);
}

std::vector<Parts> node_parts(const forest::Tree& tree) {
  std::vector<Parts> parts(tree.nodes.size());
  for (std::size_t number = 0; number < tree.nodes.size(); ++number) {
    const forest::Node& node = tree.nodes[number];
    if (node.is_leaf()) continue;
    const Parts& own = parts[number];
    const auto place =
        static_cast<std::size_t>(std::ranges::lower_bound(own, node.axis, {}, &Part::axis) - own.begin());
    const bool is_narrowed = place < own.size() && own[place].axis == node.axis;
    for (std::uint32_t child = 0; child < node.n_children(); ++child)
      parts[node.first_child + child] =
          with_part(own, place, is_narrowed, part_of_child(tree, node, child, is_narrowed ? &own[place] : nullptr));
  }
  return parts;
}

}  // namespace pidforest::reasons
