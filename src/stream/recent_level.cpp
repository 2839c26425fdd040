// SPDX-License-Identifier: Apache-2.0
#include "stream/recent_level.h"

#include <algorithm>
#include <cmath>

#include "pidforest/error.h"

namespace pidforest::stream {

namespace {

constexpr std::size_t n_last = 64;
/// The median is taken again after this many rows.
constexpr std::uint64_t rows_per_median = 8;
/// All of it would hide an anomaly that begins while everything scores high.
constexpr double share_taken_off = 0.5;
/// The median of so few scores varies by less while nothing changes.
constexpr double usual_bits = 1;

double upper_median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

void RecentLevel::learn(double bits, std::uint64_t n) {
  if (last_.size() < n_last)
    last_.push_back(bits);
  else
    last_[n % n_last] = bits;
  if (last_.size() == n_last && n % rows_per_median == 0)
    excess_ = share_taken_off * std::max(0.0, upper_median(last_) - usual_ - usual_bits);
}

void RecentLevel::set_usual(std::span<const double> scores) { usual_ = upper_median({scores.begin(), scores.end()}); }

std::vector<double> RecentLevel::saved() const {
  std::vector<double> numbers{usual_, excess_};
  numbers.insert(numbers.end(), last_.begin(), last_.end());
  return numbers;
}

void RecentLevel::restore(std::span<const double> saved) {
  if (saved.size() < 2 || saved.size() > 2 + n_last ||
      !std::ranges::all_of(saved, [](double x) { return std::isfinite(x); }))
    throw BadFile("its level of scores is impossible.");
  usual_ = saved[0];
  excess_ = saved[1];
  last_.assign(saved.begin() + 2, saved.end());
}

}  // namespace pidforest::stream
