// SPDX-License-Identifier: Apache-2.0
#include "forest/sorted_axis.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "forest/divide.h"

namespace pidforest::forest {

namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63U;

/// Whole numbers in the order of the doubles, with NaN above all.
std::uint64_t sort_key(double x) {
  if (std::isnan(x)) return ~std::uint64_t{0};
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

}  // namespace

SortedAxis::SortedAxis(const Sample& sample, std::size_t axis) : rows_(sample.n_rows()), values_(sample.n_rows()) {
  static thread_local std::vector<hwy::uint128_t> keyed;
  static const hwy::Sorter sort;
  keyed.resize(sample.n_rows());
  for (std::size_t row = 0; row < keyed.size(); ++row) {
    keyed[row].hi = sort_key(sample.value(row, axis));
    keyed[row].lo = row;
  }
  sort(keyed.data(), keyed.size(), hwy::SortAscending());
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    rows_[i] = static_cast<std::uint32_t>(keyed[i].lo);
    values_[i] = sample.value(rows_[i], axis);
  }
  has_missing_ = !values_.empty() && std::isnan(values_.back());
}

std::span<const double> SortedAxis::present(std::size_t begin, std::size_t end) const {
  const auto values = std::span(values_).subspan(begin, end - begin);
  if (!has_missing_) return values;
  const auto missing = std::partition_point(values.begin(), values.end(), [](double x) { return !std::isnan(x); });
  return values.first(static_cast<std::size_t>(missing - values.begin()));
}

void SortedAxis::divide(std::span<const std::size_t> borders, std::span<const std::uint8_t> child_of_row) {
  static thread_local std::vector<double> values;
  static thread_local std::vector<std::uint32_t> rows;
  values.resize(values_.size());
  rows.resize(rows_.size());
  PlacesByChild places(borders);
  for (std::size_t i = borders.front(); i < borders.back(); ++i) {
    const std::size_t place = places.next(child_of_row[rows_[i]]);
    values[place] = values_[i];
    rows[place] = rows_[i];
  }
  copy_range<double>(values, borders, values_);
  copy_range<std::uint32_t>(rows, borders, rows_);
}

}  // namespace pidforest::forest
