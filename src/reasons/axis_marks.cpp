// SPDX-License-Identifier: Apache-2.0
#include "reasons/axis_marks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/logarithm.h"
#include "geometry/sorted_numbers.h"
#include "reasons/best_parts.h"

namespace pidforest::reasons {

using geometry::AxisKind;
using geometry::Interval;
using geometry::Part;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void add_held(const RarePart& one, const std::vector<double>& borders, std::vector<HeldPlaces>& held) {
  if (one.part->is_missing) held.push_back({&one, borders.size() + 1, borders.size() + 1});
  for (const auto& [low, high] : one.part->stretches())
    held.push_back({&one, low == -infinity ? 0 : geometry::n_below(borders, low) + 1,
                    high == infinity ? borders.size() : geometry::n_below(borders, high)});
}

/// Drops the borders between values with the same mark.
void merge_equal(Lines& lines) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < lines.borders.size(); ++i) {
    if (lines.marks[i + 1] == lines.marks[n]) continue;
    lines.borders[n] = lines.borders[i];
    lines.marks[++n] = lines.marks[i + 1];
  }
  lines.borders.resize(n);
  lines.marks.resize(n + 1);
}

}  // namespace

std::uint32_t Lines::mark_of(double x) const {
  if (std::isnan(x)) return of_missing;
  return marks[static_cast<std::size_t>(std::ranges::upper_bound(borders, x) - borders.begin())];
}

Ordinary ordinary_stretch(const Lines& lines, const Interval& root) {
  Ordinary widest;
  double most = 0;
  for (std::size_t i = 0; i < lines.marks.size(); ++i) {
    if (lines.marks[i] != 0) continue;
    const double low = i > 0 ? lines.borders[i - 1] : -infinity;
    while (i + 1 < lines.marks.size() && lines.marks[i + 1] == 0) ++i;
    const double high = i < lines.borders.size() ? lines.borders[i] : infinity;
    const double length = std::min(high, root.high) - std::max(low, root.low);
    if (!(length >= most)) continue;
    most = length;
    widest = {low, high};
  }
  return widest;
}

double least_bits_of_product(const forest::Forest& forest) {
  // Axes with a single value do not count: adding one must not change an explanation.
  const auto n_varying = std::ranges::count_if(
      forest.root, [](const Interval& root) { return root.low < root.high || root.missing_share > 0; });
  return geometry::portable_log2(static_cast<double>(std::max<std::ptrdiff_t>(n_varying, 1))) + 1;
}

std::vector<Part> parts_beyond(std::uint32_t axis, const Interval& root, bool is_circle) {
  if (is_circle) return {};
  if (root.has_levels())
    return {{.axis = axis,
             .kind = AxisKind::category,
             .levels = {{static_cast<std::uint32_t>(root.high), std::numeric_limits<std::uint32_t>::max()}}}};
  return {{.axis = axis, .high = root.low}, {.axis = axis, .low = std::nextafter(root.high, infinity)}};
}

Lines find_lines(std::vector<RarePart> rare) {
  std::ranges::sort(rare, geometry::comes_before, [](const RarePart& one) -> const Part& { return *one.part; });
  Lines lines;
  for (const RarePart& one : rare) add_ends(*one.part, lines.borders);
  std::ranges::sort(lines.borders);
  const auto repeated = std::ranges::unique(lines.borders);
  lines.borders.erase(repeated.begin(), repeated.end());
  BestParts best(lines.borders.size() + 2);  // the last is of missing values
  std::vector<HeldPlaces> held;
  for (const RarePart& one : rare) add_held(one, lines.borders, held);
  for (const HeldPlaces& places : held) best.see(places);
  for (const HeldPlaces& places : held) best.offer(places);
  lines.marks = best.numbers();
  lines.of_missing = lines.marks.back();
  lines.marks.pop_back();
  merge_equal(lines);
  return lines;
}

}  // namespace pidforest::reasons
