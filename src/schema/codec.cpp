// SPDX-License-Identifier: Apache-2.0
#include "schema/codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "pidforest/error.h"
#include "schema/hierarchy.h"
#include "schema/levels.h"
#include "schema/schema_words.h"
#include "schema/time_column.h"
#include "table/value.h"
#include "values/excerpt.h"
#include "values/number_form.h"
#include "values/read_text.h"
#include "values/time.h"

namespace pidforest::schema {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Writes value_of(row) for each row. A text equal to the previous one reuses its value.
template <class ValueOf>
void encode_rows(const Column& column, std::size_t begin, std::span<double> out, ValueOf value_of) {
  const auto repeats = [&](std::size_t row) {
    const std::string_view text = column.text(row);
    const std::string_view before = column.text(row - 1);
    return text == before && (text.data() == nullptr) == (before.data() == nullptr);
  };
  const bool are_texts = column.type == ColumnType::text;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = are_texts && i > 0 && repeats(begin + i) ? out[i - 1] : value_of(begin + i);
}

/// A codec that writes value_of(axis, column, row) for each row.
template <class ValueOf>
Codec codec_of_rows(std::vector<AxisInfo> axes, ValueOf value_of) {
  return {.axes = std::move(axes),
          .encode = [value_of = std::move(value_of)](std::size_t axis, const Column& column, std::size_t begin,
                                                     std::span<double> out) {
            encode_rows(column, begin, out, [&](std::size_t row) { return value_of(axis, column, row); });
          }};
}

/// A codec for a column that is read as numbers: writes value_of(number, column, row), and NaN for missing values.
template <class ValueOf>
Codec codec_of_numbers(AxisInfo axis, ValueOf value_of) {
  return codec_of_rows({std::move(axis)}, [value_of](std::size_t /*axis*/, const Column& column, std::size_t row) {
    const double number = table::number_at(column, row);
    return std::isnan(number) ? nan : value_of(number, column, row);
  });
}

AxisInfo make_axis(std::string name, geometry::AxisKind kind, std::size_t n_cells = 0) {
  AxisInfo axis;
  axis.name = std::move(name);
  axis.kind = kind;
  axis.n_cells = n_cells;
  if (kind == geometry::AxisKind::cyclic) axis.period = static_cast<double>(n_cells);
  return axis;
}

/// A number as the column writes it.
double written_number(const values::NumberForm& form, const Column& column, std::size_t row) {
  if (column.type != ColumnType::text) return column.number(row);
  const values::NumberReading reading = form.read(column.text(row));
  const std::string demand = fmt::format("must be a number, as 1234.5 is written {}", form.example());
  if (!reading.demand().empty())
    table::refuse(column, row,
                  {.demand = demand, .remedy = "Leave it empty if it is missing, or declare the column a category."});
  return reading.value;
}

Codec continuous_codec(const ColumnSchema& schema) {
  AxisInfo axis = make_axis(schema.name, geometry::AxisKind::ordered);
  axis.range = schema.range;
  const auto form = schema.written.empty() ? std::nullopt : values::NumberForm::parse(schema.written);
  Codec codec =
      form ? codec_of_rows({std::move(axis)},
                           [form = *form](std::size_t /*axis*/, const Column& column, std::size_t row) {
                             return written_number(form, column, row);
                           })
           : codec_of_numbers(std::move(axis), [](double number, const Column&, std::size_t) { return number; });
  codec.are_numbers_plain = true;
  return codec;
}

/// For an ordinal column with a range of whole numbers as its levels.
Codec whole_number_codec(const ColumnSchema& schema, double first, double last) {
  const auto n_levels = static_cast<std::size_t>(last - first + 1);
  return codec_of_numbers(
      make_axis(schema.name, geometry::AxisKind::ordered, n_levels),
      [first](double number, const Column& column, std::size_t row) {
        if (std::isinf(number) || std::floor(number) != number)
          table::refuse(column, row,
                        {.demand = "must be a whole number", .remedy = "Otherwise declare the column continuous."});
        return number - first + 0.5;
      });
}

/// The places of numbers on a circle.
struct Circle {
  double period;
  double step;
  /// 0 if there are no cells.
  double n_cells = step > 0 ? std::round(period / step) : 0;

