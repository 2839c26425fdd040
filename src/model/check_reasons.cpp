// SPDX-License-Identifier: Apache-2.0
#include "model/check_reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "pidforest/error.h"
#include "reasons/cube_index.h"
#include "reasons/simplify.h"

namespace pidforest::model {

using geometry::AxisKind;
using geometry::CodeRange;
using geometry::Interval;
using geometry::Part;
using reasons::CubeStep;
using reasons::Lines;
using reasons::Reasons;

namespace {

[[noreturn]] void refuse(std::string_view what, std::size_t number, std::string_view complaint) {
  throw InvalidInput(fmt::format("{} {} of the reasons: {}.", what, number, complaint));
}

/// Whether the values of a part are as its kind has them.
bool has_values(const Part& part, const Interval& root) {
  if (part.is_missing) return part == Part{.axis = part.axis, .is_missing = true};
  if (part.kind == AxisKind::category)
    return part == Part{.axis = part.axis, .kind = part.kind, .levels = part.levels} && !part.levels.empty() &&
           std::ranges::all_of(part.levels, [](const CodeRange& range) { return range.begin < range.end; }) &&
           std::ranges::adjacent_find(part.levels, [](const CodeRange& a, const CodeRange& b) {
             return b.begin <= a.end;
           }) == part.levels.end();
  if (!part.levels.empty()) return false;
  if (part.kind == AxisKind::cyclic)
    return part.low >= 0 && part.low <= root.high && part.high >= 0 && part.high <= root.high;
  return part.low < part.high;
}

/// An axis with a single value is ordered, whatever its kind.
bool has_kind_of_axis(const Part& part, const Interval& root, AxisKind kind) {
  if (part.is_missing || part.kind == AxisKind::ordered) return true;
  return part.kind == kind && root.low < root.high;
}

void check_parts(const std::vector<Part>& parts, const forest::Root& root, std::span<const schema::AxisInfo> infos) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    if (part.axis >= root.size())
      refuse("part", i, fmt::format("its axis must be below {}; got {}", root.size(), part.axis));
    if (!has_kind_of_axis(part, root[part.axis], infos[part.axis].kind))
      refuse("part", i, "must be of the kind of its axis");
    if (!has_values(part, root[part.axis])) refuse("part", i, "must hold values, and levels in increasing order");
    if (i > 0 && !geometry::comes_before(parts[i - 1], part)) refuse("part", i, "must come after the part before it");
  }
}

/// Cube `number` must have a new part and all of its subsets, which hold at least as many rows.
void check_cube(const Reasons& reasons, const reasons::CubeIndex& index, std::uint32_t number) {
  const CubeStep& cube = reasons.cubes[number];
  const CubeStep& parent = reasons.cubes[cube.parent];
  if (cube.parent != 0 && reasons.parts[cube.part].axis <= reasons.parts[parent.part].axis)
    refuse("cube", number, "the axes of its parts must increase");
  if (index.child(cube.parent, cube.part) != number) refuse("cube", number, "must not be there twice");
  const std::vector<std::uint32_t> parts = index.parts_of(number);
  if (parts.size() > reasons::Simplifier::most_conditions)
    refuse("cube", number, fmt::format("must have at most {} parts", reasons::Simplifier::most_conditions));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint32_t subset = index.find(reasons::without(parts, i));
    if (subset >= number || (subset == 0 && parts.size() > 1))
      refuse("cube", number, "all cubes with one part less must come before it");
    if (reasons.counts[subset] < reasons.counts[number])
      refuse("cube", number,
             fmt::format("must have at most the {} rows of a cube that holds it; got {}", reasons.counts[subset],
                         reasons.counts[number]));
  }
}

void check_cubes(const Reasons& reasons) {
  if (reasons.cubes.empty() || reasons.cubes[0] != CubeStep{} || reasons.counts.size() != reasons.cubes.size() ||
      reasons.counts[0] == 0)
    refuse("cube", 0, "must be the root cube, with rows");
  for (std::uint32_t number = 1; number < reasons.cubes.size(); ++number) {
    const CubeStep& cube = reasons.cubes[number];
    if (cube.parent >= number || cube.part >= reasons.parts.size())
      refuse("cube", number, "its parent must come before it, and its part must be one of the parts");
  }
  const reasons::CubeIndex index(reasons.cubes);
  for (std::uint32_t number = 1; number < reasons.cubes.size(); ++number) check_cube(reasons, index, number);
}

void check_lines(const Reasons& reasons, std::size_t axis) {
  const Lines& lines = reasons.lines[axis];
  if (lines.marks.size() != lines.borders.size() + 1 ||
      !std::ranges::all_of(lines.borders, [](double border) { return std::isfinite(border); }) ||
      std::ranges::adjacent_find(lines.borders, std::ranges::greater_equal{}) != lines.borders.end())
    refuse("axis", axis, "its borders must increase, with a cube before, between and after them");
  std::vector<std::uint32_t> marks = lines.marks;
  marks.push_back(lines.of_missing);
  for (const std::uint32_t mark : marks)
    if (mark >= reasons.cubes.size() ||
        (mark != 0 && (reasons.cubes[mark].parent != 0 || reasons.parts[reasons.cubes[mark].part].axis != axis)))
      refuse("axis", axis, fmt::format("its values must have cubes of the axis alone; got cube {}", mark));
}

void check_leaves(const Reasons& reasons, const forest::Forest& forest) {
  if (reasons.leaves.size() > forest.trees.size()) refuse("tree", forest.trees.size(), "must be a tree of the forest");
  for (std::size_t tree = 0; tree < reasons.leaves.size(); ++tree) {
    const std::vector<std::uint32_t>& cubes = reasons.leaves[tree];
    if (cubes.size() != forest.trees[tree].nodes.size() ||
        !std::ranges::all_of(cubes, [&](std::uint32_t cube) { return cube < reasons.cubes.size(); }))
      refuse("tree", tree, "each of its leaves must have one of the cubes");
  }
}

/// The values of a cell lie between its bounds. A cell without values has infinity and minus infinity.
void check_neighbours(const Reasons& reasons) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t number = 0; number < reasons.neighbours.axes().size(); ++number) {
    const reasons::Neighbours::Axis& axis = reasons.neighbours.axes()[number];
    for (std::size_t i = 0; i < axis.cells.size(); ++i) {
      const auto [least, largest] = axis.cells[i];
      if (least == infinity && largest == -infinity) continue;
      const bool is_inside =
          (i == 0 || least >= axis.bounds[i - 1]) && (i == axis.bounds.size() || largest < axis.bounds[i]);
      if (!std::isfinite(least) || !std::isfinite(largest) || least > largest || !is_inside)
        refuse("axis", number, "the values next to its bounds must be finite and lie between them");
    }
  }
}

}  // namespace

void check_reasons(const Reasons& reasons, const forest::Forest& forest, std::span<const schema::AxisInfo> infos) {
  check_parts(reasons.parts, forest.root, infos);
  check_cubes(reasons);
  check_leaves(reasons, forest);
  if (reasons.lines.size() != forest.root.size()) refuse("axis", reasons.lines.size(), "every axis must have lines");
  check_neighbours(reasons);
  for (std::size_t axis = 0; axis < reasons.lines.size(); ++axis) check_lines(reasons, axis);
}

}  // namespace pidforest::model
