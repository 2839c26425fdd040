// SPDX-License-Identifier: Apache-2.0
#include "stream/constants.h"

#include <algorithm>

#include "geometry/logarithm.h"

namespace pidforest::stream {

namespace {

/// After this many rows off it the axis is no longer taken for constant.
constexpr double enough_rows = 24;

double value_at(const SlidingRows& rows, std::size_t i, std::size_t axis) { return rows.at(i)[rows.offsets()[axis]]; }

/// A missing value is not off a constant.
bool is_off(double x, double value) { return x < value || x > value; }

}  // namespace

std::optional<double> bits_off_constant(std::uint64_t n_off, std::uint64_t n) {
  if (n_off == 0) return {};
  const auto count = static_cast<double>(n_off);
  if (count >= enough_rows) return 0;
  return std::max(0.0, geometry::portable_log2(static_cast<double>(n) / count)) * (1 - count / enough_rows);
}

void Constants::find(std::span<const forest::Root> roots, const SlidingRows& rows) {
  std::vector<Constant> found;
  for (const forest::Root& root : roots)
    for (std::size_t axis = 0; axis < root.size(); ++axis) {
      if (root[axis].low != root[axis].high) continue;
      const double value = root[axis].low;
      const auto is_same = [&](const Constant& one) { return one.axis == axis && one.value == value; };
      if (std::ranges::any_of(found, is_same)) continue;
      found.push_back({.axis = axis, .value = value});
      for (std::size_t i = 0; i < rows.n_samples(); ++i)
        if (rows.is_row(i) && is_off(value_at(rows, i, axis), value)) ++found.back().n_off;
    }
  constants_ = std::move(found);
}

void Constants::take(const SlidingRows& rows, bool ends_row) {
  const std::size_t next = rows.n_samples();
  const bool drops_row = next == rows.horizon() && rows.is_row(0);
  for (Constant& one : constants_) {
    if (drops_row && is_off(value_at(rows, 0, one.axis), one.value)) --one.n_off;
    if (ends_row && is_off(value_at(rows, next, one.axis), one.value)) ++one.n_off;
  }
}

std::vector<Constants::News> Constants::take_news(std::size_t n) {
  std::vector<News> news;
  for (Constant& one : constants_) {
    const std::optional<double> bits = bits_off_constant(one.n_off, n);
    if (one.is_told && bits == one.bits) continue;
    one.bits = bits;
    one.is_told = true;
    news.push_back({one.axis, one.value, bits});
  }
  return news;
}

}  // namespace pidforest::stream
