// SPDX-License-Identifier: Apache-2.0
#include "explain/node_parts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace pidforest::explain {

using geometry::AxisKind;
using geometry::CodeRange;
using geometry::Fork;
using geometry::Part;
using geometry::Parts;
using geometry::Piece;

namespace {

void narrow_ordered(const Fork& fork, std::uint32_t child, Part& part) {
  if (child > 0) part.low = std::max(part.low, fork.cuts[child - 1]);
  if (child < fork.cuts.size()) part.high = std::min(part.high, fork.cuts[child]);
}

/// The last child within an arc ends where the arc does, though its stretch goes on around the circle to where the arc
/// begins.
void narrow_cyclic(const Fork& fork, std::uint32_t child, bool is_circle, Part& part) {
  const auto n = static_cast<std::uint32_t>(fork.cuts.size());
  const std::uint32_t stretch = (child + n - fork.first) % n;
  const double from = fork.cuts[(stretch + n - 1) % n];
  const double to = fork.cuts[stretch];
  if (from == to) return;
  if (is_circle || to != part.low) part.high = to;
  part.low = from;
}

/// The levels of `ranges` that no piece of the fork has.
std::vector<CodeRange> without_pieces(const std::vector<CodeRange>& ranges, std::span<const Piece> pieces) {
  std::vector<CodeRange> left;
  auto piece = pieces.begin();
  for (const CodeRange& range : ranges) {
    std::uint32_t begin = range.begin;
    for (; piece != pieces.end() && piece->codes.begin < range.end; ++piece) {
      if (begin < piece->codes.begin) left.push_back({begin, piece->codes.begin});
      begin = std::max(begin, piece->codes.end);
    }
    if (begin < range.end) left.push_back({begin, range.end});
  }
  return left;
}

void narrow_category(const Fork& fork, std::uint32_t child, Part& part) {
  std::vector<CodeRange> levels;
  if (fork.first == child) levels = without_pieces(part.levels, fork.pieces);
  for (const Piece& piece : fork.pieces)
    if (piece.child == child) levels.push_back(piece.codes);
  std::ranges::sort(levels, {}, &CodeRange::begin);
  part.levels.clear();
  for (const CodeRange& range : levels)  // side by side are one
    if (!part.levels.empty() && part.levels.back().end == range.begin)
      part.levels.back().end = range.end;
    else
      part.levels.push_back(range);
}

/// All values of an axis.
Part whole_part(const forest::Node& node) {
  Part part{.axis = node.axis, .kind = node.kind};
  if (node.kind == AxisKind::cyclic) part.low = part.high = 0;
  // Without a last one: codes after those of the known levels stand for unseen levels.
  if (node.kind == AxisKind::category) part.levels = {{0, std::numeric_limits<std::uint32_t>::max()}};
  return part;
}

/// What is asked of the axis of `node` on the way to one of its children, given what its parent asks.
Part part_of_child(const forest::Tree& tree, const forest::Node& node, std::uint32_t child, const Part* before) {
  if (child >= node.n_value_children) return {.axis = node.axis, .kind = node.kind, .is_missing = true};
  Part part = before != nullptr ? *before : whole_part(node);
  const Fork fork = tree.fork(node);
  if (node.kind == AxisKind::category)
    narrow_category(fork, child, part);
  else if (node.kind == AxisKind::cyclic)
    narrow_cyclic(fork, child, before == nullptr, part);
  else
    narrow_ordered(fork, child, part);
  return part;
}

Parts with_part(const Parts& parts, std::size_t place, bool replaces, Part part) {
  Parts more = parts;
  if (replaces)
    more[place] = std::move(part);
  else
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(place), std::move(part));
  return more;
}

}  // namespace

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

}  // namespace pidforest::explain