  [[nodiscard]] double wrapped(double number) const {
    const double rest = std::fmod(number, period);
    const double place = rest < 0 ? rest + period : rest;
    return place < period ? place : 0;
  }
  /// A value that rounding put just below a border belongs to the cell above it.
  [[nodiscard]] double cell_of(double place) const {
    constexpr double rounding = 1e-9;
    const double cell = std::floor(place / step + rounding);
    return cell < n_cells ? cell : 0;
  }
};

Codec circle_codec(const ColumnSchema& schema) {
  const Circle circle{schema.period, schema.step};
  AxisInfo axis = make_axis(schema.name, geometry::AxisKind::cyclic, static_cast<std::size_t>(circle.n_cells));
  if (circle.n_cells == 0) axis.period = schema.period;
  return codec_of_numbers(std::move(axis), [circle](double number, const Column& column, std::size_t row) {
    if (std::isinf(number)) table::refuse(column, row, {.demand = "must be finite", .remedy = ""});
    const double place = circle.wrapped(number);
    return circle.n_cells > 0 ? circle.cell_of(place) + 0.5 : place;
  });
}

geometry::AxisKind axis_kind_of_levels(Kind kind) {
  if (kind == Kind::category) return geometry::AxisKind::category;
  return kind == Kind::cyclic ? geometry::AxisKind::cyclic : geometry::AxisKind::ordered;
}

/// For ordinal and cyclic columns of named levels, and for categories.
Codec level_codec(const ColumnSchema& schema) {
  const bool is_category = schema.kind == Kind::category;
  Hierarchy hierarchy;
  if (is_category && !schema.parents.empty()) hierarchy = make_hierarchy(schema);
  AxisInfo axis = make_axis(schema.name, axis_kind_of_levels(schema.kind), schema.levels.size());
  axis.parents = hierarchy.parents;
  axis.branch_names = hierarchy.branch_names;
  return codec_of_rows({std::move(axis)},
                       [&schema, is_category, levels = Levels(schema), codes = std::move(hierarchy.codes)](
                           std::size_t /*axis*/, const Column& column, std::size_t row) -> double {
                         const std::uint32_t place = levels.place_of(column, row);
                         if (place == Levels::missing) return nan;
                         if (place == Levels::none && !is_category) refuse_level(schema, column, row);
                         if (place == Levels::none) return static_cast<double>(schema.levels.size());
                         if (!is_category) return place + 0.5;
                         return codes.empty() ? place : codes[place];
                       });
}

double boolean_at(std::size_t /*axis*/, const Column& column, std::size_t row) {
  if (table::is_missing(column, row)) return nan;
  if (column.type == ColumnType::text)
    if (const std::optional<bool> word = values::read_boolean(column.text(row))) return *word ? 1 : 0;
  const double number = column.type == ColumnType::text ? values::read_number(column.text(row), column.decimal).value
                                                        : column.number(row);
  if (number != 0 && number != 1)
    table::refuse(column, row,
                  {.demand = "must be true or false, yes or no, 1 or 0", .remedy = "Declare it a category."});
  return number;
}

Codec boolean_codec(const ColumnSchema& schema) {
  return codec_of_rows({make_axis(schema.name, geometry::AxisKind::category, 2)}, boolean_at);
}

/// True for an hour of day with a resolution too fine for cells.
bool is_exact_hour(Derivation derivation, Resolution resolution) {
  return derivation == Derivation::hour_of_day && resolution == Resolution::microsecond;
}

AxisInfo derived_axis(const std::string& column, Derivation derivation, Resolution resolution) {
  constexpr double hours_per_day = 24;
  const std::string name = fmt::format("{}.{}", column, derivation_names[static_cast<std::size_t>(derivation)]);
  if (derivation == Derivation::epoch) return make_axis(name, geometry::AxisKind::ordered);
  const std::int64_t n_cells =
      is_exact_hour(derivation, resolution) ? 0 : values::n_derived_cells(derivation, resolution);
  AxisInfo axis = make_axis(name, geometry::AxisKind::cyclic, static_cast<std::size_t>(n_cells));
  if (n_cells == 0) axis.period = hours_per_day;
  return axis;
}

Codec time_codec(const ColumnSchema& schema) {
  const Resolution resolution = schema.resolution.value_or(Resolution::hour);
  std::vector<AxisInfo> axes;
  for (const Derivation derivation : schema.derive) axes.push_back(derived_axis(schema.name, derivation, resolution));
  return codec_of_rows(std::move(axes), [&schema, resolution, reader = TimeReader(schema)](
                                            std::size_t axis, const Column& column, std::size_t row) {
    const Derivation derivation = schema.derive[axis];
    const std::int64_t utc = reader.utc(column, row);
    if (utc == Column::missing_time) return nan;
    if (derivation == Derivation::epoch) return static_cast<double>(utc) / values::microseconds_per_second;
    const auto cell = static_cast<double>(values::derived_cell(derivation, resolution, reader.local(utc)));
    return is_exact_hour(derivation, resolution) ? cell / values::microseconds_per_hour : cell + 0.5;
  });
}

bool has_level(const ColumnSchema& schema, std::string_view one, std::string_view other) {
  return std::ranges::any_of(schema.levels, [&](const std::string& level) { return level == one || level == other; });
}

bool levels_may_be(const ColumnSchema& schema, ColumnType type) {
  if (schema.levels.empty()) return true;
  if (type == ColumnType::boolean)
    return schema.numeric_levels ? has_level(schema, "0", "1") : has_level(schema, "false", "true");
  return type == ColumnType::text || schema.numeric_levels;
}

std::string_view types_of(const ColumnSchema& schema) {
  if (schema.kind == Kind::time) return "times";
  if (schema.kind == Kind::boolean) return "booleans";
  const bool are_texts = is_of_levels(schema) && !schema.numeric_levels;
  return are_texts ? "text" : "numbers";
}

std::string_view remedy_for(const ColumnSchema& schema, const Column& column) {
  if (schema.kind == Kind::time && column.type == ColumnType::number)
    return " Declare their unit, s, ms or us, if they count from 1970-01-01 00:00 UTC.";
  return column.type == ColumnType::time ? " Declare the column's kind as time." : "";
}

}  // namespace

