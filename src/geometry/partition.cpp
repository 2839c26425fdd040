// SPDX-License-Identifier: Apache-2.0
#include "geometry/partition.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace pidforest::geometry {

namespace {

constexpr float never = -std::numeric_limits<float>::infinity();

/// What the units from border `from` to border `to` are worth as one group. The factor 1 / n of the row shares is left
/// out.
float worth(const Cells& cells, std::size_t from, std::size_t to) {
  const float length = static_cast<float>(cells.border(to)) - static_cast<float>(cells.border(from));
  return length * length * (1.0F / static_cast<float>(to - from));
}

/// `worth` in doubles.
double exact_worth(const Cells& cells, std::size_t from, std::size_t to) {
  const double length = cells.border(to) - cells.border(from);
  return length * length / static_cast<double>(to - from);
}

/// What the cells between two borders are worth, each as a group of its own.
double worth_one_by_one(const Cells& cells, std::size_t begin, std::size_t end) {
  double sum = 0;
  if (!cells.has_ties()) {
    const auto square = [&](std::size_t i) {
      const double length = cells.border(i + 1) - cells.border(i);
      return length * length;
    };
    std::size_t i = begin;
    for (; i + 4 <= end; i += 4) sum += (square(i) + square(i + 1)) + (square(i + 2) + square(i + 3));
    for (; i < end; ++i) sum += square(i);
    return sum;
  }
  for (std::size_t from = begin, to = begin + 1; to <= end; ++to) {
    if (!cells.may_cut(to)) continue;
    sum += exact_worth(cells, from, to);
    from = to;
  }
  return sum;
}

/// Adds up the largest of the numbers that it is given; none of them counts as less than 0.
class LargestFew {
 public:
  explicit LargestFew(std::size_t n) : n_(n) {}

  void add(double number) {
    if (number <= few_[0]) return;
    std::size_t i = 0;
    for (; i + 1 < n_ && few_[i + 1] < number; ++i) few_[i] = few_[i + 1];
    few_[i] = number;
  }

  [[nodiscard]] double sum() const {
    return std::accumulate(few_.begin(), few_.begin() + static_cast<std::ptrdiff_t>(n_), 0.0);
  }

 private:
  std::size_t n_;
  std::array<double, max_groups> few_{};  // in increasing order
};

}  // namespace

Grouping partition_plain(const Cells& cells, int k) {
  // The ends of cells, where groups may end too.
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i <= cells.size(); ++i)
    if (cells.may_cut(i)) ends.push_back(i);
  const std::size_t n = ends.size();
  // best[g][i]: the largest worth of the cells up to the i-th end in exactly g + 1 groups.
  std::vector<std::vector<float>> best(static_cast<std::size_t>(k), std::vector<float>(n, never));
  for (std::size_t i = 0; i < n; ++i) best[0][i] = worth(cells, 0, ends[i]);
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const float joined = worth(cells, ends[j], ends[i]);
      for (std::size_t g = 1; g < best.size(); ++g) best[g][i] = std::max(best[g][i], best[g - 1][j] + joined);
    }

  std::size_t last = 0;
  for (std::size_t g = 1; g < best.size(); ++g)
    if (best[g][n - 1] > best[last][n - 1]) last = g;
  Grouping grouping;
  grouping.n_groups = static_cast<int>(last) + 1;
  grouping.first[last + 1] = cells.size();
  for (std::size_t g = last, i = n - 1; g > 0; --g) {
    std::size_t j = 0;
    while (best[g - 1][j] + worth(cells, ends[j], ends[i]) != best[g][i]) ++j;
    grouping.first[g] = ends[j];
    i = j;
  }
  return grouping;
}

Grouping grouping_of(const Cells& cells, const PrefixWorths& worths, int k) {
  Grouping grouping;
  for (int g = 2; g <= k; ++g)
    if (worths.at(g, cells.size()) > worths.at(grouping.n_groups, cells.size())) grouping.n_groups = g;
  auto group = static_cast<std::size_t>(grouping.n_groups);
  grouping.first[group] = cells.size();
  for (; group > 1; --group) {
    const std::size_t i = grouping.first[group];
    const int g = static_cast<int>(group);
    std::size_t j = 1;
    while (worths.at(g - 1, j) + worth(cells, j, i) != worths.at(g, i)) ++j;
    grouping.first[group - 1] = j;
  }
  return grouping;
}

double value_of(const Cells& cells, const Grouping& grouping) {
  double value = 0;
  for (std::size_t g = 0; g < static_cast<std::size_t>(grouping.n_groups); ++g)
    value += exact_worth(cells, grouping.first[g], grouping.first[g + 1]);
  return value * static_cast<double>(cells.size());
}

double largest_value(const Cells& cells) {
  return worth_one_by_one(cells, 0, cells.size()) * static_cast<double>(cells.size());
}

double value_bound(const Cells& cells, int k) {
  // Since (a+b)^2 / (p+q) <= a^2/p + b^2/q, cutting every grouping at the ends of blocks as well only adds worth. A
  // block without a cut inside is then worth length^2 / count; at most k - 1 blocks have one, and those are worth at
  // most what their cells are worth one by one.
  constexpr std::size_t block_units = 16;
  LargestFew surpluses(static_cast<std::size_t>(k - 1));
  double value = 0;
  for (std::size_t begin = 0; begin < cells.size();) {
    std::size_t end = std::min(begin + block_units, cells.size());
    while (!cells.may_cut(end)) ++end;
    const double joined = exact_worth(cells, begin, end);
    value += joined;
    surpluses.add(worth_one_by_one(cells, begin, end) - joined);
    begin = end;
  }
  return (value + surpluses.sum()) * static_cast<double>(cells.size());
}

}  // namespace pidforest::geometry
