// SPDX-License-Identifier: Apache-2.0
#include "explain/end_words.h"

#include <cmath>
#include <tuple>
#include <utility>

#include "explain/condition.h"
#include "schema/native_scale.h"
#include "values/number_form.h"
#include "values/number_words.h"
#include "values/time.h"
#include "values/time_text.h"

namespace pidforest::explain {

namespace {

using schema::NativeScale;
using values::Fractions;
using Form = EndWords::Form;

constexpr int n_digits_shown = 6;
constexpr int all_digits = 17;

/// Two ends, with enough digits to tell them apart.
template <class Words>
std::pair<std::string, std::string> two_numbers(double low, double high, const Words& words) {
  for (int n_digits = n_digits_shown;; ++n_digits) {
    std::string first = words(low, n_digits);
    std::string second = words(high, n_digits);
    if (first != second || n_digits == all_digits || low == high) return {std::move(first), std::move(second)};
  }
}

EndWords number_ends(const Condition& condition, const ColumnSchema& column) {
  const Bound low = lower_bound(condition.low);
  const Bound high = upper_bound(condition.high);
  EndWords ends{.low_is_inside = low.is_inside, .high_is_inside = high.is_inside};
  const auto form = column.written.empty() ? std::nullopt : values::NumberForm::parse(column.written);
  std::tie(ends.low, ends.high) = two_numbers(low.number, high.number, [&](double number, int n_digits) {
    return form && std::isfinite(number) ? form->words(number, n_digits) : values::number_words(number, n_digits);
  });
  if (std::isinf(condition.low)) ends.low.clear();
  if (std::isinf(condition.high)) ends.high.clear();
  return ends;
}

/// Whole numbers are written out, and the upper end is the last number inside.
EndWords whole_number_ends(const Condition& condition) {
  EndWords ends{.form = Form::run, .high_is_inside = true};
  if (std::isfinite(condition.low)) ends.low = values::number_words(condition.low, all_digits);
  if (std::isfinite(condition.high)) ends.high = values::number_words(condition.high - 1, all_digits);
  return ends;
}

/// An arc that ends where the circle begins is said to end at the end of the circle.
double end_of_arc(const Condition& condition, double period) { return condition.high > 0 ? condition.high : period; }

EndWords arc_ends(const Condition& condition, const NativeScale& scale) {
  const double end = end_of_arc(condition, scale.period());
  EndWords ends{.form = Form::arc};
  std::tie(ends.low, ends.high) = two_numbers(condition.low, end, values::number_words);
  if (scale.step() == 0) return ends;
  return {.form = Form::run,
          .low = values::number_words(condition.low, n_digits_shown),
          .high = values::number_words(end - scale.step(), n_digits_shown),
          .high_is_inside = true};
}

EndWords hour_ends(const Condition& condition) {
  constexpr double hours_per_day = 24;
  const auto clocks = [&](Fractions fractions) {
    const auto clock = [&](double hours) {
      return values::clock_text(std::llround(hours * values::microseconds_per_hour), fractions);
    };
    return std::pair(clock(condition.low), clock(end_of_arc(condition, hours_per_day)));
  };
  EndWords ends{.form = Form::hours};
  std::tie(ends.low, ends.high) = clocks(Fractions::none);
  if (ends.low == ends.high) std::tie(ends.low, ends.high) = clocks(Fractions::exact);
  return ends;
}

EndWords day_ends(const Condition& condition) {
  constexpr double days_per_leap_year = 366;
  return {.form = Form::days,
          .low = values::day_words(static_cast<int>(condition.low)),
          .high = values::day_words(static_cast<int>(end_of_arc(condition, days_per_leap_year)) - 1),
          .high_is_inside = true};
}

EndWords time_ends(const Condition& condition, const ColumnSchema& column) {
  const values::Zone zone(column.zone.empty() ? "UTC" : column.zone);
  const auto times = [&](Fractions fractions) {
    const auto time = [&](double seconds) {
      if (std::isinf(seconds)) return std::string();
      const std::int64_t utc = schema::first_microsecond(seconds, values::microseconds_per_second);
      return values::date_time_text(zone.to_local(utc), ' ', fractions);
    };
    return std::pair(time(condition.low), time(condition.high));
  };
  EndWords ends{.form = Form::times};
  std::tie(ends.low, ends.high) = times(Fractions::none);
  if (ends.low == ends.high) std::tie(ends.low, ends.high) = times(Fractions::exact);
  return ends;
}

}  // namespace

EndWords ends_in_words(const Condition& condition, const ColumnSchema& column) {
  if (condition.derivation == Derivation::hour_of_day) return hour_ends(condition);
  if (condition.derivation == Derivation::day_of_year) return day_ends(condition);
  if (condition.derivation == Derivation::epoch) return time_ends(condition, column);
  const NativeScale scale(column, condition.derivation);
  if (condition.shape == Condition::Shape::arc) return arc_ends(condition, scale);
  return scale.step() > 0 ? whole_number_ends(condition) : number_ends(condition, column);
}

}  // namespace pidforest::explain
