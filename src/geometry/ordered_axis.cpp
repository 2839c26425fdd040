// SPDX-License-Identifier: Apache-2.0
#include "geometry/ordered_axis.h"

#include <cmath>
#include <limits>

#include "geometry/logarithm.h"

namespace pidforest::geometry {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Twice n times the Kullback-Leibler divergence of a coin with chance p from one with observed share q, in nats.
double likelihood_ratio(double n, double q, double p) {
  double divergence = 0;
  if (q > 0) divergence += q * portable_log(q / p);
  if (q < 1) divergence += (1 - q) * portable_log((1 - q) / (1 - p));
  return 2 * n * divergence;
}

/// Whether the likelihood ratio is above the gate. The divergence lies between 2 (q - p)^2 and (q - p)^2 / (p (1 - p)),
/// so most cuts are judged without a logarithm.
bool is_above_gate(double n, double q, double p, double gate) {
  const double square = 2 * n * (q - p) * (q - p);
  if (2 * square > gate) return true;
  if (square <= gate * p * (1 - p)) return false;
  return likelihood_ratio(n, q, p) > gate;
}

/// The chi-square statistic that is exceeded by chance as often with two degrees of freedom as `statistic` is with one:
/// -2 ln erfc(x) with x = sqrt(statistic / 2), where erfc(x) = exp(-x^2) / (sqrt(pi) t) and t is the continued fraction
/// x + (1/2) / (x + (2/2) / (x + (3/2) / ...)).
double same_level_with_two_degrees(double statistic) {
  if (statistic == 0) return 0;
  constexpr double sqrt_pi = 1.7724538509055160;
  const double x = std::sqrt(statistic / 2);
  double t = x;
  for (int k = 100; k > 0; --k) t = x + 0.5 * k / t;
  return statistic + 2 * portable_log(sqrt_pi * t);
}

/// The border between two neighbours; the upper one belongs to the upper side.
double border_between(double lower, double upper) {
  const double middle = point_before(lower, upper, 0.5);
  return middle > lower ? middle : upper;
}

/// Scales the value children to what the missing values leave them.
void set_aside_missing(Split& split, double missing_share) {
  split.missing_share = missing_share;
  for (double& share : split.shares) share = floored_share(share * (1 - missing_share));
}

}  // namespace

double sampled_cut(const ValueRange& range, double share) {
  const double cut = point_before(range.least, range.largest, share);
  return cut > range.least ? cut : range.largest;
}

Gate::Gate(double gate) : one(gate), two(same_level_with_two_degrees(gate)) {}

SampledOffer offer_of_cut(const ValueRange& range, double missing_share, double cut, std::size_t below,
                          const Gate& gate) {
  double value = 1;
  double p = 0.5;
  // The least and the largest value lie where they lie whatever the spread, so they are no evidence.
  const bool has_evidence = range.can_be_cut() && range.present > 2;
  const double n = has_evidence ? static_cast<double>(range.present - 2) : 0;
  const double inner_q = has_evidence ? (static_cast<double>(below) - 1) / n : p;
  if (range.can_be_cut()) {
    p = share_of(range.least, cut, {range.least, range.largest});
    const double q = static_cast<double>(below) / static_cast<double>(range.present);
    value = gain_term(p, q) + gain_term(1 - p, 1 - q);
  }
  if (missing_share == 0) return {.gain = has_evidence && is_above_gate(n, inner_q, p, gate.one) ? value - 1 : 0};

  const double cut_evidence = has_evidence ? likelihood_ratio(n, inner_q, p) : 0;
  const auto c = static_cast<double>(range.present + range.missing);
  const double missing_evidence = likelihood_ratio(c, static_cast<double>(range.missing) / c, missing_share);
  const bool is_significant =
      range.can_be_cut() ? cut_evidence + missing_evidence > gate.two : missing_evidence > gate.one;
  SampledOffer offer{.cuts_values = cut_evidence > missing_evidence};
  if (is_significant) offer.gain = gain_with_missing(offer.cuts_values ? value : 1, range, missing_share);
  return offer;
}

Split split_at(const Interval& interval, const ValueRange& range, double cut) {
  Split split;
  double from = interval.low;
  const auto add = [&](double border, double to) {
    split.shares.push_back(share_of(from, to, interval));
    if (border < infinity) split.cuts.push_back(border);
    from = to;
  };
  if (range.least > interval.low) add(range.least, range.least);
  add(cut, cut);
  if (range.largest < interval.high) add(std::nextafter(range.largest, infinity), range.largest);
  add(infinity, interval.high);
  set_aside_missing(split, interval.missing_share);
  return split;
}

Split split_off_missing(const Interval& interval) {
  Split split{.cuts = {}, .shares = {1}};
  set_aside_missing(split, interval.missing_share);
  return split;
}

void lay_out_cells(std::span<const double> values, const Interval& interval, Cells& cells) {
  if (values.empty()) return cells.clear();
  // A power of two that keeps the length of the interval, and what it is divided into, within the range of a double.
  const double length = interval.high - interval.low;
  const double unit = length < 0x1p-900 ? 0x1p600 : length > 0x1p1000 ? 0x1p-600 : 1;
  const double low = unit * interval.low;
  const double scale = length == 0 ? 0 : 1 / (unit * interval.high - low);  // one value: no border is used
  cells.lay_out(
      values.size(),
      [&](std::size_t i) { return (0.5 * (unit * values[i]) + 0.5 * (unit * values[i + 1]) - low) * scale; },
      [&](std::size_t i) { return values[i] < values[i + 1]; });
}

double gain_with_missing(double value, const ValueRange& range, double missing_share) {
  if (missing_share <= 0 || range.missing == 0) return value - 1;
  const double q = static_cast<double>(range.missing) / static_cast<double>(range.missing + range.present);
  return value * gain_term(1 - missing_share, 1 - q) + gain_term(missing_share, q) - 1;
}

Split split_by(std::span<const double> values, const Interval& interval, const Grouping& grouping) {
  Split split;
  double from = interval.low;
  for (std::size_t g = 1; g < static_cast<std::size_t>(grouping.n_groups); ++g) {
    const std::size_t first = grouping.first[g];
    const double cut = border_between(values[first - 1], values[first]);
    split.cuts.push_back(cut);
    split.shares.push_back(share_of(from, cut, interval));
    from = cut;
  }
  split.shares.push_back(share_of(from, interval.high, interval));
  set_aside_missing(split, interval.missing_share);
  return split;
}

}  // namespace pidforest::geometry
