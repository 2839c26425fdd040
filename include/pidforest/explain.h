// SPDX-License-Identifier: Apache-2.0
// Why a row is rare: a cube in its own columns and units, the number of rows in it, and the bits of each column.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/model.h"
#include "pidforest/options.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest {

/// What a row must have in one column, or in what is derived from a time, to lie in a cube.
struct Condition {
  enum class Shape : std::uint8_t {
    range,         ///< low <= x < high; an infinite end is none
    arc,           ///< from low around the circle up to but not including high, which differs from it
    levels,        ///< one of `levels`
    other_levels,  ///< a level that is not one of `levels`, seen or unseen
    missing,       ///< no value
    present        ///< any value
  };

  std::string column = {};
  /// Of a column of times, except for missing and present.
  std::optional<Derivation> derivation = {};
  Shape shape = Shape::present;
  /// In the column's unit. Of derivations: epoch in seconds since 1970-01-01 00:00 UTC, hour_of_day in hours since
  /// midnight, day_of_year in days since 1 January of a leap year. Where the axis has cells, both are borders of cells.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  /// By name, numbers by their shortest text. Of a hierarchy also branches, each for all levels below it; of a boolean
  /// "false" and "true"; of day_of_week and month the English names.
  std::vector<std::string> levels = {};
  /// Of the axis' length, whole = 1; 1 also where it was not measured.
  double share = 1;

  bool operator==(const Condition&) const = default;
};

/// A cube and how many rows it holds: what one COUNT(*) can check.
struct Witness {
  /// At most one per column or derivation; what is not named is free.
  std::vector<Condition> conditions = {};
  /// Of the space, whole = 1: the product of the shares.
  double volume = 1;
  std::uint64_t n_inside = 0;
  std::uint64_t n_rows = 0;
  /// log2 of how many times fewer rows are inside than an even spread would put there; no row counts as half a one.
  double bits = 0;

  /// The rows that an even spread would put inside.
  [[nodiscard]] double expected() const { return volume * static_cast<double>(n_rows); }

  bool operator==(const Witness&) const = default;
};

// `schema` is the model's in all that follows: complete, and with every column that is named.

/// "9000 <= amount < 12000 euro", "placed_at 22:00-05:00", "country in {AR, BR}". For people: numbers have six digits,
/// long lists are cut.
std::string to_words(const Condition& condition, const Schema& schema);
/// "amount >= 9000 euro and country is BR".
std::string to_words(std::span<const Condition> conditions, const Schema& schema);
/// "14 % of the space, 3 of 1,204,331 rows (about 168,600 expected): 15.8 bits".
std::string counts_in_words(const Witness& witness);
/// The conditions and ": 14 % of the space, 3 of 1,204,331 rows (about 168,600 expected): 15.8 bits".
std::string to_words(const Witness& witness, const Schema& schema);

/// Conditions as one line of JSON, exactly: equal conditions have equal text, and parse_conditions reads them back.
/// See docs/explanations.md. Throws InvalidInput for a name that is no UTF-8.
std::string to_json(std::span<const Condition> conditions);
/// The same with the figures of the witness: an object.
std::string to_json(const Witness& witness);

/// Reads conditions from JSON, strictly: what to_json prints, or a rule that someone has written. Throws InvalidInput
/// that names the place: line and column, or the path (`conditions[2] ('country').in`).
std::vector<Condition> parse_conditions(std::string_view json);

/// Which SQL a clause is for.
enum class SqlDialect : std::uint8_t {
  standard,  ///< PostgreSQL and DuckDB; columns have types of their own, missing values are NULL or NaN
  sqlite     ///< SQLite; columns may be texts, as `.import --csv` makes them, and missing values empty
};

/// The conditions as what follows WHERE; with `SELECT COUNT(*)` it gives the witness' count. See docs/explanations.md
/// for how times must be stored. Throws InvalidOption for times that the dialect cannot read.
std::string to_sql(std::span<const Condition> conditions, const Schema& schema, SqlDialect dialect);

/// Which rows of a table satisfy all of some conditions.
class RowFilter {
 public:
  /// Throws InvalidInput for a condition that does not fit the schema: a column or level that is none, a range of a
  /// category.
  RowFilter(const Schema& schema, std::span<const Condition> conditions);

  /// One element per row. Columns are found by name, and only those that conditions name must be there. Throws
  /// InvalidInput for a lacking column, and for a value that the schema does not allow.
  [[nodiscard]] std::vector<bool> matches(const Table& table) const;

 private:
  struct Shared;
  std::shared_ptr<const Shared> shared_;
};

/// Why some rows are rare. Rows that are rare for the same reason share a witness.
struct Explanations {
  std::vector<Witness> witnesses = {};
  /// The place of each row's witness among them. A row that nothing sets apart has one without conditions.
  std::vector<std::uint32_t> witness_of = {};
  /// As Model::column_bits.
  std::vector<double> column_bits = {};
};

/// Finds the reasons of a model's scores and counts them in `reference`, as a rule the rows that it was fitted on.
///
/// Of the cubes that the forest has found around a row it takes the one that says most for its length: a leaf without
/// the conditions that hardly make it sparser, or what is rare about the row in single columns. docs/explanations.md
/// has the rule.
class Explainer {
 public:
  /// Looks at a sample of the reference, which must outlive this. Throws InvalidInput or Cancelled.
  Explainer(Model model, const Batches& reference, const Run& run = {});

  /// Counts the witnesses of all `rows` in one pass over the reference. Explaining them then, a batch at a time, takes
  /// no further pass.
  void prepare(const Batches& rows, const Run& run = {});

  [[nodiscard]] Explanations explain(const Table& rows, const Run& run = {});

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// What a column of the schema, by its place, gives a row.
struct ColumnBits {
  std::size_t column;
  double bits;
};

/// Of the columns that give row `i` any bits, the most first.
std::vector<ColumnBits> column_bits_of(const Explanations& explained, std::size_t i);

/// "temperature 91.3 (+4.2 bits), fan 812 (+1.9)": the columns that make up most of a row's bits, at most three, with
/// the values of a table's only row.
std::string to_words(std::span<const ColumnBits> columns, const Schema& schema, const Table& row, double bits);

/// Anomalies that share a reason.
struct Incident {
  /// Without conditions for anomalies that nothing sets apart.
  Witness witness = {};
  /// Their places among the anomalies, the rarest first.
  std::vector<std::size_t> rows = {};
};

/// The incidents of some anomalies, whose values are `rows` and whose scores are `bits`. The witness that holds most of
/// them comes first and takes all that it holds; then that which holds most of the rest, and so on. The incident of the
/// rarest anomaly is the first.
std::vector<Incident> find_incidents(const Model& model, const Batches& rows, std::span<const double> bits,
                                     Explainer& explainer, const Run& run = {});

/// What would make a table's only row normal: the nearest change of one axis, or else of two, that brings its score to
/// `threshold` or below, as what their values must then be. The three axes that give the row most of its bits are
/// tried; near is measured in their lengths. An end that is open ends where the fit did. Nothing if no change of two
/// does, and no conditions if the row is normal as it is.
std::optional<std::vector<Condition>> nearest_normal(const Model& model, const Table& row, double threshold,
                                                     const Run& run = {});

}  // namespace pidforest
