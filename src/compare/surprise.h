// SPDX-License-Identifier: Apache-2.0
// How surprising two counts are if both come from one distribution. Surprise is minus the logarithm of the chance of
// counts that differ at least as much.
#pragma once

#include <cstddef>
#include <optional>

namespace pidforest::compare_rows {

/// k rows of n.
struct Share {
  double k = 0;
  double n = 0;

  [[nodiscard]] double share() const { return n > 0 ? k / n : 0; }
};

/// Two-sided, by the likelihood ratio. 0 where fewer than five rows are expected on either side of either count.
double surprise_of_shares(const Share& then, const Share& now);

/// What a bin adds to the statistic of all bins: the squared difference of its counts in units of what is expected.
/// Nullopt where fewer than two rows are expected in either count.
std::optional<double> ratio_of_bin(const Share& then, const Share& now);
/// By the sum over that many bins, which is a chi-square with one degree of freedom less.
double surprise_of_bins(double sum, std::size_t n_bins);

/// One-sided: `k` of `n_now` rows with something that `n_then` rows do not have, where `n_once` rows had something that
/// no other row has.
double surprise_of_new(double k, double n_now, double n_then, double n_once);

}  // namespace pidforest::compare_rows
