// SPDX-License-Identifier: Apache-2.0
#include "report/ticks.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "schema/native_scale.h"
#include "values/number_words.h"
#include "values/time.h"
#include "values/time_text.h"

namespace pidforest::report {

namespace {

using schema::NativeScale;
using Ticks = std::vector<ReportData::Tick>;

constexpr int n_digits = 4;
constexpr std::array quarters{0.0, 0.25, 0.5, 0.75, 1.0};

Ticks ticks_of_hours() {
  Ticks ticks;
  for (const double quarter : quarters) ticks.push_back({quarter, fmt::format("{:02}:00", std::lround(24 * quarter))});
  return ticks;
}

Ticks ticks_of_days() {
  constexpr double n_days = 366;
  Ticks ticks;
  for (const int day : {0, 91, 182, 274}) ticks.push_back({day / n_days, values::day_words(day)});
  return ticks;
}

/// Values are seconds since 1970-01-01 UTC.
Ticks ticks_of_times(const Scale& scale, const ColumnSchema& column) {
  constexpr double seconds_per_day = 86'400;
  const values::Zone zone(column.zone.empty() ? "UTC" : column.zone);
  const bool is_long = scale.number_at(1) - scale.number_at(0) > 4 * seconds_per_day;
  Ticks ticks;
  for (const double place : {0.1, 0.5, 0.9}) {
    const std::int64_t clock =
        zone.to_local(static_cast<std::int64_t>(scale.number_at(place) * values::microseconds_per_second));
    const std::string text = values::date_time_text(clock, ' ', values::Fractions::none);
    ticks.push_back({place, text.substr(0, is_long ? 10 : 16)});  // the date, or to the minute
  }
  return ticks;
}

}  // namespace

std::string_view words_of(Derivation derivation) {
  switch (derivation) {
    case Derivation::hour_of_day:
      return "hour of day";
    case Derivation::day_of_week:
      return "day of week";
    case Derivation::month:
      return "month";
    case Derivation::day_of_year:
      return "day of year";
    default:
      return "time";
  }
}

std::vector<ReportData::Tick> ticks_of(const Scale& scale, const NamedAxis& axis) {
  if (axis.derivation == Derivation::hour_of_day) return ticks_of_hours();
  if (axis.derivation == Derivation::day_of_year) return ticks_of_days();
  if (axis.derivation) return ticks_of_times(scale, axis.column);
  const NativeScale native(axis.column, axis.derivation);
  Ticks ticks;
  if (axis.info.kind == geometry::AxisKind::cyclic) {
    for (const double quarter : quarters)
      ticks.push_back({quarter, values::number_words(quarter * native.period(), n_digits)});
    return ticks;
  }
  if (axis.info.n_cells == 0) return ticks_of(scale);
  // Cells hold whole numbers.
  const auto n_cells = static_cast<double>(axis.info.n_cells);
  for (const double number : Scale(native.to_native(0.5), native.to_native(n_cells - 0.5)).round_numbers())
    if (number == std::floor(number))
      ticks.push_back({scale.place_of(native.to_encoded(number)), values::number_words(number, n_digits)});
  return ticks;
}

std::vector<ReportData::Tick> ticks_of(const Scale& scale) {
  Ticks ticks;
  for (const double number : scale.round_numbers())
    ticks.push_back({scale.place_of(number), values::number_words(number, n_digits)});
  return ticks;
}

}  // namespace pidforest::report
