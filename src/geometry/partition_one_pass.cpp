// SPDX-License-Identifier: Apache-2.0
// The agglomerative histogram of Guha, Koudas and Shim ("Approximation and streaming algorithms for histogram
// construction problems"): instead of every border, each layer remembers one border per stretch over which its error
// grows by no more than a factor of 1 + delta.
// Declared in geometry/partition.h.
#include <algorithm>
#include <limits>

#include "geometry/logarithm.h"
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
  /// The error at the beginning of the stretch.
  double least = 0;
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
    if (!cells.may_cut(i)) continue;
    const Prefix& before = result.back();
    const double end = cells.border(i);
    const double length = end - before.length;
    result.push_back({i, end, before.squares + length * length / static_cast<double>(i - before.rows)});
  }
  return result;
}

/// The best solution for the cells before border i with one group more than the solutions of `before`.
Landmark extend(const std::vector<Landmark>& before, std::size_t group, const std::vector<Prefix>& prefix,
                std::size_t i) {
  const auto tail = [&](auto l) { return squared_error(prefix[l->border], prefix[i]); };
  // Errors grow and tails shrink along the landmarks: the best sum is near the place where the two cross.
  const auto crossing =
      std::partition_point(before.begin(), before.end(), [&](const Landmark& l) { return l.error < tail(&l); });
  Landmark best{.border = i};
  auto from = before.begin();
  const auto consider = [&](auto l, double sum) {
    if (sum >= best.error) return;
    best.error = sum;
    from = l;
  };
  for (auto l = crossing; l != before.begin();) {
    const double t = tail(--l);
    if (t > best.error) break;
    consider(l, l->error + t);
  }
  for (auto l = crossing; l != before.end() && l->error <= best.error; ++l) consider(l, l->error + tail(l));
  best.first = from->first;
  best.first[group] = prefix[from->border].rows;
  return best;
}

}  // namespace

Grouping partition_one_pass(const Cells& cells, int k, double epsilon) {
  // Each layer but the first may lose a factor of 1 + delta; (1 + delta)^(k - 1) <= exp(delta (k - 1)) = 1 + epsilon.
  const double delta = portable_log(1 + epsilon) / (k - 1);
  const std::vector<Prefix> prefix = prefixes(cells);
  const std::size_t n = prefix.size() - 1;
  // layers[g]: landmarks of the errors with exactly g + 1 groups.
  std::vector<std::vector<Landmark>> layers(std::min(static_cast<std::size_t>(k), n));
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t g = std::min(layers.size(), i); g-- > 0;) {
      Landmark best{.border = i, .error = squared_error(prefix[0], prefix[i])};
      if (g > 0) best = extend(layers[g - 1], g, prefix, i);
      auto& layer = layers[g];
      const bool same_stretch = !layer.empty() && best.error <= layer.back().least * (1 + delta);
      best.least = same_stretch ? layer.back().least : best.error;
      best.error = std::max(best.error, best.least);  // so that errors never fall along the landmarks
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
