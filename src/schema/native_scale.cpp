// SPDX-License-Identifier: Apache-2.0
#include "schema/native_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "values/time.h"

namespace pidforest::schema {

namespace {

double whole_number_after(double number) {
  return std::max(number + 1, std::nextafter(number, std::numeric_limits<double>::infinity()));
}
double whole_number_before(double number) { return -whole_number_after(-number); }

}  // namespace

NativeScale::NativeScale(const ColumnSchema& schema, std::optional<Derivation> derivation) {
  if (derivation) {
    set_time(*derivation, schema.resolution.value_or(Resolution::hour));
  } else if (schema.kind == Kind::cyclic) {
    set_circle(schema.period, schema.step > 0 ? std::round(schema.period / schema.step) : 0);
  } else if (schema.kind == Kind::ordinal && schema.range) {
    form_ = Form::whole_numbers;
    first_ = schema.range->first;
  }
}

void NativeScale::set_circle(double period, double n_cells) {
  period_ = period;
  n_cells_ = n_cells;
  if (n_cells > 0) form_ = Form::cells;
}

void NativeScale::set_time(Derivation derivation, Resolution resolution) {
  constexpr double hours_per_day = 24;
  const bool is_hour = derivation == Derivation::hour_of_day;
  if (derivation == Derivation::epoch || (is_hour && resolution == Resolution::microsecond)) {
    form_ = Form::microseconds;
    microseconds_per_unit_ =
        static_cast<double>(is_hour ? values::microseconds_per_hour : values::microseconds_per_second);
    period_ = is_hour ? hours_per_day : 0;
    return;
  }
  const auto n_cells = static_cast<double>(values::n_derived_cells(derivation, resolution));
  set_circle(is_hour ? hours_per_day : n_cells, n_cells);
}

double NativeScale::step() const {
  if (form_ == Form::whole_numbers) return 1;
  return n_cells_ > 0 ? period_ / n_cells_ : 0;
}

double NativeScale::to_native(double encoded) const {
  if (!std::isfinite(encoded)) return encoded;
  switch (form_) {
    case Form::whole_numbers:
      return least_whole_number(encoded);
    case Form::cells:
      return std::ceil(encoded - 0.5) * period_ / n_cells_;
    case Form::microseconds:
      return static_cast<double>(first_microsecond(encoded, microseconds_per_unit_)) / microseconds_per_unit_;
    default:
      return encoded;
  }
}

double NativeScale::to_encoded(double native) const {
  if (!std::isfinite(native)) return native;
  switch (form_) {
    case Form::whole_numbers:
      return std::ceil(native) - first_ + 0.5;
    case Form::cells:
      return std::round(native * n_cells_ / period_);
    default:
      return native;
  }
}

/// Encoding rounds numbers of more than 52 bits, so the first guess may be slightly off.
double NativeScale::least_whole_number(double encoded) const {
  const auto reaches = [&](double number) { return number - first_ + 0.5 >= encoded; };
  double number = std::ceil(encoded - 0.5) + first_;
  while (!reaches(number)) number = whole_number_after(number);
  while (reaches(whole_number_before(number))) number = whole_number_before(number);
  return number;
}

std::int64_t first_microsecond(double bound, double microseconds_per_unit) {
  constexpr double farthest = 1e18;
  const auto reaches = [&](std::int64_t time) { return static_cast<double>(time) / microseconds_per_unit >= bound; };
  auto time = static_cast<std::int64_t>(std::clamp(bound * microseconds_per_unit, -farthest, farthest));
  while (!reaches(time)) ++time;
  while (reaches(time - 1)) --time;
  return time;
}

}  // namespace pidforest::schema
