// SPDX-License-Identifier: Apache-2.0
// Whether an even spread explains how many values lie on each side of a cut: the significance gate.
#pragma once

#include <cstddef>
#include <span>

namespace pidforest::geometry {

/// How large a likelihood ratio must be before an even spread is refused as the explanation: for one question (how many
/// values are below the cut) and, at the same level of significance, for two (and how many are missing).
struct Gate {
  explicit Gate(double gate);
  double one;
  double two;
};

/// Twice n times the Kullback-Leibler divergence of a coin with chance p from one with observed share q, in nats.
double likelihood_ratio(double n, double q, double p);

/// Whether the likelihood ratio is above the gate; most cuts are judged without a logarithm.
bool is_above_gate(double n, double q, double p, double gate);

/// `times` cells of the same length, each of which is known to hold at least one value.
struct SeenCells {
  double length;
  double times;
};

/// One side of a cut through cells.
struct CellSide {
  std::span<const SeenCells> seen;
  /// The length of the cells that may hold values or not.
  double other_length = 0;
};

/// The likelihood ratio of `below` out of `n` values on the first side against an even spread over the cells of both.
/// That a cell is known to hold a value says something about its count: the numbers of values are Poisson variables,
/// those of seen cells without their zero, given their sum.
double cell_likelihood_ratio(std::size_t n, std::size_t below, const CellSide& first, const CellSide& second);

}  // namespace pidforest::geometry
