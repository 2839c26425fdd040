// SPDX-License-Identifier: Apache-2.0
#include "reasons/axis_marks.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "reasons/node_parts.h"
#include "geometry/logarithm.h"
#include "system/parallel.h"

namespace pidforest::reasons {

using geometry::AxisKind;
using geometry::Interval;
using geometry::Part;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The values of an axis in increasing order, which makes counting fast.
class SortedValues {
 public:
  SortedValues(const forest::StridedColumn& column, std::size_t n) {
    for (std::size_t row = 0; row < n; ++row)
      if (!std::isnan(column[row])) values_.push_back(column[row]);
    n_missing_ = n - values_.size();
    std::ranges::sort(values_);
  }

  [[nodiscard]] std::size_t count(const Part& part) const {
    if (part.is_missing) return n_missing_;
    std::size_t n = 0;
    for (const auto& [low, high] : part.stretches())
      n += (high == infinity ? values_.size() : below(high)) - below(low);
    return n;
  }
  [[nodiscard]] std::size_t below(double x) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(values_, x) - values_.begin());
  }

 private:
  std::vector<double> values_;
  std::size_t n_missing_ = 0;
};

/// All parts of each axis that the trees have cut out. A range also gives the parts above its low and below its high
/// end.
std::vector<std::vector<Part>> parts_by_axis(const forest::Forest& forest, std::size_t n_trees) {
  std::vector<std::vector<Part>> by_axis(forest.root.size());
  for (const forest::Tree& tree : std::span(forest.trees).first(n_trees)) {
    const auto parts = node_parts(tree);
    for (const forest::Node& node : tree.nodes)
      for (std::uint32_t i = 0; i < node.n_children() && !node.is_leaf(); ++i)
        for (const Part& part : parts[node.first_child + i])
          if (part.axis == node.axis) by_axis[part.axis].push_back(part);
  }
  for (auto& parts : by_axis) {
    for (std::size_t i = 0, n = parts.size(); i < n; ++i)
      std::ranges::move(geometry::bounds_of(parts[i]), std::back_inserter(parts));
    std::ranges::sort(parts, geometry::comes_before);
    const auto repeated = std::ranges::unique(parts);
    parts.erase(repeated.begin(), repeated.end());
  }
  return by_axis;
}

/// The parts beyond the root interval, where no fitted row lies. A circle and a category have none.
std::vector<Part> parts_beyond(std::uint32_t axis, const std::vector<Part>& parts, const Interval& root) {
  if (!root.branches.empty() || (!parts.empty() && parts.front().kind == AxisKind::cyclic)) return {};
  return {{.axis = axis, .high = root.low}, {.axis = axis, .low = std::nextafter(root.high, infinity)}};
}

/// Axes with a single value do not count: adding one must not change an explanation.
std::size_t n_varying(const forest::Forest& forest) {
  return static_cast<std::size_t>(std::ranges::count_if(
      forest.root, [](const Interval& root) { return root.low < root.high || root.missing_share > 0; }));
}

}  // namespace

/// Finds the marks of one axis.
class AxisMarks::Finder {
 public:
  Finder(const forest::StridedColumn& column, std::size_t n, double bar, const Interval& root)
      : n_(n), bar_(bar), root_(root), values_(column, n) {}

  void add(const Part& part) {
    const std::size_t count = values_.count(part);
    const double log2_share = geometry::portable_log2(share_of(part, root_));
    const double bits = geometry::bits_of(log2_share, count, n_);
    if (bits > bar_) found_.push_back({{part, log2_share, bits}, count});
  }

