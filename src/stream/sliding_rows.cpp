// SPDX-License-Identifier: Apache-2.0
#include "stream/sliding_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace pidforest::stream {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Finite for finite values.
double rise(double from, double to) {
  constexpr double largest = std::numeric_limits<double>::max();
  return std::clamp(to - from, -largest, largest);
}

}  // namespace

SlidingRows::SlidingRows(std::size_t n_columns, std::vector<Feature> features, std::size_t horizon)
    : n_columns_(n_columns), features_(std::move(features)), is_used_(n_columns), horizon_(horizon) {
  for (const Feature& feature : features_) {
    is_used_[feature.column] = 1;
    longest_lag_ = std::max({longest_lag_, feature.lag, feature.rise_over});
    if (feature.rise_over > 0) rises_.push_back({feature.column, feature.rise_over});
    places_.push_back(feature.rise_over > 0 ? stride() - 1 : feature.column);
  }
  features_at_.resize(stride());
  for (std::size_t f = 0; f < features_.size(); ++f) {
    features_at_[places_[f]].push_back(f);
    offsets_.push_back(static_cast<std::ptrdiff_t>(places_[f]) -
                       static_cast<std::ptrdiff_t>(features_[f].lag * stride()));
  }
  begin_ = longest_lag_;
  make_room();
}

bool SlidingRows::has_missing(std::size_t i) const { return n_complete_[begin_ + i] <= longest_lag_; }

std::vector<std::size_t> SlidingRows::row_numbers() const {
  std::vector<std::size_t> numbers;
  numbers.reserve(n_rows_);
  for (std::size_t i = 0; i < n_samples_; ++i)
    if (is_row(i)) numbers.push_back(i);
  return numbers;
}

forest::Rows SlidingRows::rows() const {
  forest::Rows rows{.n = n_samples_ + 1, .columns = {}};
  for (const std::ptrdiff_t offset : offsets_)
    rows.columns.push_back({at(0) + offset, static_cast<std::ptrdiff_t>(stride())});
  return rows;
}

PlainSamples SlidingRows::plain_samples() const {
  PlainSamples samples;
  const double* sample = at(0) - n_before_ * stride();
  for (std::size_t i = 0; i < n_before_ + n_samples_; ++i, sample += stride())
    samples.values.insert(samples.values.end(), sample, sample + n_columns_);
  samples.ends_row.assign(n_before_, 0);
  for (std::size_t i = 0; i < n_samples_; ++i) samples.ends_row.push_back(is_row(i) ? 1 : 0);
  return samples;
}

void SlidingRows::set_next(std::span<const double> sample, bool ends_row) {
  double* const next = values_.data() + (begin_ + n_samples_) * stride();
  std::ranges::copy(sample, next);
  for (std::size_t i = 0; i < rises_.size(); ++i) {
    const auto [column, over] = rises_[i];
    next[n_columns_ + i] = ends_row ? rise((next - over * stride())[column], sample[column]) : missing;
  }
  const std::size_t place = begin_ + n_samples_;
  bool has_missing = false;
  for (std::size_t j = 0; j < sample.size(); ++j)
    has_missing = has_missing || (is_used_[j] != 0 && std::isnan(sample[j]));
  n_complete_[place] = has_missing ? 0 : place == 0 ? longest_lag_ + 1 : n_complete_[place - 1] + 1;
}

void SlidingRows::take(bool ends_row) {
  is_row_[begin_ + n_samples_] = ends_row ? 1 : 0;
  n_rows_ += ends_row ? 1 : 0;
  if (n_samples_ < horizon_) {
    ++n_samples_;
  } else {
    n_rows_ -= is_row(0) ? 1 : 0;
    ++begin_;
    ++n_dropped_;
    n_before_ = std::min(n_before_ + 1, longest_lag_);
  }
  make_room();
}

/// Memory grows with the samples, up to two horizons; then the buffered samples move back to its beginning.
void SlidingRows::make_room() {
  const std::size_t most = longest_lag_ + 2 * horizon_ + 1;
  if (begin_ + n_samples_ == most) {
    const std::size_t first = begin_ - longest_lag_;
    const auto move = [&](auto& items, std::size_t per_sample) {
      std::copy(items.begin() + static_cast<std::ptrdiff_t>(first * per_sample), items.end(), items.begin());
    };
    move(values_, stride());
    move(is_row_, 1);
    move(n_complete_, 1);
    begin_ = longest_lag_;
  }
  const std::size_t needed = begin_ + n_samples_ + 1;
  if (is_row_.size() >= needed) return;
  const std::size_t size = std::min(most, std::max(needed, 2 * is_row_.size()));
  values_.resize(size * stride());
  is_row_.resize(size);
  n_complete_.resize(size);
}

forest::Rows in_order(const forest::Rows& rows, std::span<const std::size_t> axis_order) {
  forest::Rows ordered{.n = rows.n, .columns = {}};
  for (const std::size_t axis : axis_order) ordered.columns.push_back(rows.columns[axis]);
  return ordered;
}

std::vector<std::size_t> numbers_below(std::size_t n) {
  std::vector<std::size_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

}  // namespace pidforest::stream
