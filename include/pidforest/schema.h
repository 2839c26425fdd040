// SPDX-License-Identifier: Apache-2.0
// What columns mean: a document that can be inferred from a table, printed, edited and given. See docs/schema.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pidforest/table.h"

namespace pidforest {

/// What an interval of a column is, and how its length is measured.
enum class Kind : std::uint8_t {
  continuous,  ///< numbers; an interval is low <= x < high
  ordinal,     ///< levels in an order; an interval is a run of levels
  cyclic,      ///< numbers or levels around a circle; an interval is an arc, which may wrap
  category,    ///< levels without an order; an interval is a set of levels, or of whole branches of a hierarchy
  boolean,     ///< a category of two
  time,        ///< a date and time, which becomes the axes that are derived from it
  ignored      ///< no axis
};

/// "continuous", "ordinal", ...: as a schema writes it.
std::string_view name_of(Kind kind);

/// An axis made of a date and time.
enum class Derivation : std::uint8_t { hour_of_day, day_of_week, month, day_of_year, epoch };

/// The finest difference between two times of a column that matters for hour_of_day.
enum class Resolution : std::uint8_t { hour, minute, second, microsecond };

/// The unit of times that are given as numbers.
enum class EpochUnit : std::uint8_t { none, seconds, milliseconds, microseconds };

/// How day and month of dates such as 03/04/2026 are ordered, where they are not year-month-day.
enum class DateOrder : std::uint8_t { year_first, day_first, month_first };

struct ColumnSchema {
  std::string name = {};
  Kind kind = Kind::continuous;

  /// The levels by name: of an ordinal column in their order, of a cyclic one around the circle. Empty: those that the
  /// fit finds. Of a hierarchy the lowest ones, which are what rows hold.
  std::vector<std::string> levels = {};
  /// Whether the levels are numbers (then `levels` has their shortest text) or texts.
  bool numeric_levels = false;
  /// category: (level or branch, the branch above it). Not empty makes it a hierarchy.
  std::vector<std::pair<std::string, std::string>> parents = {};

  /// continuous: the interval that the column is known to fill, widened by what the fit sees beyond it.
  /// ordinal, instead of levels: the whole numbers from the first to the second.
  std::optional<std::pair<double, double>> range = {};
  /// cyclic with numbers: the length of the circle, and of the cells that values fall into; 0 is no cells.
  double period = 0;
  double step = 0;

  /// time: the axes to derive; empty: those that the fit finds to vary.
  std::vector<Derivation> derive = {};
  /// time: where the local hour and day are those of: an IANA name ("Europe/Berlin"), an offset ("+02:00") or "UTC".
  std::string zone = {};
  std::optional<Resolution> resolution = {};
  EpochUnit epoch_unit = EpochUnit::none;
  DateOrder date_order = DateOrder::year_first;

  /// For the reader: what numbers are measured in.
  std::string unit = {};
  /// The length that missing values have, as a share of the axis; without it the share of missing rows in the fit data.
  std::optional<double> missing_share = {};
  /// For the reader: why the column was taken for what it is.
  std::string note = {};

  bool operator==(const ColumnSchema&) const = default;
};

struct Schema {
  std::vector<ColumnSchema> columns;

  bool operator==(const Schema&) const = default;
};

/// Reads a schema from JSON, strictly. Throws InvalidInput that names the place: line and column of what is no JSON, or
/// the path (`columns[3].period`) of what is no schema, with what was allowed and what came.
Schema parse_schema(std::string_view json);

/// The canonical JSON of a schema: equal schemas have equal text, and parse_schema reads it back.
/// Throws InvalidInput for a schema that is not valid.
std::string to_json(const Schema& schema);

/// Throws InvalidInput for the first thing that contradicts itself: a level twice, a cycle in parents, a period of 0.
void validate(const Schema& schema);

/// What the columns of a table seem to be, with the reason as a note. The same for the same rows in any order.
/// Throws InvalidInput where it would have to guess, as in a column of numbers and texts mixed.
Schema infer_schema(const Table& table);
Schema infer_schema(const Batches& batches);
/// The same, but the columns that `declared` names are taken from it as they are. Throws InvalidInput for one that the
/// table does not have.
Schema infer_schema(const Batches& batches, const Schema& declared);

}  // namespace pidforest
