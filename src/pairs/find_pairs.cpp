// SPDX-License-Identifier: Apache-2.0
#include "pairs/find_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "geometry/logarithm.h"

namespace pidforest::pairs {

using geometry::portable_log2;

namespace {

/// An axis has at most this many groups: eighths of its values, or its most frequent levels.
constexpr std::size_t most_groups = 8;
/// The relations that are searched, the strongest ones.
constexpr std::size_t most_relations = 256;
/// The pairs that a model keeps.
constexpr std::size_t most_pairs = 1024;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t n_searched(std::size_t n_relations) { return std::min(n_relations, most_relations); }

/// The fewest rows that two groups must have together, were their axes unrelated, for a pair to be rare.
double least_unrelated(std::size_t n_relations) {
  return std::exp2(least_bits) * static_cast<double>(n_searched(n_relations));
}

/// Values of an axis in increasing order, without missing ones.
std::vector<double> sorted_values(const forest::StridedColumn& column, std::size_t n) {
  std::vector<double> values;
  for (std::size_t row = 0; row < n; ++row)
    if (!std::isnan(column[row])) values.push_back(column[row]);
  std::ranges::sort(values);
  return values;
}

std::vector<Group> eighths(std::uint32_t axis, const std::vector<double>& sorted, bool has_cells) {
  std::vector<Group> groups;
  double low = -infinity;
  for (std::size_t i = 1; i < most_groups && !sorted.empty(); ++i) {
    double x = sorted[i * sorted.size() / most_groups];
    // The least value may be very frequent: the next one begins the second group.
    if (x == sorted.front()) {
      const auto next = std::ranges::upper_bound(sorted, x);
      if (next == sorted.end()) break;
      x = *next;
    }
    const double border = has_cells ? std::floor(x) : x;
    if (border > low) groups.push_back({axis, low, border});
    low = std::max(low, border);
  }
  groups.push_back({axis, low, infinity});
  return groups;
}

/// In increasing order. Among equally frequent levels those of earlier rows come first, so that names carry no meaning.
std::vector<Group> frequent_levels(std::uint32_t axis, const forest::StridedColumn& column, std::size_t n) {
  struct Level {
    double code;
    std::size_t n_rows;
  };
  std::vector<Level> levels;
  for (std::size_t row = 0; row < n; ++row) {
    if (std::isnan(column[row])) continue;
    const auto known = std::ranges::find(levels, column[row], &Level::code);
    if (known == levels.end())
      levels.push_back({column[row], 1});
    else
      ++known->n_rows;
  }
  std::ranges::stable_sort(levels, std::ranges::greater{}, &Level::n_rows);
  levels.resize(std::min(levels.size(), most_groups), Level{});
  std::ranges::sort(levels, {}, &Level::code);
  std::vector<Group> groups;
  for (const Level& level : levels) groups.push_back({axis, level.code, level.code + 1});
  return groups;
}

/// An axis in groups: the group of each row of the sample, `most_groups` for none, and the size of each group.
struct Grouped {
  std::vector<Group> groups = {};
  std::vector<std::uint8_t> group_of = {};
  std::array<double, most_groups> sizes = {};
};

Grouped grouped(std::uint32_t axis, const forest::StridedColumn& column, std::size_t n, const GroupedAxis& facts) {
  Grouped grouped{.groups = facts.kind == geometry::AxisKind::category
                                ? frequent_levels(axis, column, n)
                                : eighths(axis, sorted_values(column, n), facts.has_cells)};
  for (std::size_t row = 0; row < n; ++row) {
    const auto group =
        std::ranges::find_if(grouped.groups, [x = column[row]](const Group& one) { return one.values().holds(x); });
    const auto place =
        group == grouped.groups.end() ? most_groups : static_cast<std::size_t>(group - grouped.groups.begin());
    grouped.group_of.push_back(static_cast<std::uint8_t>(place));
    if (place < most_groups) ++grouped.sizes[place];
  }
  return grouped;
}

/// Appends the pairs of groups that are common enough to be missed and rare together in the sample.
void add_candidates(const Grouped& a, const Grouped& b, double least_in_sample, std::vector<RarePair>& pairs) {
  // The sample of a rare pair may have a few more rows than its share by chance.
  constexpr double slack = 4;
  constexpr double few = 2;
  const auto n = static_cast<double>(a.group_of.size());
  std::array<std::array<double, most_groups + 1>, most_groups + 1> cells{};
  for (std::size_t row = 0; row < a.group_of.size(); ++row) ++cells[a.group_of[row]][b.group_of[row]];
  for (std::size_t i = 0; i < a.groups.size(); ++i)
    for (std::size_t j = 0; j < b.groups.size(); ++j) {
      const double unrelated = a.sizes[i] * b.sizes[j] / n;
      if (unrelated >= least_in_sample && cells[i][j] <= std::max(unrelated / slack, few))
        pairs.push_back({.first = a.groups[i], .second = b.groups[j]});
    }
}

}  // namespace

RarePairs candidate_pairs(const forest::Rows& sample, std::span<const GroupedAxis> axes,
                          std::span<const forest::Relation> relations, std::uint64_t n_rows) {
  // Groups may be somewhat larger in the table than in the sample.
  constexpr double slack = 0.75;
  const double sampled = static_cast<double>(sample.n) / static_cast<double>(n_rows);
  const double least = slack * sampled * least_unrelated(relations.size());
  std::map<std::uint32_t, Grouped> axes_in_groups;
  const auto of_axis = [&](std::uint32_t axis) -> const Grouped& {
    const auto [found, is_new] = axes_in_groups.try_emplace(axis);
    if (is_new) found->second = grouped(axis, sample.columns[axis], sample.n, axes[axis]);
    return found->second;
  };
  std::vector<RarePair> pairs;
  for (const forest::Relation& one : relations.first(n_searched(relations.size())))
    add_candidates(of_axis(one.first), of_axis(one.second), least, pairs);
  return {std::move(pairs), n_rows};
}

RarePairs rare_pairs(const RarePairs& candidates, std::span<const RarePairs::Count> counts, std::size_t n_relations) {
  const double price = portable_log2(static_cast<double>(n_searched(n_relations)));
  std::vector<RarePair> rare;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    RarePair pair = candidates.all()[i];
    pair.n_rows = counts[i].both;
    pair.n_unrelated = static_cast<double>(counts[i].first) * static_cast<double>(counts[i].second) /
                       static_cast<double>(candidates.n_rows());
    pair.bits = portable_log2(pair.n_unrelated / std::max(static_cast<double>(pair.n_rows), 1.0)) - price;
    if (pair.bits >= least_bits) rare.push_back(pair);
  }
  std::ranges::stable_sort(rare, std::ranges::greater{}, &RarePair::bits);
  rare.resize(std::min(rare.size(), most_pairs));
  if (rare.empty()) return {};
  return {std::move(rare), candidates.n_rows()};
}

}  // namespace pidforest::pairs