bool is_of_levels(const ColumnSchema& schema) {
  return schema.kind == Kind::category || (schema.kind == Kind::ordinal && !schema.range) ||
         (schema.kind == Kind::cyclic && schema.period == 0);
}

Codec make_codec(const ColumnSchema& schema) {
  if (is_of_levels(schema)) return level_codec(schema);
  if (schema.kind == Kind::ordinal && schema.range)
    return whole_number_codec(schema, schema.range->first, schema.range->second);
  switch (schema.kind) {
    case Kind::continuous:
      return continuous_codec(schema);
    case Kind::cyclic:
      return circle_codec(schema);
    case Kind::boolean:
      return boolean_codec(schema);
    case Kind::time:
      return time_codec(schema);
    default:
      return {};
  }
}

bool may_be(const ColumnSchema& schema, ColumnType type) {
  if (schema.kind == Kind::ignored) return true;
  if (schema.kind == Kind::time)
    return type == ColumnType::time || type == ColumnType::text ||
           (type == ColumnType::number && schema.epoch_unit != EpochUnit::none);
  return type != ColumnType::time && (!is_of_levels(schema) || levels_may_be(schema, type));
}

void check_type(const ColumnSchema& schema, const Column& column, std::string_view as_in) {
  if (may_be(schema, column.type)) return;
  throw InvalidInput(fmt::format("column '{}' must contain {}{}; got {}.{}", values::excerpt(schema.name),
                                 types_of(schema), as_in, name_of(column.type), remedy_for(schema, column)));
}

void refuse_level(const ColumnSchema& schema, const Column& column, std::size_t row) {
  const std::string demand = fmt::format("must be one of {}", list_of(schema.levels));
  const bool has_branches = !schema.parents.empty();
  table::refuse(column, row,
                {.demand = demand,
                 .remedy = has_branches ? "Correct it, or give it a parent in the schema."
                                        : "Correct it, or add it to the levels in the schema."});
}

}  // namespace pidforest::schema
