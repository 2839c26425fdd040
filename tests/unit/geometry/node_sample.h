// SPDX-License-Identifier: Apache-2.0
// The values of a node's sample rows, and random numbers for a sampled cut of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "geometry/axis.h"

namespace pidforest::geometry {

struct NodeSample {
  explicit NodeSample(std::vector<double> node_values) : values(std::move(node_values)), rows(values.size()) {
    std::iota(rows.begin(), rows.end(), 0U);
  }

  [[nodiscard]] NodeValues node() const { return {values, rows, 0}; }

  std::vector<double> values;
  std::vector<std::uint32_t> rows;
};

struct RandomDraws {
  RandomDraws(std::mt19937_64& random, std::size_t n) : cut(std::generate_canonical<double, 53>(random)), order(n) {
    for (double& x : order) x = std::generate_canonical<double, 53>(random);
  }

  [[nodiscard]] Draws draws() const { return {cut, order}; }

  double cut;
  std::vector<double> order;
};

/// Returns the sides and the children of a sampled cut of all values.
inline SampledSides sides_of(const Axis& axis, const NodeSample& sample, const Interval& interval, const Draws& draws) {
  Shown shown;
  axis.show(sample.node(), interval, shown);
  return axis.sides_of(shown, interval, draws);
}
inline Split split_at(const Axis& axis, const NodeSample& sample, const Interval& interval, const Draws& draws) {
  Shown shown;
  axis.show(sample.node(), interval, shown);
  return axis.split_at(shown, interval, draws);
}

inline double sum(const std::vector<double>& shares) { return std::accumulate(shares.begin(), shares.end(), 0.0); }

}  // namespace pidforest::geometry
