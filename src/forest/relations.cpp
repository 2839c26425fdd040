// SPDX-License-Identifier: Apache-2.0
#include "forest/relations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include "forest/common_rows.h"
#include "forest/random.h"
#include "geometry/logarithm.h"
#include "geometry/outermost.h"
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
    mask.words[row / word_bits] |= std::uint64_t{holds(values[row])} << (row % word_bits);
  mask.count = static_cast<double>(n_common(mask.words, mask.words));
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

/// An axis as its relations are found.
struct Parted {
  /// The rows below the first and above the third quartile. A missing value is in neither.
  std::array<Mask, 2> quarters = {};
  /// The group of each row: a level, the rare levels together, a quarter or the middle of numbers, missing values.
  /// Empty if no axis has levels.
  std::vector<std::uint8_t> groups = {};
  bool has_levels = false;
};

constexpr std::size_t most_groups = 8;

std::vector<double> sorted(const std::vector<double>& values) {
  std::vector<double> present;
  for (const double x : values)
    if (!std::isnan(x)) present.push_back(x);
  geometry::sort_up(present);
  return present;
}

/// `sorted` are the values that are not missing, in increasing order.
std::array<Mask, 2> outer_quarters(std::span<const double> values, std::span<const double> sorted) {
  if (sorted.empty()) return {};
  const double first = sorted[sorted.size() / 4];
  const double third = sorted[sorted.size() * 3 / 4];
  // Where an outer quarter would hold all rows or none, its border counts to the other side.
  const bool is_first_last = first == sorted.back();
  const bool is_third_last = third == sorted.back();
  return {mask_of(values, [&](double x) { return is_first_last ? x < first : x <= first; }),
          mask_of(values, [&](double x) { return is_third_last ? x >= third : x > third; })};
}

Parted parted(std::vector<double> values, std::span<const double> sorted_values, const RelatedAxis& axis,
              bool needs_groups) {
  Parted parted{.has_levels = axis.kind == geometry::AxisKind::category};
  if (parted.has_levels) rank_levels(values);
  if (axis.kind == geometry::AxisKind::cyclic) unroll(values, axis.period);
  parted.quarters = axis.kind == geometry::AxisKind::ordered ? outer_quarters(values, sorted_values)
                                                             : outer_quarters(values, sorted(values));
  if (!needs_groups) return parted;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto is_in = [&](const Mask& mask) {
      return !mask.words.empty() && (mask.words[row / word_bits] >> (row % word_bits) & 1U) != 0;
    };
    const double level = std::min(values[row], static_cast<double>(most_groups - 2));
    const double quarter = is_in(parted.quarters[0]) ? 0 : is_in(parted.quarters[1]) ? 2 : 1;
    const double group = std::isnan(values[row]) ? most_groups - 1 : parted.has_levels ? level : quarter;
    parted.groups.push_back(static_cast<std::uint8_t>(group));
  }
  return parted;
}

/// The mutual information of two axes by their groups, less what chance gives a table with as many rows and columns.
double group_information(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  std::array<std::array<double, most_groups + 1>, most_groups + 1> cells{};
  for (std::size_t row = 0; row < a.size(); ++row) ++cells[a[row]][b[row]];
  for (std::size_t i = 0; i < most_groups; ++i)
    for (std::size_t j = 0; j < most_groups; ++j) {
      cells[i][most_groups] += cells[i][j];
      cells[most_groups][j] += cells[i][j];
    }
  const auto n = static_cast<double>(a.size());
  double sum = 0;
  double n_rows = 0;
  double n_columns = 0;
  for (std::size_t i = 0; i < most_groups; ++i) {
    n_rows += cells[i][most_groups] > 0 ? 1 : 0;
    n_columns += cells[most_groups][i] > 0 ? 1 : 0;
    for (std::size_t j = 0; j < most_groups; ++j)
      if (cells[i][j] > 0)
        sum +=
            cells[i][j] / n * geometry::portable_log(cells[i][j] * n / (cells[i][most_groups] * cells[most_groups][j]));
  }
  return sum - (n_rows - 1) * (n_columns - 1) / (2 * n);
}

/// The mutual information of two sets of `n` rows that have `both` rows in common, in nats.
double information(double n, double a, double b, double both) {
  const auto term = [&](double cell, double row, double column) {
    return cell > 0 ? cell / n * geometry::portable_log(cell * n / (row * column)) : 0;
  };
  return (term(both, a, b) + term(a - both, a, n - b)) +
         (term(b - both, n - a, b) + term(n - a - b + both, n - a, n - b));
}

/// False if two sets surely inform less than `least_information`: the chi-square statistic per row is a bound.
bool may_inform(double n, double a, double b, double both) {
  constexpr double rounding = 1 - 1e-9;
  const double excess = both * n - a * b;
  return excess * excess > rounding * Relations::least_information * (a * (n - a)) * (b * (n - b));
}

