// SPDX-License-Identifier: Apache-2.0
#include "forest/relations.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "forest/random.h"
#include "geometry/logarithm.h"
#include "system/parallel.h"

namespace pidforest::forest {

namespace {

using Words = std::vector<std::uint64_t>;
constexpr std::size_t word_bits = 64;

/// A set of rows, and their number.
struct Mask {
  Words words = {};
  double count = 0;
};

Mask mask_of(std::span<const double> values, auto holds) {
  Mask mask{.words = Words((values.size() + word_bits - 1) / word_bits)};
  for (std::size_t row = 0; row < values.size(); ++row)
    if (holds(values[row])) mask.words[row / word_bits] |= std::uint64_t{1} << (row % word_bits);
  for (const std::uint64_t word : mask.words) mask.count += std::popcount(word);
  return mask;
}

/// Numbers levels by how often they occur, the most frequent first, and among equals the level of the first row.
void rank_levels(std::vector<double>& values) {
  std::map<double, std::size_t> counts;
  std::vector<double> levels;
  for (const double x : values)
    if (!std::isnan(x) && ++counts[x] == 1) levels.push_back(x);
  std::ranges::stable_sort(levels, std::ranges::greater{}, [&](double level) { return counts[level]; });
  std::map<double, double> ranks;
  for (std::size_t i = 0; i < levels.size(); ++i) ranks[levels[i]] = static_cast<double>(i);
  for (double& x : values)
    if (!std::isnan(x)) x = ranks[x];
}

/// Measures a circle from the value of the first row on.
void unroll(std::vector<double>& values, double period) {
  const auto first = std::ranges::find_if_not(values, [](double x) { return std::isnan(x); });
  if (first == values.end()) return;
  const double origin = *first;
  for (double& x : values) x = x < origin ? x - origin + period : x - origin;
}

/// The rows below the first and above the third quartile of an axis. A missing value is in neither.
std::array<Mask, 2> outer_quarters(std::vector<double> values, const RelatedAxis& axis) {
  if (axis.kind == geometry::AxisKind::category) rank_levels(values);
  if (axis.kind == geometry::AxisKind::cyclic) unroll(values, axis.period);
  std::vector<double> present;
  for (const double x : values)
    if (!std::isnan(x)) present.push_back(x);
  if (present.empty()) return {};
  std::ranges::sort(present);
  const double first = present[present.size() / 4];
  const double third = present[present.size() * 3 / 4];
  // Where an outer quarter would hold all rows or none, its border counts to the other side.
  const bool is_first_last = first == present.back();
  const bool is_third_last = third == present.back();
  return {mask_of(values, [&](double x) { return is_first_last ? x < first : x <= first; }),
          mask_of(values, [&](double x) { return is_third_last ? x >= third : x > third; })};
}

/// The mutual information of two sets of `n` rows that have `both` rows in common, in nats.
double information(double n, double a, double b, double both) {
  const auto term = [&](double cell, double row, double column) {
    return cell > 0 ? cell / n * geometry::portable_log(cell * n / (row * column)) : 0;
  };
  return (term(both, a, b) + term(a - both, a, n - b)) + (term(b - both, n - a, b) + term(n - a - b + both, n - a, n - b));
}

double most_information(const std::array<Mask, 2>& a, const std::array<Mask, 2>& b, double n) {
  double most = 0;
  for (const Mask& one : a)
    for (const Mask& other : b) {
      if (one.count == 0 || one.count == n || other.count == 0 || other.count == n) continue;
      int both = 0;
      for (std::size_t i = 0; i < one.words.size(); ++i) both += std::popcount(one.words[i] & other.words[i]);
      most = std::max(most, information(n, one.count, other.count, both));
    }
  return most;
}

std::vector<double> values_of(const StridedColumn& column, std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t row = 0; row < n; ++row) values[row] = column[row];
  return values;
}

bool varies(const std::array<Mask, 2>& quarters, double n) {
  return std::ranges::any_of(quarters, [&](const Mask& mask) { return mask.count > 0 && mask.count < n; });
}

}  // namespace

Relations::Relations(const Rows& rows, std::span<const RelatedAxis> axes, const Run& run)
    : relatives_(rows.columns.size()) {
  const auto n = static_cast<double>(rows.n);
  const std::size_t n_axes = rows.columns.size();
  std::vector<std::array<Mask, 2>> quarters(n_axes);
  system::parallel_for(n_axes, run, "relating columns", [&](std::size_t axis, unsigned) {
    quarters[axis] = outer_quarters(values_of(rows.columns[axis], rows.n), axes[axis]);
  });
  std::vector<std::vector<Relation>> found(n_axes);
  system::parallel_for(n_axes, run, "relating columns", [&](std::size_t first, unsigned) {
    for (std::size_t second = first + 1; second < n_axes; ++second) {
      const double most = most_information(quarters[first], quarters[second], n);
      if (most > least_information)
        found[first].push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second), most});
    }
  });
  for (const std::vector<Relation>& some : found) relations_.insert(relations_.end(), some.begin(), some.end());
  for (const Relation& one : relations_) {
    relatives_[one.first].push_back(one.second);
    relatives_[one.second].push_back(one.first);
  }
  for (std::uint32_t axis = 0; axis < n_axes; ++axis) {
    std::ranges::sort(relatives_[axis]);
    if (!relatives_[axis].empty())
      related_.push_back(axis);
    else if (varies(quarters[axis], n))
      unrelated_.push_back(axis);
  }
}

std::vector<Relation> Relations::strongest(std::size_t n) const {
  std::vector<Relation> strongest = relations_;
  std::ranges::stable_sort(strongest, std::ranges::greater{}, &Relation::information);
  strongest.resize(std::min(n, strongest.size()));
  return strongest;
}

View view_of_tree(const Relations& relations, std::size_t n_axes, const Options& options, std::uint32_t tree) {
  View view{.axes = std::vector<std::uint32_t>(n_axes)};
  std::iota(view.axes.begin(), view.axes.end(), 0U);
  if (relations.related().empty()) return view;
  const auto n_related = [&](double n_trees) { return std::floor(n_trees * options.related_share); };
  if (n_related(tree + 1.0) > n_related(tree)) return {.is_related = true, .axes = relations.related()};
  const auto n_unrelated = static_cast<double>(relations.unrelated().size());
  const double chance = n_unrelated / (n_unrelated + static_cast<double>(relations.related().size()));
  const double draw =
      uniform_pair(static_cast<std::uint64_t>(options.seed), {.purpose = Purpose::view, .tree = tree}).first;
  if (draw < chance) view.axes = relations.unrelated();
  return view;
}

}  // namespace pidforest::forest
