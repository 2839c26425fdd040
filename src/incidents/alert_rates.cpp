// SPDX-License-Identifier: Apache-2.0
#include "incidents/alert_rates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "values/time.h"

namespace pidforest::incidents {

namespace {

constexpr double lowest_bits = -16;
constexpr double levels_per_bit = 4;
/// The share of the counts that stays after each half day, or half of the days that one alert takes. Half of them is
/// left after two weeks.
constexpr double kept = 0.975;
/// How much of the incidents that are missing is added to the budget.
constexpr double correction = 3;

}  // namespace

double bits_of_level(std::size_t level) { return lowest_bits + static_cast<double>(level) / levels_per_bit; }

std::size_t levels_reached(double bits) {
  if (!(bits >= lowest_bits)) return 0;
  const double level = std::floor((bits - lowest_bits) * levels_per_bit);
  return static_cast<std::size_t>(std::min(level, static_cast<double>(n_levels - 1))) + 1;
}

void AlertRates::pass(std::int64_t time) {
  if (state_.has_time && time > state_.last_time) {
    const double days = std::min(1.0, (static_cast<double>(time) - static_cast<double>(state_.last_time)) /
                                          static_cast<double>(values::microseconds_per_day));
    state_.days_seen = std::min(1.0, state_.days_seen + days);
    state_.days += days;
    state_.days_since_decay += days;
    const double period = std::max(1.0, 1 / alerts_per_day_) / 2;
    while (state_.days_since_decay >= period) {
      state_.days_since_decay -= period;
      decay();
    }
  }
  state_.last_time = state_.has_time ? std::max(state_.last_time, time) : time;
  state_.has_time = true;
}

void AlertRates::decay() {
  state_.days *= kept;
  state_.n_events *= kept;
  state_.n_opened *= kept;
  for (double& n : state_.events) n *= kept;
  for (double& n : state_.openings) n *= kept;
}

void AlertRates::count(std::size_t reached, std::size_t first_opened) {
  state_.n_events += 1;
  if (reached == 0) return;
  state_.events[reached - 1] += 1;
  for (std::size_t level = first_opened; level < reached; ++level) state_.openings[level] += 1;
}

std::optional<double> AlertRates::limit() const {
  if (state_.n_events == 0) return std::nullopt;
  // A limit that moves opens fewer incidents than one that stays, so those that are missing are allowed in addition.
  const double budget = alerts_per_day_ * state_.days;
  const double most = std::clamp(budget + correction * (budget - state_.n_opened), 0.0, 2 * budget);
  double limit = std::numeric_limits<double>::infinity();
  double n_above = 0;
  for (std::size_t level = n_levels; level-- > 0;) {
    n_above += state_.events[level];
    if (state_.openings[level] > most || n_above > largest_share * state_.n_events) break;
    limit = bits_of_level(level);
  }
  return limit;
}

}  // namespace pidforest::incidents
