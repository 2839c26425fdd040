// SPDX-License-Identifier: Apache-2.0
#include "file/reasons_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <vector>

#include "geometry/part.h"
#include "pidforest/error.h"

namespace pidforest::file {

using geometry::AxisKind;
using geometry::CodeRange;
using geometry::Part;
using reasons::CubeStep;
using reasons::Lines;
using reasons::Reasons;

namespace {

/// The kind of a part that holds the missing values.
constexpr std::uint8_t missing_kind = 255;

std::uint8_t kind_of(const Part& part) { return part.is_missing ? missing_kind : static_cast<std::uint8_t>(part.kind); }

[[noreturn]] void refuse_lengths() { throw BadFile("its arrays of reasons have different lengths."); }

/// Takes the numbers of an array one after the other.
template <class T>
class Numbers {
 public:
  Numbers(SectionReader& file, std::string_view name) : array_(file.take_array<T>(name)) {}

  [[nodiscard]] std::size_t size() const { return array_.size(); }
  [[nodiscard]] T operator[](std::size_t i) const { return array_[i]; }
  [[nodiscard]] bool is_at_end() const { return next_ == array_.size(); }
  T take() {
    if (is_at_end()) refuse_lengths();
    return array_[next_++];
  }

 private:
  LittleEndianArray<T> array_;
  std::size_t next_ = 0;
};

std::vector<Part> read_parts(SectionReader& file) {
  const Numbers<std::uint32_t> axis(file, "part.axis");
  const Numbers<std::uint8_t> kind(file, "part.kind");
  const Numbers<double> low(file, "part.low");
  const Numbers<double> high(file, "part.high");
  const Numbers<std::uint32_t> n_levels(file, "part.n_levels");
  Numbers<std::uint32_t> begin(file, "level.begin");
  Numbers<std::uint32_t> end(file, "level.end");
  if (std::ranges::any_of(std::array{kind.size(), low.size(), high.size(), n_levels.size()},
                          [&](std::size_t size) { return size != axis.size(); }))
    refuse_lengths();
  std::vector<Part> parts;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    if (kind[i] > static_cast<std::uint8_t>(geometry::last_axis_kind) && kind[i] != missing_kind)
      throw BadFile(fmt::format("part {} must be of kind 0, 1, 2 or 255; got {}.", i, kind[i]));
    Part part{.axis = axis[i], .is_missing = kind[i] == missing_kind, .low = low[i], .high = high[i]};
    if (!part.is_missing) part.kind = static_cast<AxisKind>(kind[i]);
    for (std::uint32_t level = 0; level < n_levels[i]; ++level) part.levels.push_back({begin.take(), end.take()});
    parts.push_back(std::move(part));
  }
  if (!begin.is_at_end() || !end.is_at_end()) refuse_lengths();
  return parts;
}

void read_cubes(SectionReader& file, Reasons& reasons) {
  const Numbers<std::uint32_t> parent(file, "cube.parent");
  const Numbers<std::uint32_t> part(file, "cube.part");
  const Numbers<std::uint64_t> count(file, "cube.count");
  if (part.size() != parent.size() || count.size() != parent.size()) refuse_lengths();
  reasons.cubes.clear();
  reasons.counts.clear();
  for (std::size_t i = 0; i < parent.size(); ++i) {
    reasons.cubes.push_back({parent[i], part[i]});
    reasons.counts.push_back(count[i]);
  }
}

void read_leaves(SectionReader& file, const forest::Forest& forest, Reasons& reasons) {
  Numbers<std::uint32_t> cube(file, "leaf.cube");
  for (const forest::Tree& tree : forest.trees | std::views::take(reasons::most_reason_trees)) {
    auto& cubes = reasons.leaves.emplace_back();
    for (const forest::Node& node : tree.nodes) cubes.push_back(node.is_leaf() ? cube.take() : 0);
  }
  if (!cube.is_at_end()) refuse_lengths();
}

void read_lines(SectionReader& file, Reasons& reasons) {
  const Numbers<std::uint32_t> n_borders(file, "line.n_borders");
  Numbers<double> border(file, "line.border");
  Numbers<std::uint32_t> cube(file, "line.cube");
  for (std::size_t axis = 0; axis < n_borders.size(); ++axis) {
    Lines& lines = reasons.lines.emplace_back();
    for (std::uint32_t i = 0; i < n_borders[axis]; ++i) lines.borders.push_back(border.take());
    lines.marks.clear();
    for (std::uint64_t i = 0; i <= n_borders[axis]; ++i) lines.marks.push_back(cube.take());
    lines.of_missing = cube.take();
  }
  if (!border.is_at_end() || !cube.is_at_end()) refuse_lengths();
}

/// The bounds are those of the parts.
void read_neighbours(SectionReader& file, Reasons& reasons) {
  const std::size_t n_axes = reasons.lines.size();
  if (std::ranges::any_of(reasons.parts, [&](const Part& part) { return part.axis >= n_axes; }))
    throw BadFile(fmt::format("the parts of its reasons must be on one of {} axes.", n_axes));
  reasons.neighbours = reasons::Neighbours(reasons.parts, n_axes);
  Numbers<double> least(file, "near.least");
  Numbers<double> largest(file, "near.largest");
  Numbers<std::uint8_t> has_missing(file, "near.missing");
  for (reasons::Neighbours::Axis& axis : reasons.neighbours.axes()) {
    axis.has_missing = has_missing.take() != 0;
    for (reasons::Neighbours::Cell& cell : axis.cells) cell = {least.take(), largest.take()};
  }
  if (!least.is_at_end() || !largest.is_at_end() || !has_missing.is_at_end()) refuse_lengths();
}

}  // namespace

