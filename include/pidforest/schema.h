// SPDX-License-Identifier: Apache-2.0
// What the columns of a table mean: a document that can be inferred, printed, edited and read. See docs/schema.md.
//
//   const std::vector<double> hour = {0, 6, 12, 18};
//   pidforest::Schema schema = pidforest::infer_schema(pidforest::Table(4, {{"hour", hour.data()}}));
//   schema.columns[0].kind = pidforest::Kind::cyclic;
//   schema.columns[0].period = 24;
//   std::cout << (pidforest::parse_schema(pidforest::to_json(schema)) == schema);  // prints 1
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pidforest/table.h"

namespace [[gnu::visibility("default")]] pidforest {

/// The kind of a column: what an interval of it is, and how its length is measured.
enum class Kind : std::uint8_t {
  continuous,  ///< numbers; an interval is low <= x < high
  ordinal,     ///< ordered levels; an interval is a run of levels
  cyclic,      ///< numbers or levels around a circle; an interval is an arc, which may wrap
  category,    ///< unordered levels; an interval is a set of levels, or of whole branches of a hierarchy
  boolean,     ///< a category with two levels
  time,        ///< a date and time; its axes are derived from it
  ignored      ///< not used
};

/// "continuous", "ordinal", ...: the name in a schema document.
std::string_view name_of(Kind kind);

/// An axis that is derived from a date and time.
enum class Derivation : std::uint8_t { hour_of_day, day_of_week, month, day_of_year, epoch };

/// The finest difference between two times of a column that hour_of_day tells apart.
enum class Resolution : std::uint8_t { hour, minute, second, microsecond };

/// The unit of times that are given as numbers.
enum class EpochUnit : std::uint8_t { none, seconds, milliseconds, microseconds };

/// The order of day and month in dates such as 03/04/2026; `year_first` dates are year-month-day.
enum class DateOrder : std::uint8_t {
  year_first,
  day_first,
  month_first,
  no_date,  ///< clock times such as 14:05
  no_year,  ///< times such as Nov 16 08:30:00, as in a system log
  no_day    ///< months such as 2026-11
};

struct ColumnSchema {
  std::string name = {};
  Kind kind = Kind::continuous;

  /// The names of the levels: in their order for an ordinal column, around the circle for a cyclic one, the lowest
  /// level of a hierarchy. Empty: the levels that the fit finds.
  std::vector<std::string> levels = {};
  /// The levels are numbers, and `levels` has their shortest texts.
  bool numeric_levels = false;
  /// category: pairs of a level or branch and the branch above it. A column with parents is a hierarchy.
  std::vector<std::pair<std::string, std::string>> parents = {};

  /// continuous: the known interval of the column; the fit widens it by values beyond it.
  /// ordinal, instead of levels: the whole numbers from the first to the second.
  std::optional<std::pair<double, double>> range = {};
  /// continuous: how texts write the numbers, as 1234.5 would be written: "$1,234.5", "1234.5 kg", "1234.5B|kB|MB" for
  /// numbers of bytes with several units. Empty: plain numbers. See docs/schema.md.
  std::string written = {};
  /// cyclic numbers: the length of the circle.
  double period = 0;
  /// cyclic numbers: the length of the cells that values are rounded down to; 0 means no cells.
  double step = 0;

  /// time: the axes to derive. Empty: the axes that vary in the rows of the fit.
  std::vector<Derivation> derive = {};
  /// time: the zone of the local hour and day: an IANA name ("Europe/Berlin"), an offset ("+02:00") or "UTC".
  std::string zone = {};
  std::optional<Resolution> resolution = {};
  EpochUnit epoch_unit = EpochUnit::none;
  DateOrder date_order = DateOrder::year_first;

  /// The unit of the numbers, for people.
  std::string unit = {};
  /// The length of the missing value as a share of the axis. Without a value: the share of missing rows in the fit.
  std::optional<double> missing_share = {};
  /// The names of the views that the column belongs to. Trees take turns over the views of a schema, and each cuts only
  /// the columns of its view; a row has the largest of the scores by the trees of each view. Empty: all views.
  std::vector<std::string> views = {};
  /// continuous: the column whose change this one holds. "rise of load within 10 min" is the name for one of load.
  std::string rise_of = {};
  /// Why the column was given its kind, for people.
  std::string note = {};

  bool operator==(const ColumnSchema&) const = default;
};

/// How the texts of a table are written, where a reader of further rows cannot tell: what `--delimiter`, `--decimal`,
/// `--na` and `--no-header` said at the fit.
struct WrittenFormat {
  std::optional<char> delimiter = {};
  char decimal = '.';
  /// Texts that mean a missing value in every column.
  std::vector<std::string> missing = {};
  /// The first row has the names of the columns; see `TextFormat::has_header`.
  bool has_header = true;

  bool operator==(const WrittenFormat&) const = default;
};

/// How rows were made of the samples of time series, so that later samples make equal rows. See pidforest/series.h.
struct WindowRecipe {
  /// What "SeriesOptions" says.
  std::size_t window = 0;
  std::vector<std::string> views = {};
  std::vector<std::size_t> means = {};
  bool calendar = false;
  std::string by = {};
  std::optional<std::int64_t> max_gap = {};

  /// The time column; without a name if there is none.
  ColumnSchema time = {};
  /// The step between samples that names the columns, in microseconds; 0 if steps differ.
  std::int64_t step = 0;
  /// The metrics, in the order of the samples' columns.
  std::vector<ColumnSchema> metrics = {};
  /// The usual values of each metric: its median for each half hour of the day (48 values) or of the week, which begins
  /// on Monday (336). Empty if no season is known.
  std::vector<std::vector<double>> usual = {};

  bool operator==(const WindowRecipe&) const = default;
};

struct Schema {
  std::vector<ColumnSchema> columns = {};
  WrittenFormat format = {};
  /// Set if the columns are those of windows with views.
  std::optional<WindowRecipe> windows = {};

  bool operator==(const Schema&) const = default;
};

/// Reads a schema from JSON, strictly. Throws InvalidInput that names the place (line and column of a mistake in the
/// JSON, or a path such as `columns[3].period`), the allowed values and the value found.
Schema parse_schema(std::string_view json);

/// The canonical JSON of a schema, which `parse_schema` reads. Equal schemas have equal texts. Throws InvalidInput for
/// a schema that is not valid.
std::string to_json(const Schema& schema);

/// Throws InvalidInput for the first contradiction: a repeated level, a cycle in parents, a period of 0.
void validate(const Schema& schema);

/// Infers what the columns of a table mean; the notes have the reasons. The order of the rows does not matter. Columns
/// that `declared` names are taken from there without change. Throws InvalidInput for a declared column that is missing
/// from the table, and for a column that needs a guess, such as one of numbers and texts mixed.
Schema infer_schema(const Batches& table, const Schema& declared = {});

}  // namespace pidforest
