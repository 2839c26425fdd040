// SPDX-License-Identifier: Apache-2.0
#include "report/moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "values/time.h"

namespace pidforest::report {

namespace {

constexpr std::int64_t second = values::microseconds_per_second;
constexpr std::int64_t minute = values::microseconds_per_minute;
constexpr std::int64_t hour = values::microseconds_per_hour;
constexpr std::int64_t day = values::microseconds_per_day;

/// Each divides the next, so that moments can be joined into longer ones. The last ones hold the years 1 to 9999 in
/// two.
constexpr std::array<std::int64_t, 26> round_lengths{
    1,           10,      100,        1'000,       10'000,      100'000,     second,        5 * second,     10 * second,
    30 * second, minute,  5 * minute, 10 * minute, 30 * minute, hour,        2 * hour,      6 * hour,       12 * hour,
    day,         7 * day, 28 * day,   364 * day,   3640 * day,  36400 * day, 364'000 * day, 3'640'000 * day};

std::int64_t floor_of(std::int64_t dividend, std::int64_t divisor) {
  return dividend / divisor - (dividend % divisor < 0 ? 1 : 0);
}

Moment moment_of(const TimedRow& sample) {
  Moment moment{.n_rows = 1, .bits = sample.bits};
  if (sample.is_anomaly)
    moment.anomalies = {.n = 1, .first = sample.time, .last = sample.time, .bits = sample.bits, .place = sample.place};
  return moment;
}

}  // namespace

void Extent::add(const Extent& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
  sum += other.sum;
  n += other.n;
}

double Extent::mean() const {
  if (n == 0) return std::numeric_limits<double>::quiet_NaN();
  return std::clamp(sum / static_cast<double>(n), low, high);  // rounding takes it no further
}

void Anomalies::add(const Anomalies& other) {
  n += other.n;
  first = std::min(first, other.first);
  last = std::max(last, other.last);
  bits = std::fmax(bits, other.bits);
  place = std::min(place, other.place);
}

void Moment::add(const Moment& other) {
  n_rows += other.n_rows;
  bits = std::fmax(bits, other.bits);
  anomalies.add(other.anomalies);
  for (std::size_t j = 0; j < other.metrics.size(); ++j) metrics[j].add(other.metrics[j]);
}

Moments::Moments(std::size_t n_series, std::size_t n_metrics, std::size_t most_numbers)
    : n_metrics_(n_metrics), most_moments_(most_numbers / (3 * n_metrics + 2)), series_(n_series) {}

std::int64_t Moments::length() const { return round_lengths[step_]; }

void Moments::add(std::size_t series, const TimedRow& sample) {
  Moment& moment = moment_at(series_[series], floor_of(sample.time, length()));
  moment.add(moment_of(sample));
  for (std::size_t j = 0; j < n_metrics_; ++j) {
    const double value = sample.values[j];
    if (std::isfinite(value)) moment.metrics[j].add({.low = value, .high = value, .sum = value, .n = 1});
  }
  while (n_moments_ > most_moments_ && step_ + 1 < round_lengths.size()) lengthen();
}

Moment& Moments::moment_at(Gathered& series, std::int64_t place) {
  if (series.last == series.moments.end() || series.last->first != place) {
    const auto [found, is_new] = series.moments.try_emplace(place);
    if (is_new) {
      found->second.metrics.resize(n_metrics_);
      ++n_moments_;
    }
    series.last = found;
  }
  return series.last->second;
}

void Moments::lengthen() {
  const std::int64_t ratio = round_lengths[step_ + 1] / round_lengths[step_];
  ++step_;
  n_moments_ = 0;
  for (Gathered& series : series_) {
    const Series shorter = std::exchange(series.moments, {});
    series.last = series.moments.end();
    for (const auto& [place, moment] : shorter) moment_at(series, floor_of(place, ratio)).add(moment);
  }
}

}  // namespace pidforest::report
