// SPDX-License-Identifier: Apache-2.0
// The column on which splits are timed: heavy-tailed values, where splits matter.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "geometry/ordered_axis.h"

/// Returns m distinct values from 1 to 149 in increasing order; deterministic.
inline std::vector<double> heavy_tailed_values(std::size_t m) {
  std::mt19937_64 random(m);
  const auto uniform = [&random] { return static_cast<double>(random() >> 11U) * 0x1p-53; };
  std::vector<double> values(m);
  for (double& x : values) {
    const double body = 2.0 * uniform();
    x = std::exp(body + 3.0 * std::pow(uniform(), 4));
  }
  std::sort(values.begin(), values.end());
  return values;
}

/// Returns the cells of heavy_tailed_values(m).
inline pidforest::geometry::Cells heavy_tailed_cells(std::size_t m) {
  const std::vector<double> values = heavy_tailed_values(m);
  pidforest::geometry::Cells cells;
  lay_out_cells(values, {values.front(), values.back()}, cells);
  return cells;
}
