// SPDX-License-Identifier: Apache-2.0
#include "geometry/axis.h"

#include "geometry/logarithm.h"

namespace pidforest::geometry {

double gain_with_missing(double value, std::size_t present, std::size_t missing, double missing_share) {
  if (missing_share <= 0 || missing == 0) return value - 1;
  const double q = static_cast<double>(missing) / static_cast<double>(missing + present);
  return value * gain_term(1 - missing_share, 1 - q) + gain_term(missing_share, q) - 1;
}

void set_aside_missing(Split& split, const Interval& interval) {
  split.missing_share = interval.missing_share;
  for (double& share : split.shares) share = floored_share(share * (1 - interval.missing_share));
}

Split split_off_missing(const Interval& interval) {
  Interval part = interval;
  part.missing_share = 0;
  Split split{.shares = {1}, .parts = {part}};
  set_aside_missing(split, interval);
  return split;
}

SampledSides sides_of_margin(std::size_t n, double seen_share, double expected) {
  if (n == 0 || seen_share >= 1 || expected >= 1) return {};
  // A margin without rows counts as half a row, as in counting.
  const double margin_q = 0.5 / (static_cast<double>(n) + 0.5);
  return {.value = gain_term(seen_share, 1 - margin_q) + gain_term(1 - seen_share, margin_q),
          .evidence = 2 * (expected - 1 - portable_log(expected)),  // one part is empty: a Poisson variable
          .can_be_cut = true};
}

double chance_of_all(std::size_t n, double share) { return portable_exp(static_cast<double>(n) * portable_log(share)); }

SampledOffer offer_of(const SampledSides& sides, std::size_t present, std::size_t missing, double missing_share,
                      const Gate& gate) {
  if (missing_share == 0) return {.gain = sides.evidence > gate.one ? sides.value - 1 : 0};
  const auto n = static_cast<double>(present + missing);
  const double missing_evidence = likelihood_ratio(n, static_cast<double>(missing) / n, missing_share);
  const bool is_significant =
      sides.can_be_cut ? sides.evidence + missing_evidence > gate.two : missing_evidence > gate.one;
  SampledOffer offer{.cuts_values = sides.evidence > missing_evidence};
  if (is_significant)
    offer.gain = gain_with_missing(offer.cuts_values ? sides.value : 1, present, missing, missing_share);
  return offer;
}

}  // namespace pidforest::geometry
