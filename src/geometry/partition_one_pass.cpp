// SPDX-License-Identifier: Apache-2.0
// The agglomerative histogram of Guha, Koudas and Shim ("Approximation and streaming algorithms for histogram construction
// problems"): instead of every border, each layer remembers one border per stretch over which its error grows by no more
// than a factor of 1 + delta.
#include <algorithm>

#include "geometry/partition.h"

namespace pidforest::geometry {

namespace {

/// Where the groups of one solution begin.
using Firsts = std::array<std::size_t, max_groups>;

/// The last border of a stretch of borders whose errors differ by a factor of at most 1 + delta.
struct Landmark {
  std::size_t border = 0;
  double error = std::numeric_limits<double>::infinity();
  Firsts first{};
  /// The largest error that still belongs to the stretch.
  double limit = 0;
};

/// Sums over the cells before a border: rows, length, and what the cells are worth one by one.
struct Prefix {
  std::size_t rows = 0;
  double length = 0;
  double squares = 0;
};

/// The squared error of one group: what its cells are worth one by one, less what they are worth joined.
double squared_error(const Prefix& from, const Prefix& to) {
  const double length = to.length - from.length;
  const double joined = length * length / static_cast<double>(to.rows - from.rows);
  return std::max(0.0, to.squares - from.squares - joined);
}

std::vector<Prefix> prefixes(const Cells& cells) {
  std::vector<Prefix> result(1);
  for (std::size_t i = 1; i <= cells.size(); ++i) {
    if (cells.penalty(i) != 0) continue;
    const Prefix& before = result.back();
    const double end = cells.border(i);
    const double length = end - before.length;
    result.push_back({i, end, before.squares + length * length / static_cast<double>(i - before.rows)});
  }
  return result;
}

/// The best solution for the cells before border i with one group more than the solutions of `before`.
Landmark extend(const std::vector<Landmark>& before, std::size_t group, const std::vector<Prefix>& prefix, std::size_t i) {
  Landmark best{.border = i};
  const Landmark* from = nullptr;
  for (auto l = before.rbegin(); l != before.rend(); ++l) {
    const double tail = squared_error(prefix[l->border], prefix[i]);
    if (l->error + tail < best.error) {
      best.error = l->error + tail;
      from = &*l;
    }
    if (tail > best.error) break;  // it only grows further back
  }
  best.first = from->first;
  best.first[group] = prefix[from->border].rows;
  return best;
}

}  // namespace

Grouping partition_one_pass(const Cells& cells, int k, double epsilon) {
  const double delta = epsilon / (2.0 * k);
  const std::vector<Prefix> prefix = prefixes(cells);
  const std::size_t n = prefix.size() - 1;
  // layers[g]: landmarks of the errors with exactly g + 1 groups.
  std::vector<std::vector<Landmark>> layers(std::min(static_cast<std::size_t>(k), n));
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t g = std::min(layers.size(), i); g-- > 0;) {
      Landmark best{.border = i, .error = squared_error(prefix[0], prefix[i])};
      if (g > 0) best = extend(layers[g - 1], g, prefix, i);
      auto& layer = layers[g];
      const bool same_stretch = !layer.empty() && best.error <= layer.back().limit;
      best.limit = same_stretch ? layer.back().limit : best.error * (1 + delta);
      if (!same_stretch) layer.emplace_back();
      layer.back() = best;
    }

  std::size_t last = 0;
  for (std::size_t g = 1; g < layers.size(); ++g)
    if (layers[g].back().error < layers[last].back().error) last = g;
  Grouping grouping;
  grouping.n_groups = static_cast<int>(last) + 1;
  std::copy_n(layers[last].back().first.begin(), last + 1, grouping.first.begin());
  grouping.first[last + 1] = cells.size();
  return grouping;
}

}  // namespace pidforest::geometry
