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

/// Like encode_rows for a column that is read as numbers: writes value_of(number, row), and NaN for missing values.
template <class ValueOf>
void encode_numbers(const Column& column, std::size_t begin, std::span<double> out, ValueOf value_of) {
  encode_rows(column, begin, out, [&](std::size_t row) {
    const double number = table::number_at(column, row);
    return std::isnan(number) ? nan : value_of(number, row);
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

class ContinuousCodec : public Codec {
 public:
  explicit ContinuousCodec(const ColumnSchema& schema) : schema_(schema) {}

  [[nodiscard]] std::vector<AxisInfo> axes() const override {
    AxisInfo axis = make_axis(schema_.name, geometry::AxisKind::ordered);
    axis.range = schema_.range;
    return {std::move(axis)};
  }
  [[nodiscard]] bool is_plain(const Column& column) const override { return column.type != ColumnType::text; }
  void encode(std::size_t /*axis*/, const Column& column, std::size_t begin, std::span<double> out) const override {
    encode_numbers(column, begin, out, [](double number, std::size_t) { return number; });
  }

 private:
  const ColumnSchema& schema_;
};

/// An ordinal column with a range of whole numbers as its levels.
class WholeNumberCodec : public Codec {
 public:
  WholeNumberCodec(const ColumnSchema& schema, double first, double last)
      : schema_(schema), first_(first), last_(last) {}

  [[nodiscard]] std::vector<AxisInfo> axes() const override {
    const double n_levels = last_ - first_ + 1;
    return {make_axis(schema_.name, geometry::AxisKind::ordered, static_cast<std::size_t>(n_levels))};
  }
  void encode(std::size_t /*axis*/, const Column& column, std::size_t begin, std::span<double> out) const override {
    encode_numbers(column, begin, out, [&](double number, std::size_t row) {
      if (std::isinf(number) || std::floor(number) != number)
        table::refuse(column, row,
                      {.demand = "must be a whole number", .remedy = "Otherwise declare the column continuous."});
      return number - first_ + 0.5;
    });
  }

 private:
  const ColumnSchema& schema_;
  double first_;
  double last_;
};

/// A cyclic column of numbers.
class CircleCodec : public Codec {
 public:
  explicit CircleCodec(const ColumnSchema& schema)
      : schema_(schema), n_cells_(schema.step > 0 ? std::round(schema.period / schema.step) : 0) {}

  [[nodiscard]] std::vector<AxisInfo> axes() const override {
    AxisInfo axis = make_axis(schema_.name, geometry::AxisKind::cyclic, static_cast<std::size_t>(n_cells_));
    if (n_cells_ == 0) axis.period = schema_.period;
    return {std::move(axis)};
  }
  void encode(std::size_t /*axis*/, const Column& column, std::size_t begin, std::span<double> out) const override {
    encode_numbers(column, begin, out, [&](double number, std::size_t row) {
      if (std::isinf(number)) table::refuse(column, row, {.demand = "must be finite", .remedy = ""});
      return n_cells_ > 0 ? cell_of(wrapped(number)) + 0.5 : wrapped(number);
    });
  }

 private:
  [[nodiscard]] double wrapped(double number) const {
    const double rest = std::fmod(number, schema_.period);
    const double place = rest < 0 ? rest + schema_.period : rest;
    return place < schema_.period ? place : 0;
  }
  /// A value that rounding put just below a border belongs to the cell above it.
  [[nodiscard]] double cell_of(double place) const {
    constexpr double rounding = 1e-9;
    const double cell = std::floor(place / schema_.step + rounding);
    return cell < n_cells_ ? cell : 0;
  }

  const ColumnSchema& schema_;
  double n_cells_;
};

/// Ordinal and cyclic columns of named levels, and categories.
class LevelCodec : public Codec {
 public:
  explicit LevelCodec(const ColumnSchema& schema) : schema_(schema), levels_(schema) {
    if (schema.kind == Kind::category && !schema.parents.empty()) hierarchy_ = make_hierarchy(schema);
  }

  [[nodiscard]] std::vector<AxisInfo> axes() const override {
    AxisInfo axis = make_axis(schema_.name, axis_kind(), schema_.levels.size());
    axis.parents = hierarchy_.parents;
    axis.branch_names = hierarchy_.branch_names;
    return {std::move(axis)};
  }
  void encode(std::size_t /*axis*/, const Column& column, std::size_t begin, std::span<double> out) const override {
    encode_rows(column, begin, out, [&](std::size_t row) {
      const std::uint32_t place = levels_.place_of(column, row);
      if (place == Levels::missing) return nan;
      return schema_.kind == Kind::category ? code_of(place) : cell_of(place, column, row);
    });
  }

 private:
  [[nodiscard]] geometry::AxisKind axis_kind() const {
    if (schema_.kind == Kind::category) return geometry::AxisKind::category;
    return schema_.kind == Kind::cyclic ? geometry::AxisKind::cyclic : geometry::AxisKind::ordered;
  }
  [[nodiscard]] double code_of(std::uint32_t place) const {
    if (place == Levels::none) return static_cast<double>(schema_.levels.size());
    return hierarchy_.codes.empty() ? place : hierarchy_.codes[place];
  }
  [[nodiscard]] double cell_of(std::uint32_t place, const Column& column, std::size_t row) const {
    if (place == Levels::none) refuse_level(schema_, column, row);
    return place + 0.5;
  }

  const ColumnSchema& schema_;
  Levels levels_;
  Hierarchy hierarchy_;
};

class BooleanCodec : public Codec {
 public:
  explicit BooleanCodec(const ColumnSchema& schema) : schema_(schema) {}

  [[nodiscard]] std::vector<AxisInfo> axes() const override {
    return {make_axis(schema_.name, geometry::AxisKind::category, 2)};
  }
  void encode(std::size_t /*axis*/, const Column& column, std::size_t begin, std::span<double> out) const override {
    encode_rows(column, begin, out, [&](std::size_t row) { return value_of(column, row); });
  }

 private:
  static double value_of(const Column& column, std::size_t row) {
    if (table::is_missing(column, row)) return nan;
    if (column.type == ColumnType::text)
      if (const std::optional<bool> word = values::read_boolean(column.text(row))) return *word ? 1 : 0;
    const double number =
        column.type == ColumnType::text ? values::read_number(column.text(row)).value : column.number(row);
    if (number != 0 && number != 1)
      table::refuse(column, row,
                    {.demand = "must be true or false, yes or no, 1 or 0", .remedy = "Declare it a category."});
    return number;
  }

  const ColumnSchema& schema_;
};

class TimeCodec : public Codec {
 public:
  explicit TimeCodec(const ColumnSchema& schema)
      : schema_(schema), resolution_(schema.resolution.value_or(Resolution::hour)), reader_(schema) {}

  [[nodiscard]] std::vector<AxisInfo> axes() const override {
    std::vector<AxisInfo> axes;
    axes.reserve(schema_.derive.size());
    for (const Derivation derivation : schema_.derive) axes.push_back(axis_of(derivation));
    return axes;
  }
  void encode(std::size_t axis, const Column& column, std::size_t begin, std::span<double> out) const override {
    const Derivation derivation = schema_.derive[axis];
    encode_rows(column, begin, out, [&](std::size_t row) {
      const std::int64_t utc = reader_.utc(column, row);
      return utc == Column::missing_time ? nan : value_of(derivation, utc);
    });
  }

 private:
  [[nodiscard]] AxisInfo axis_of(Derivation derivation) const {
    const std::string name = fmt::format("{}.{}", schema_.name, derivation_names[static_cast<std::size_t>(derivation)]);
    if (derivation == Derivation::epoch) return make_axis(name, geometry::AxisKind::ordered);
    const std::int64_t n_cells = is_exact_hour(derivation) ? 0 : values::n_derived_cells(derivation, resolution_);
    AxisInfo axis = make_axis(name, geometry::AxisKind::cyclic, static_cast<std::size_t>(n_cells));
    if (n_cells == 0) axis.period = hours_per_day;
    return axis;
  }
  [[nodiscard]] double value_of(Derivation derivation, std::int64_t utc) const {
    if (derivation == Derivation::epoch) return static_cast<double>(utc) / values::microseconds_per_second;
    const auto cell = static_cast<double>(values::derived_cell(derivation, resolution_, reader_.local(utc)));
    return is_exact_hour(derivation) ? cell / values::microseconds_per_hour : cell + 0.5;
  }
  /// True for an hour of day with a resolution too fine for cells.
  [[nodiscard]] bool is_exact_hour(Derivation derivation) const {
    return derivation == Derivation::hour_of_day && resolution_ == Resolution::microsecond;
  }

  static constexpr double hours_per_day = 24;
  const ColumnSchema& schema_;
  Resolution resolution_;
  TimeReader reader_;
};

bool has_level(const ColumnSchema& schema, std::string_view one, std::string_view other) {
  return std::ranges::any_of(schema.levels, [&](const std::string& level) { return level == one || level == other; });
}

bool levels_may_be(const ColumnSchema& schema, ColumnType type) {
  if (schema.levels.empty()) return true;
  if (type == ColumnType::boolean)
    return schema.numeric_levels ? has_level(schema, "0", "1") : has_level(schema, "false", "true");
  return type == ColumnType::text || schema.numeric_levels;
}

bool may_be(const ColumnSchema& schema, ColumnType type) {
  if (schema.kind == Kind::ignored) return true;
  if (schema.kind == Kind::time)
    return type == ColumnType::time || type == ColumnType::text ||
           (type == ColumnType::number && schema.epoch_unit != EpochUnit::none);
  return type != ColumnType::time && (!is_of_levels(schema) || levels_may_be(schema, type));
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

std::unique_ptr<const Codec> make_codec(const ColumnSchema& schema) {
  if (is_of_levels(schema)) return std::make_unique<LevelCodec>(schema);
  if (schema.kind == Kind::ordinal && schema.range)
    return std::make_unique<WholeNumberCodec>(schema, schema.range->first, schema.range->second);
  switch (schema.kind) {
    case Kind::continuous:
      return std::make_unique<ContinuousCodec>(schema);
    case Kind::cyclic:
      return std::make_unique<CircleCodec>(schema);
    case Kind::boolean:
      return std::make_unique<BooleanCodec>(schema);
    case Kind::time:
      return std::make_unique<TimeCodec>(schema);
    default:
      return nullptr;
  }
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
