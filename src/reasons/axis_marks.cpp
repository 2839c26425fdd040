// SPDX-License-Identifier: Apache-2.0
#include "reasons/axis_marks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/logarithm.h"

namespace pidforest::reasons {

using geometry::AxisKind;
using geometry::Interval;
using geometry::Part;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The stretches between two borders that a part holds, as places in Lines::marks: calls visit(place) for each.
template <class Visit>
void for_each_place(const Part& part, const std::vector<double>& borders, const Visit& visit) {
  for (const auto& [low, high] : part.stretches()) {
    const auto place_of = [&](double end) {
      return static_cast<std::size_t>(std::ranges::lower_bound(borders, end) - borders.begin());
    };
    const std::size_t first = low == -infinity ? 0 : place_of(low) + 1;
    const std::size_t last = high == infinity ? borders.size() : place_of(high);
    for (std::size_t place = first; place <= last; ++place) visit(place);
  }
}

/// Chooses among the rare parts that hold the same values.
class BestPart {
 public:
  void see(const RarePart& one) { most_ = std::max(most_, one.bits); }
  void offer(const RarePart& one) {
    if (one.bits > most_ - hardly_less && (best_ == nullptr || one.count > best_->count)) best_ = &one;
  }
  [[nodiscard]] std::uint32_t number() const { return best_ == nullptr ? 0 : best_->number; }

 private:
  double most_ = 0;
  const RarePart* best_ = nullptr;
};

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
  std::vector<BestPart> best(lines.borders.size() + 2);  // the last is of missing values
  const auto for_each_best = [&](const RarePart& one, auto visit) {
    if (one.part->is_missing) return visit(best.back());
    for_each_place(*one.part, lines.borders, [&](std::size_t place) { visit(best[place]); });
  };
  for (const RarePart& one : rare) for_each_best(one, [&](BestPart& place) { place.see(one); });
  for (const RarePart& one : rare) for_each_best(one, [&](BestPart& place) { place.offer(one); });
  lines.marks.clear();
  for (std::size_t place = 0; place <= lines.borders.size(); ++place) lines.marks.push_back(best[place].number());
  lines.of_missing = best.back().number();
  merge_equal(lines);
  return lines;
}

}  // namespace pidforest::reasons
