// SPDX-License-Identifier: Apache-2.0
// The season of series: the usual value of a metric for each half hour of the day or of the week.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pidforest/schema.h"

namespace pidforest::series {

/// The half hour that each time falls into, in the zone of its column: of the day if `n_cells` is 48, of the week from
/// Monday on if it is 336.
std::vector<std::uint16_t> half_hours(std::span<const std::int64_t> times, const ColumnSchema& time,
                                      std::size_t n_cells);

/// How many half hours tell times apart that spread over a span: 336 from 21 days on, 48 from 3 days on, else 0.
std::size_t n_half_hours(std::span<const std::int64_t> times);

/// The median of the values in each half hour. One without values has the median of its half hour on other days, or
/// else of all values. Empty if there are no values.
std::vector<double> usual_values(std::span<const double> values, std::span<const std::uint16_t> half_hours,
                                 std::size_t n_cells);

}  // namespace pidforest::series
