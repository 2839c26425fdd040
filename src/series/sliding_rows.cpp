// SPDX-License-Identifier: Apache-2.0
#include "series/sliding_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pidforest::series {

SlidingRows::SlidingRows(std::size_t n_columns, std::vector<Feature> features, std::size_t horizon)
    : n_columns_(n_columns), features_(std::move(features)), horizon_(horizon) {
  for (const Feature& feature : features_) {
    longest_lag_ = std::max(longest_lag_, feature.lag);
    offsets_.push_back(static_cast<std::ptrdiff_t>(feature.column) -
                       static_cast<std::ptrdiff_t>(feature.lag * n_columns_));
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
    rows.columns.push_back({at(0) + offset, static_cast<std::ptrdiff_t>(n_columns_)});
  return rows;
}

void SlidingRows::set_next(std::span<const double> sample) {
  std::ranges::copy(sample, values_.begin() + static_cast<std::ptrdiff_t>((begin_ + n_samples_) * n_columns_));
  const std::size_t place = begin_ + n_samples_;
  const bool has_missing = std::ranges::any_of(sample, [](double x) { return std::isnan(x); });
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
    move(values_, n_columns_);
    move(is_row_, 1);
    move(n_complete_, 1);
    begin_ = longest_lag_;
  }
  const std::size_t needed = begin_ + n_samples_ + 1;
  if (is_row_.size() >= needed) return;
  const std::size_t size = std::min(most, std::max(needed, 2 * is_row_.size()));
  values_.resize(size * n_columns_);
  is_row_.resize(size);
  n_complete_.resize(size);
}

}  // namespace pidforest::series
