// SPDX-License-Identifier: Apache-2.0
// Columns of every kind with seen, missing, odd and unseen values, for RapidCheck.
#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unit/explain/any_part.h"
#include "unit/schema/encoding.h"

namespace pidforest {

/// The smallest difference between times; not every database supports microseconds.
enum class Finest : std::uint8_t { microsecond, millisecond };

struct MixedColumn {
  ColumnSchema schema;
  ColumnTable table;
};

namespace mixed {

inline constexpr std::size_t n_rows = 60;

template <class Value>
std::vector<Value> some_of(const std::vector<Value>& choice) {
  return *rc::gen::container<std::vector<Value>>(n_rows, rc::gen::elementOf(choice));
}

inline MixedColumn numbers(ColumnSchema schema, const Numbers& choice) {
  return {std::move(schema), ColumnTable().numbers("x", some_of(choice))};
}
inline MixedColumn texts(ColumnSchema schema, const Texts& choice) {
  return {std::move(schema), ColumnTable().texts("x", some_of(choice))};
}

inline const std::vector<std::pair<std::string, std::string>> continents{
    {"AR", "Americas"}, {"US", "Americas"}, {"DE", "Europe"}, {"FR", "Europe"}, {"JP", "Asia"}};

/// Times around daylight saving changes, ends of years and leap days, at odd times of day; sometimes all of them
/// without an offset.
inline Texts time_texts(Finest finest) {
  const bool has_microseconds = finest == Finest::microsecond;
  Texts texts{"2026-03-29T00:30:00Z",
              has_microseconds ? "2026-03-29T01:30:00.000001Z" : "2026-03-29T01:30:00.001Z",
              has_microseconds ? "2026-10-25T00:59:59.999999Z" : "2026-10-25T00:59:59.999Z",
              "2026-10-25T01:00:00Z",
              "2026-12-31T23:00:00Z",
              "2027-01-01T00:00:00+14:00",
              "2024-02-29T12:34:56.789Z",
              "2025-02-28T23:59:59Z",
              "2025-03-01 08:15",
              "1969-12-31 23:59:59.5",
              "2026-07-01 23:45",
              "2026-12-24",
              std::nullopt};
  const bool are_local = one_of(3) == 0;
  const auto has_offset = [](const std::optional<std::string>& text) {
    return text && (text->ends_with('Z') || text->find('+') != std::string::npos);
  };
  if (are_local) std::erase_if(texts, has_offset);
  return texts;
}

inline ColumnSchema time_schema() {
  using enum Derivation;
  ColumnSchema schema = schema::time_of(
      {*rc::gen::element(hour_of_day, day_of_week, month, day_of_year, epoch)},
      *rc::gen::element(Resolution::hour, Resolution::minute, Resolution::second, Resolution::microsecond));
  schema.zone = *rc::gen::element<std::string>("UTC", "Europe/Berlin", "-03:30");
  return schema;
}

}  // namespace mixed

inline MixedColumn any_mixed_column(Finest finest = Finest::microsecond) {
  using namespace mixed;
  const auto none = std::nullopt;
  switch (one_of(16)) {
    case 0:
      return numbers(column_of(Kind::continuous),
                     {nan, 0, 5, std::nextafter(5, 6), 0.1, -1e300, 1e-300, 12345.6789, schema::inf});
    case 1:
      return texts(column_of(Kind::continuous), {none, "", "1.5", " +2 ", "-3e2", "nan", "0.1", "100000"});
    case 2:
      return numbers(schema::ordinal(1, 5), {nan, 1, 2, 3, 4, 5, -7, 12});
    case 3:
      return texts(with_levels(Kind::ordinal, {"S", "M", "L", "XL"}), {none, "", "S", "M", "L", "XL"});
    case 4:
      return numbers(schema::circle(360), {nan, 0, 359.5, -10, 720, 123.456, 1e9, -0.1});
    case 5:
      return numbers(schema::circle(1, 0.1), {nan, 0, 0.3, 0.1 + 0.2, 0.7, 0.95, -0.3, 12.6, 0.29});
    case 6:
      return texts(with_levels(Kind::cyclic, {"spring", "summer", "autumn", "winter"}),
                   {none, "spring", "summer", "autumn", "winter"});
    case 7:
      return texts(with_levels(Kind::category, {"a", "B", "it's", "\"q\"", "ä, ö"}),
                   {none, "", "a", "B", "it's", "\"q\"", "ä, ö", "b", "new"});
    case 8:
      return numbers(with_levels(Kind::category, {"0.5", "1", "100000"}, true), {nan, 0.5, 1, 1e5, 7});
    case 9:
      return texts(schema::hierarchy(continents, {"AR", "US", "DE", "FR", "JP"}),
                   {none, "AR", "US", "DE", "FR", "JP", "XX"});
    case 10:
      return texts(column_of(Kind::boolean), {none, "true", "F", "YES", "n", "1", "0"});
    case 11: {
      ColumnSchema schema = time_schema();
      schema.epoch_unit = EpochUnit::milliseconds;
      return numbers(schema, {nan, 0, 1794817800123, 951825600000, -1, 1774749600000});
    }
    default:
      return texts(time_schema(), time_texts(finest));
  }
}

}  // namespace pidforest
