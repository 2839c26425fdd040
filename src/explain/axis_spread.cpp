// SPDX-License-Identifier: Apache-2.0
#include "explain/axis_spread.h"

#include <algorithm>
#include <cstdint>

#include "reasons/node_parts.h"

namespace pidforest::explain {

using geometry::Interval;
using geometry::Part;
using geometry::Stretch;

namespace {

/// The length that two stretches have in common within the axis.
double common_length(const Stretch& a, const Stretch& b, const Interval& whole) {
  const double low = std::max({a.low, b.low, whole.low});
  const double high = std::min({a.high, b.high, whole.high});
  return high > low ? geometry::share_of(low, high, whole) : 0;
}

/// The rows of one tree, by the part of the axis that their leaf has.
class TreeSpread {
 public:
  TreeSpread(const forest::Tree& tree, const std::vector<std::uint64_t>& counts, std::size_t axis) : whole_(counts[0]) {
    const std::vector<geometry::Parts> parts = reasons::node_parts(tree);
    for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
      if (!tree.nodes[v].is_leaf() || counts[v] == 0) continue;
      const auto part = std::ranges::find(parts[v], axis, &Part::axis);
      add(part != parts[v].end() ? *part : Part{.axis = static_cast<std::uint32_t>(axis)}, counts[v]);
    }
  }

  /// Adds the share of the rows in each stretch.
  void add_to(std::span<double> shares, const Interval& whole, std::span<const Stretch> stretches) const {
    std::vector<double> lengths(stretches.size());
    for (const auto& [part, n] : rows_) {
      double sum = 0;
      for (std::size_t i = 0; i < stretches.size(); ++i) {
        lengths[i] = 0;
        for (const Stretch& own : part.stretches()) lengths[i] += common_length(own, stretches[i], whole);
        sum += lengths[i];
      }
      for (std::size_t i = 0; i < stretches.size() && sum > 0; ++i)
        shares[i] +=
            lengths[i] / sum * static_cast<double>(n) / static_cast<double>(std::max<std::uint64_t>(whole_, 1));
    }
  }

 private:
  void add(const Part& part, std::uint64_t n) {
    if (part.is_missing) return;
    const auto same = std::ranges::find(rows_, part, &Rows::part);
    if (same != rows_.end())
      same->n += n;
    else
      rows_.push_back({part, n});
  }

  struct Rows {
    Part part;
    std::uint64_t n;
  };

  std::uint64_t whole_;
  std::vector<Rows> rows_;
};

}  // namespace

std::vector<double> shares_of_rows(const model::State& state, std::size_t axis, const Interval& whole,
                                   std::span<const Stretch> stretches) {
  constexpr std::size_t most_trees = 32;
  if (whole.low == whole.high) return std::vector<double>(stretches.size(), 1.0);
  std::vector<double> shares(stretches.size(), 0.0);
  std::size_t n_trees = 0;
  for (std::size_t t = 0; t < state.forest->trees.size() && n_trees < most_trees; ++t) {
    if (!state.forest->sees(t, static_cast<std::uint32_t>(axis))) continue;
    TreeSpread(state.forest->trees[t], state.counts.trees[t], axis).add_to(shares, whole, stretches);
    ++n_trees;
  }
  for (double& share : shares) share /= static_cast<double>(n_trees);
  return shares;
}

}  // namespace pidforest::explain