/// The information of the parts of two axes that inform most; any number up to `least_information` if none does.
double most_information(const Parted& a, const Parted& b, double n) {
  double most = a.has_levels || b.has_levels ? group_information(a.groups, b.groups) : 0;
  for (const Mask& one : a.quarters)
    for (const Mask& other : b.quarters) {
      if (one.count == 0 || one.count == n || other.count == 0 || other.count == n) continue;
      const auto both = static_cast<double>(n_common(one.words, other.words));
      if (may_inform(n, one.count, other.count, both))
        most = std::max(most, information(n, one.count, other.count, both));
    }
  return most;
}

std::vector<double> values_of(const StridedColumn& column, std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t row = 0; row < n; ++row) values[row] = column[row];
  return values;
}

/// A total order, so that the strongest relations are the same ones in whatever order they are found.
bool is_stronger(const Relation& a, const Relation& b) {
  if (a.information != b.information) return a.information > b.information;
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}

void keep_strongest(std::vector<Relation>& relations) {
  if (relations.size() <= Relations::most_kept) return;
  std::ranges::nth_element(relations, relations.begin() + Relations::most_kept, is_stronger);
  relations.resize(Relations::most_kept);
}

bool varies(const std::array<Mask, 2>& quarters, double n) {
  return std::ranges::any_of(quarters, [&](const Mask& mask) { return mask.count > 0 && mask.count < n; });
}

}  // namespace

Relations::Relations(const SortedRows& sample, std::span<const RelatedAxis> axes, const Run& run)
    : relatives_(sample.rows.columns.size()) {
  const Rows& rows = sample.rows;
  const auto n = static_cast<double>(rows.n);
  const std::size_t n_axes = rows.columns.size();
  const bool has_levels = std::ranges::find(axes, geometry::AxisKind::category, &RelatedAxis::kind) != axes.end();
  std::vector<Parted> axes_in_parts(n_axes);
  system::parallel_for(n_axes, run, "relating columns", [&](std::size_t axis, unsigned) {
    axes_in_parts[axis] = parted(values_of(rows.columns[axis], rows.n), sample.sorted[axis], axes[axis], has_levels);
  });
  std::mutex guard;
  system::parallel_for(n_axes, run, "relating columns", [&](std::size_t first, unsigned) {
    relatives_[first].resize(n_axes);
    std::vector<Relation> found;
    for (std::size_t second = first + 1; second < n_axes; ++second) {
      const double most = most_information(axes_in_parts[first], axes_in_parts[second], n);
      if (most <= least_information) continue;
      relatives_[first][second] = true;
      found.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second), most});
    }
    keep_strongest(found);
    const std::lock_guard lock(guard);
    strongest_.insert(strongest_.end(), found.begin(), found.end());
    keep_strongest(strongest_);
  });
  std::ranges::sort(strongest_, is_stronger);
  for (std::size_t first = 0; first < n_axes; ++first)
    for (std::size_t second = first + 1; second < n_axes; ++second)
      if (relatives_[first][second]) relatives_[second][first] = true;
  for (std::uint32_t axis = 0; axis < n_axes; ++axis) {
    if (std::ranges::find(relatives_[axis], true) != relatives_[axis].end())
      related_.push_back(axis);
    else if (varies(axes_in_parts[axis].quarters, n))
      unrelated_.push_back(axis);
  }
}

std::vector<Relation> strongest_of(std::vector<Relation> relations) {
  std::ranges::sort(relations, is_stronger);
  relations.erase(std::ranges::unique(relations).begin(), relations.end());
  keep_strongest(relations);
  std::ranges::sort(relations, is_stronger);
  return relations;
}

std::vector<std::uint32_t> Relations::relatives(std::uint32_t axis) const {
  std::vector<std::uint32_t> relatives;
  for (std::uint32_t other = 0; other < relatives_[axis].size(); ++other)
    if (relatives_[axis][other]) relatives.push_back(other);
  return relatives;
}

RelatedView view_of_tree(const Relations& relations, std::size_t n_axes, const Options& options, const Turn& turn) {
  RelatedView view{.axes = std::vector<std::uint32_t>(n_axes)};
  std::iota(view.axes.begin(), view.axes.end(), 0U);
  if (relations.related().empty()) return view;
  const auto n_related = [&](double n_trees) { return std::floor(n_trees * options.related_share); };
  if (n_related(turn.turn + 1.0) > n_related(turn.turn)) return {.is_related = true, .axes = relations.related()};
  const auto n_unrelated = static_cast<double>(relations.unrelated().size());
  const double chance = n_unrelated / (n_unrelated + static_cast<double>(relations.related().size()));
  const double draw =
      uniform_pair(static_cast<std::uint64_t>(options.seed), {.purpose = Purpose::view, .tree = turn.tree}).first;
  if (draw < chance) view.axes = relations.unrelated();
  return view;
}

}  // namespace pidforest::forest
