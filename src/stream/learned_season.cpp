// SPDX-License-Identifier: Apache-2.0
#include "stream/learned_season.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pidforest/error.h"
#include "values/time.h"

namespace pidforest::stream {

namespace {

constexpr std::int64_t half_hour_length = values::microseconds_per_hour / 2;
constexpr double days_for_day = 3;
constexpr double days_for_week = 21;
/// How near usual values must be, by the distance from the level.
constexpr double near_enough = 0.5;
constexpr double least_weight_of_visit = 1.0 / 8;
constexpr double least_weight_of_half_hour = 1.0 / static_cast<double>(LearnedSeason::per_week);
constexpr double farthest = 3;
/// A wild day must not make all that follows near.
constexpr double farthest_counted = 10;
/// So that all differences are finite.
constexpr double largest_mean = 1e300;

std::int64_t divided_down(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

std::size_t cell_of_day(std::int64_t half_hour) {
  constexpr auto n = static_cast<std::int64_t>(LearnedSeason::per_day);
  return static_cast<std::size_t>(half_hour - divided_down(half_hour, n) * n);
}

/// After the cells of the day.
std::size_t cell_of_week(std::int64_t half_hour) {
  constexpr auto n = static_cast<std::int64_t>(LearnedSeason::per_week);
  return LearnedSeason::per_day + static_cast<std::size_t>(half_hour - divided_down(half_hour, n) * n);
}

std::int64_t day_of(std::int64_t half_hour) {
  return divided_down(half_hour, static_cast<std::int64_t>(LearnedSeason::per_day));
}

}  // namespace

void LearnedSeason::Distance::learn(double distance) {
  const double weight = std::max(1 / ++n, least_weight_of_half_hour);
  mean += weight * (distance - mean);
  usual += weight * ((usual == 0 ? distance : std::min(distance, farthest_counted * usual)) - usual);
}

void LearnedSeason::learn(Usual& usual, Distance& distance, double mean, double least_weight) {
  if (usual.n++ == 0) {
    usual.value = mean;
    return;
  }
  const double difference = mean - usual.value;
  const double most = distance.n == 0 ? std::abs(difference) : farthest * distance.usual;
  distance.learn(std::abs(difference));
  usual.value += std::max(1 / usual.n, least_weight) * std::clamp(difference, -most, most);
}

void LearnedSeason::minus_usual(std::span<const double> values, std::int64_t time,
                                std::span<double> differences) const {
  constexpr double largest = std::numeric_limits<double>::max();
  const std::int64_t half_hour = divided_down(time, half_hour_length);
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    const Usual& of_week = metrics_[i].cells[cell_of_week(half_hour)];
    const bool is_weekly = metrics_[i].known == Known::week && of_week.n > 0;
    const Usual& usual = is_weekly ? of_week : metrics_[i].cells[cell_of_day(half_hour)];
    differences[i] =
        usual.n > 0 ? std::clamp(values[i] - usual.value, -largest, largest) : std::numeric_limits<double>::quiet_NaN();
  }
}

bool LearnedSeason::learn(std::span<const double> values, std::int64_t time) {
  const std::int64_t half_hour = divided_down(time, half_hour_length);
  bool is_new_day = false;
  if (has_time_ && half_hour != half_hour_) {
    end_half_hour();
    is_new_day = day_of(half_hour) != day_of(half_hour_);
    if (is_new_day) {
      ++n_days_;
      for (Metric& metric : metrics_) judge(metric);
    }
  }
  has_time_ = true;
  half_hour_ = half_hour;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (std::isnan(values[i])) continue;
    metrics_[i].sum += values[i];
    ++metrics_[i].n;
  }
  return is_new_day;
}

void LearnedSeason::end_half_hour() {
  for (Metric& metric : metrics_) {
    const double mean = metric.sum / metric.n;
    if (std::abs(mean) < largest_mean) {  // not without values
      learn(metric.cells[cell_of_day(half_hour_)], metric.from_day, mean, least_weight_of_visit);
      learn(metric.cells[cell_of_week(half_hour_)], metric.from_week, mean, least_weight_of_visit);
      learn(metric.level, metric.from_level, mean, least_weight_of_half_hour);
    }
    metric.sum = metric.n = 0;
  }
}

void LearnedSeason::judge(Metric& metric) const {
  const double enough = near_enough * metric.from_level.mean;
  const auto is_near = [&](const Distance& from) { return from.n > 0 && from.mean < enough; };
  if (metric.known == Known::nothing && n_days_ >= days_for_day && is_near(metric.from_day)) metric.known = Known::day;
  if (n_days_ >= days_for_week && is_near(metric.from_week) && metric.from_week.mean < metric.from_day.mean)
    metric.known = Known::week;
}

std::vector<double> LearnedSeason::saved() const {
  std::vector<double> numbers{has_time_ ? 1.0 : 0.0, static_cast<double>(half_hour_), n_days_};
  for (const Metric& metric : metrics_) {
    for (const Usual& cell : metric.cells) numbers.insert(numbers.end(), {cell.value, cell.n});
    numbers.insert(numbers.end(), {metric.level.value, metric.level.n});
    for (const Distance* one : {&metric.from_day, &metric.from_week, &metric.from_level})
      numbers.insert(numbers.end(), {one->mean, one->usual, one->n});
    numbers.insert(numbers.end(), {metric.sum, metric.n, static_cast<double>(metric.known)});
  }
  return numbers;
}

void LearnedSeason::restore(std::span<const double> saved) {
  constexpr double latest_half_hour = 1e12;
  constexpr double week = static_cast<double>(Known::week);
  if (saved.size() != this->saved().size()) throw BadFile("its season has the wrong number of metrics.");
  const auto next = [&] {
    const double number = saved.front();
    saved = saved.subspan(1);
    return number;
  };
  for (const double number : saved)
    if (!std::isfinite(number)) throw BadFile(fmt::format("its season must be finite; got {}.", number));
  has_time_ = next() != 0;
  const double half_hour = next();
  if (!(std::abs(half_hour) <= latest_half_hour)) throw BadFile("the time of its season is impossible.");
  half_hour_ = static_cast<std::int64_t>(half_hour);
  n_days_ = next();
  const auto take = [&](auto& value, auto& n) {
    value = next();
    n = next();
  };
  for (Metric& metric : metrics_) {
    for (Usual& cell : metric.cells) take(cell.value, cell.n);
    take(metric.level.value, metric.level.n);
    for (Distance* one : {&metric.from_day, &metric.from_week, &metric.from_level}) {
      one->mean = next();
      take(one->usual, one->n);
    }
    take(metric.sum, metric.n);
    const double known = next();
    if (known != 0 && known != 1 && known != week) throw BadFile("what is known of its season is impossible.");
    metric.known = static_cast<Known>(known);
  }
}

}  // namespace pidforest::stream
