// SPDX-License-Identifier: Apache-2.0
#include "forest/aggregate.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "geometry/logarithm.h"

namespace pidforest::forest {

namespace {

/// Interpolates linearly between the two nearest ranks. Side effect: reorders the values.
double quantile_of(std::span<double> values, double q) {
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), nth, values.end());
  const double fraction = place - static_cast<double>(below);
  if (fraction == 0) return *nth;
  return *nth + fraction * (*std::min_element(nth + 1, values.end()) - *nth);
}

/// The mean of the highest `share` of the values, at least one. Side effect: reorders the values.
double top_mean(std::span<double> values, double share) {
  const auto n = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(n);
  std::partial_sort(values.begin(), end, values.end(), std::greater<>());
  return std::accumulate(values.begin(), end, 0.0) / static_cast<double>(n);
}

/// log2 of the mean of 2^value.
double log2_mean_power(std::span<const double> values) {
  const double largest = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += geometry::portable_exp((value - largest) * std::numbers::ln2);
  return largest + geometry::portable_log2(sum / static_cast<double>(values.size()));
}

/// A tree's vote, between -4 and 4: the further from the tree's median, the less each additional bit counts.
double vote(double bits, double median) {
  const double distance = bits - median;
  return distance / (1 + std::abs(distance) / 4);
}

/// A row of a regular table has about this many more bits by `odds` than by `mean`: a few trees see each row as rare.
constexpr double bits_of_odds = 3;

}  // namespace

double head_start(const Options& options) {
  switch (options.aggregate) {
    case Aggregate::quantile:
      return -geometry::portable_log2(std::max(1 - options.quantile, 1 / static_cast<double>(options.n_estimators)));
    case Aggregate::top:
      return -geometry::portable_log2(options.top_share);
    case Aggregate::max:
      return geometry::portable_log2(static_cast<double>(options.n_estimators));
    case Aggregate::odds:
      return bits_of_odds;
    case Aggregate::mean:
    case Aggregate::vote:
      break;
  }
  return 0;
}

double aggregate(std::span<double> tree_bits, const Options& options, std::span<const double> median_bits) {
  if (options.aggregate == Aggregate::vote)
    for (std::size_t tree = 0; tree < tree_bits.size(); ++tree)
      tree_bits[tree] = vote(tree_bits[tree], median_bits[tree]);
  if (options.aggregate == Aggregate::mean || options.aggregate == Aggregate::vote)
    return std::accumulate(tree_bits.begin(), tree_bits.end(), 0.0) / static_cast<double>(tree_bits.size());
  if (options.aggregate == Aggregate::quantile) return quantile_of(tree_bits, options.quantile);
  if (options.aggregate == Aggregate::odds) return log2_mean_power(tree_bits);
  if (options.aggregate == Aggregate::top) return top_mean(tree_bits, options.top_share);
  return *std::max_element(tree_bits.begin(), tree_bits.end());
}

Aggregator::Aggregator(const Options& options, std::span<const double> median_bits)
    : options_(options), median_bits_(median_bits) {}

void Aggregator::begin_block() {
  n_trees_ = 0;
  all_bits_.clear();
  sums_.fill(0.0);
}

std::span<double, block_rows> Aggregator::begin_tree() {
  if (options_.aggregate == Aggregate::mean) return sums_;
  tree_bits_.fill(0.0);
  return tree_bits_;
}

void Aggregator::end_tree(std::size_t tree) {
  if (options_.aggregate == Aggregate::vote)
    for (std::size_t i = 0; i < block_rows; ++i) sums_[i] += vote(tree_bits_[i], median_bits_[tree]);
  else if (options_.aggregate != Aggregate::mean)
    all_bits_.insert(all_bits_.end(), tree_bits_.begin(), tree_bits_.end());
  ++n_trees_;
}

void Aggregator::end_block(std::span<double> scores) {
  for (std::size_t row = 0; row < scores.size(); ++row) scores[row] = score_of_row(row);
}

double Aggregator::score_of_row(std::size_t row) {
  if (options_.aggregate == Aggregate::mean || options_.aggregate == Aggregate::vote)
    return sums_[row] / static_cast<double>(n_trees_);
  row_bits_.resize(n_trees_);
  for (std::size_t tree = 0; tree < n_trees_; ++tree) row_bits_[tree] = all_bits_[tree * block_rows + row];
  return aggregate(row_bits_, options_, median_bits_);
}

}  // namespace pidforest::forest
