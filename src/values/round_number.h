// SPDX-License-Identifier: Apache-2.0
// Round numbers: those that people would choose.
#pragma once

namespace pidforest::values {

/// The number with the fewest significant digits between two finite numbers, both included. 0 is the roundest. Among
/// equally round numbers it is the nearest to `preferred`, which may be the smaller or the larger of the two.
double roundest_between(double preferred, double other);

}  // namespace pidforest::values