void add_reasons(SectionWriter& file, const Reasons& reasons, const forest::Forest& forest) {
  const auto itself = [](auto number) { return number; };
  const auto size = [](const auto& items) { return static_cast<std::uint32_t>(items.size()); };
  file.add_array("part.axis", reasons.parts, [](const Part& part) { return part.axis; });
  file.add_array("part.kind", reasons.parts, kind_of);
  file.add_array("part.low", reasons.parts, [](const Part& part) { return part.low; });
  file.add_array("part.high", reasons.parts, [](const Part& part) { return part.high; });
  file.add_array("part.n_levels", reasons.parts, [&](const Part& part) { return size(part.levels); });
  const auto levels = reasons.parts | std::views::transform(&Part::levels) | std::views::join;
  file.add_array("level.begin", levels, [](const CodeRange& range) { return range.begin; });
  file.add_array("level.end", levels, [](const CodeRange& range) { return range.end; });
  file.add_array("cube.parent", reasons.cubes, [](const CubeStep& cube) { return cube.parent; });
  file.add_array("cube.part", reasons.cubes, [](const CubeStep& cube) { return cube.part; });
  file.add_array("cube.count", reasons.counts, itself);
  std::vector<std::uint32_t> of_leaves;
  for (std::size_t tree = 0; tree < reasons.leaves.size(); ++tree)
    for (std::size_t v = 0; v < reasons.leaves[tree].size(); ++v)
      if (forest.trees[tree].nodes[v].is_leaf()) of_leaves.push_back(reasons.leaves[tree][v]);
  file.add_array("leaf.cube", of_leaves, itself);
  file.add_array("line.n_borders", reasons.lines, [&](const Lines& lines) { return size(lines.borders); });
  file.add_array("line.border", reasons.lines | std::views::transform(&Lines::borders) | std::views::join, itself);
  std::vector<std::uint32_t> of_lines;
  for (const Lines& lines : reasons.lines) {
    of_lines.insert(of_lines.end(), lines.marks.begin(), lines.marks.end());
    of_lines.push_back(lines.of_missing);
  }
  file.add_array("line.cube", of_lines, itself);
  const auto cells =
      reasons.neighbours.axes() | std::views::transform(&reasons::Neighbours::Axis::cells) | std::views::join;
  file.add_array("near.least", cells, [](const reasons::Neighbours::Cell& cell) { return cell.least; });
  file.add_array("near.largest", cells, [](const reasons::Neighbours::Cell& cell) { return cell.largest; });
  file.add_array("near.missing", reasons.neighbours.axes(),
                 [](const reasons::Neighbours::Axis& axis) { return static_cast<std::uint8_t>(axis.has_missing); });
}

Reasons read_reasons(SectionReader& file, const forest::Forest& forest) {
  Reasons reasons;
  reasons.parts = read_parts(file);
  read_cubes(file, reasons);
  read_leaves(file, forest, reasons);
  read_lines(file, reasons);
  read_neighbours(file, reasons);
  return reasons;
}

}  // namespace pidforest::file