  Lines lines(std::vector<RarePart>& marks) {
    Lines lines;
    const bool is_ordered = root_.branches.empty();
    for (const Found& one : found_) add_ends(one.mark.part, lines.borders);
    std::ranges::sort(lines.borders);
    const auto repeated = std::ranges::unique(lines.borders);
    lines.borders.erase(repeated.begin(), repeated.end());
    places_.assign(found_.size(), none);
    for (std::size_t i = 0; i <= lines.borders.size(); ++i)
      lines.marks.push_back(best_at(i > 0 ? lines.borders[i - 1] : (is_ordered ? -infinity : 0.0), marks));
    lines.of_missing = best_at(std::numeric_limits<double>::quiet_NaN(), marks);
    find_ordinary(lines);
    return lines;
  }

 private:
  struct Found {
    RarePart mark;
    std::size_t count;
  };

  /// The part with the most rows among the parts that hold a value and have nearly the most bits. Rows that are rare
  /// for the same reason then have the same mark.
  std::uint32_t best_at(double x, std::vector<RarePart>& marks) {
    constexpr double hardly = 1;
    double most = 0;
    for (const Found& one : found_)
      if (one.mark.part.holds(x)) most = std::max(most, one.mark.bits);
    std::size_t best = found_.size();
    for (std::size_t i = 0; i < found_.size(); ++i)
      if (found_[i].mark.bits > most - hardly && found_[i].mark.part.holds(x) &&
          (best == found_.size() || found_[i].count > found_[best].count))
        best = i;
    if (best == found_.size()) return none;
    if (places_[best] == none) {
      places_[best] = static_cast<std::uint32_t>(marks.size());
      marks.push_back(found_[best].mark);
    }
    return places_[best];
  }

  /// The stretch without marks that has the most values.
  void find_ordinary(Lines& lines) const {
    std::size_t most = 0;
    for (std::size_t i = 0; i < lines.marks.size(); ++i) {
      if (lines.marks[i] != none) continue;
      const double low = i > 0 ? lines.borders[i - 1] : -infinity;
      while (i + 1 < lines.marks.size() && lines.marks[i + 1] == none) ++i;
      const double high = i < lines.borders.size() ? lines.borders[i] : infinity;
      const std::size_t n = values_.below(high) - values_.below(low);
      if (n <= most) continue;
      most = n;
      lines.ordinary_low = low;
      lines.ordinary_high = high;
    }
  }

  std::size_t n_;
  double bar_;
  const Interval& root_;
  SortedValues values_;
  std::vector<Found> found_;
  /// The place of each found part in the marks, or `none`.
  std::vector<std::uint32_t> places_;
};

AxisMarks::AxisMarks(const forest::Forest& forest, std::size_t n_trees, const forest::Rows& sample, const Run& run) {
  const std::size_t n_axes = forest.root.size();
  const double bar = geometry::portable_log2(static_cast<double>(std::max<std::size_t>(n_varying(forest), 1))) + 1;
  const auto parts = parts_by_axis(forest, n_trees);
  std::vector<std::vector<RarePart>> marks(n_axes);
  lines_.resize(n_axes);
  system::parallel_for(n_axes, run, "finding marks", [&](std::size_t axis, unsigned /*worker*/) {
    Finder finder(sample.columns[axis], sample.n, bar, forest.root[axis]);
    for (const Part& part : parts[axis]) finder.add(part);
    for (const Part& part : parts_beyond(static_cast<std::uint32_t>(axis), parts[axis], forest.root[axis]))
      finder.add(part);
    lines_[axis] = finder.lines(marks[axis]);
  });
  for (std::size_t axis = 0; axis < n_axes; ++axis) {
    const auto first = static_cast<std::uint32_t>(marks_.size());
    for (std::uint32_t& mark : lines_[axis].marks) mark += mark == none ? 0 : first;
    lines_[axis].of_missing += lines_[axis].of_missing == none ? 0 : first;
    std::ranges::move(marks[axis], std::back_inserter(marks_));
  }
}

std::uint32_t AxisMarks::look_up(const Lines& lines, double x) {
  if (std::isnan(x)) return lines.of_missing;
  return lines.marks[static_cast<std::size_t>(std::ranges::upper_bound(lines.borders, x) - lines.borders.begin())];
}

}  // namespace pidforest::reasons
