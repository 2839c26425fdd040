// SPDX-License-Identifier: Apache-2.0
// Whether an even spread explains how many values lie on each side of a cut: the significance gate.
#pragma once

#include <cstddef>
#include <span>

namespace pidforest::geometry {

/// The likelihood ratio above which an even spread is rejected: for one count (values below the cut) and, at the same
/// level of significance, for two counts (also missing values).
struct Gate {
  explicit Gate(double gate);
  double one;
  double two;
};

/// Twice n times the Kullback-Leibler divergence of a coin with chance p from one with observed share q, in nats.
double likelihood_ratio(double n, double q, double p);

/// Whether the likelihood ratio is above the gate. Most cuts are decided without a logarithm.
bool is_above_gate(double n, double q, double p, double gate);

/// `times` cells of the same length, each of which is known to hold at least one value.
struct SeenCells {
  double length;
  double times;
};

/// One side of a cut through cells.
struct CellSide {
  std::span<const SeenCells> seen;
  /// The length of the cells that are not known to hold a value.
  double other_length = 0;
};

/// The likelihood ratio of `below` out of `n` values on the first side against an even spread over the cells of both.
/// The counts are Poisson variables with a given sum; those of cells known to hold a value are truncated at zero.
double cell_likelihood_ratio(std::size_t n, std::size_t below, const CellSide& first, const CellSide& second);

}  // namespace pidforest::geometry
