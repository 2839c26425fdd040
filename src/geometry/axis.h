// SPDX-License-Identifier: Apache-2.0
// What every kind of axis offers a node: a split of its interval into children, and how much the split is worth.
#pragma once

#include <cstddef>
#include <vector>

namespace pidforest::geometry {

/// A split of one axis' interval. Value child i holds the x with cuts[i-1] <= x < cuts[i]; the outer ones are
/// open-ended.
struct Split {
  std::vector<double> cuts;
  /// Each value child's share of the node's length, cuts.size() + 1 of them.
  std::vector<double> shares;
  /// The share of the child that holds the missing values; 0 if there is no such child.
  double missing_share = 0;

  [[nodiscard]] std::size_t n_children() const { return shares.size() + (missing_share > 0 ? 1 : 0); }
};

/// The variance of sparsity after a split into children of length share p and row share q, in units of the node's own
/// sparsity squared, is the sum of these terms minus 1.
inline double gain_term(double p, double q) { return p * p / q; }

}  // namespace pidforest::geometry
