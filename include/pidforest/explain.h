// SPDX-License-Identifier: Apache-2.0
// Why a row is rare: a cube in its own columns and units, the number of rows inside, and the bits of each column.
//
//   std::vector<double> speed(500, 50.0);
//   speed[123] = 220;
//   const auto table = pidforest::Table::row_major(speed, 1, {"speed"});
//   const auto model = pidforest::Model::fit(table);
//   const pidforest::Explanations why = pidforest::Explainer(model, table).explain(table.rows(123, 124));
//   std::cout << why.witnesses[0].n_inside << " of " << why.witnesses[0].n_rows;  // prints 1 of 500
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

namespace [[gnu::visibility("default")]] pidforest {

/// The values that a cube admits in one column, or in one derivation of a time.
struct Condition {
  enum class Shape : std::uint8_t {
    range,         ///< low <= x < high; an infinite end is open
    arc,           ///< from low around the circle up to but not including high; the two differ
    levels,        ///< one of `levels`
    other_levels,  ///< any level, known or unseen, that is not in `levels`
    missing,       ///< a missing value
    present        ///< any value
  };

  std::string column = {};
  /// Set for columns of times, except for the shapes missing and present.
  std::optional<Derivation> derivation = {};
  Shape shape = Shape::present;
  /// In the unit of the column. For derivations: epoch in seconds since 1970-01-01 00:00 UTC, hour_of_day in hours
  /// since midnight, day_of_year in days since 1 January of a leap year. On an axis with cells both are borders of
  /// cells.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  /// Names of levels; numbers have their shortest text. A branch of a hierarchy stands for all levels below it.
  /// Booleans have "false" and "true", day_of_week and month their English names.
  std::vector<std::string> levels = {};
  /// The share of the axis' length, at most 1; also 1 if it was not measured.
  double share = 1;

  bool operator==(const Condition&) const = default;
};

/// A cube and the number of rows inside: one COUNT(*) can check it.
struct Witness {
  /// At most one per column or derivation. Other columns are free.
  std::vector<Condition> conditions = {};
  /// The share of the space, at most 1: the product of the conditions' shares.
  double volume = 1;
  std::uint64_t n_inside = 0;
  std::uint64_t n_rows = 0;
  /// log2 of how many times fewer rows are inside than an even spread would put there. An empty cube counts half a row.
  double bits = 0;

  /// The number of rows that an even spread would put inside.
  [[nodiscard]] double expected() const { return volume * static_cast<double>(n_rows); }

  bool operator==(const Witness&) const = default;
};

// In the functions below, `schema` is the complete schema of a model and has every column that a condition names.

/// "9000 <= amount < 12000 euro", "placed_at 22:00-05:00", "country in {AR, BR}". For people: numbers have six digits,
/// and long lists are cut.
std::string to_words(const Condition& condition, const Schema& schema);
/// "amount >= 9000 euro and country is BR".
std::string to_words(std::span<const Condition> conditions, const Schema& schema);
/// "14 % of the space, 3 of 1,204,331 rows (about 168,600 expected): 15.8 bits".
std::string counts_in_words(const Witness& witness);
/// The conditions, ": " and the counts in words.
std::string to_words(const Witness& witness, const Schema& schema);

/// Conditions as one line of JSON, which `parse_conditions` reads back without loss. Equal conditions have equal texts.
/// docs/explanations.md has the format. Throws InvalidInput for a name that is not UTF-8.
std::string to_json(std::span<const Condition> conditions);
/// A JSON object with the conditions and the figures of the witness.
std::string to_json(const Witness& witness);

/// Reads conditions from JSON, strictly: the output of `to_json`, or a rule written by hand. Throws InvalidInput that
/// names the place: line and column, or a path such as `conditions[2] ('country').in`.
std::vector<Condition> parse_conditions(std::string_view json);

/// The SQL dialect of a clause.
enum class SqlDialect : std::uint8_t {
  standard,  ///< PostgreSQL and DuckDB; columns have types of their own, missing values are NULL or NaN
  sqlite     ///< SQLite; columns may be texts, as `.import --csv` makes them, and missing values empty
};

/// The conditions as the expression after WHERE; `SELECT COUNT(*)` with it gives the count of the witness.
/// docs/explanations.md says how times must be stored. Throws InvalidOption for times that the dialect cannot read.
std::string to_sql(std::span<const Condition> conditions, const Schema& schema, SqlDialect dialect);

/// Finds the rows of a table that satisfy all of some conditions.
class RowFilter {
 public:
  /// Throws InvalidInput for a condition that does not fit the schema: an unknown column or level, a range of a
  /// category.
  RowFilter(const Schema& schema, std::span<const Condition> conditions);

  /// One element per row. Columns are matched by name; only those in the conditions are needed. Throws InvalidInput for
  /// a missing column, and for a value that the schema does not allow.
  [[nodiscard]] std::vector<bool> matches(const Table& table) const;

 private:
  struct Shared;
  std::shared_ptr<const Shared> shared_;
};

/// Why each of some rows is rare. Rows that are rare for the same reason share a witness.
struct Explanations {
  std::vector<Witness> witnesses = {};
  /// The index of each row's witness in `witnesses`. A row that nothing sets apart has a witness without conditions.
  std::vector<std::uint32_t> witness_of = {};
  /// As Model::column_bits.
  std::vector<double> column_bits = {};
};

/// Finds the reasons for a model's scores, and counts their rows in `reference`: usually the rows of the fit.
///
/// The witness of a row is the cube that says most for its length among those that the forest found around the row: a
/// leaf without the conditions that hardly make it sparser, or the rare values of single columns. docs/explanations.md
/// has the rule.
class Explainer {
 public:
  /// Reads a sample of `reference`, which must outlive the explainer. Throws InvalidInput or Cancelled.
  Explainer(Model model, const Batches& reference, const Run& run = {});
  Explainer(Model model, const Batches&& reference, const Run& run = {}) = delete;

  /// Counts the witnesses of all `rows` in one pass over the reference. Explaining these rows later, a batch at a time,
  /// takes no further pass.
  void prepare(const Batches& rows, const Run& run = {});

  [[nodiscard]] Explanations explain(const Table& rows, const Run& run = {});

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// The bits that a column, by its place in the schema, contributes to a row.
struct ColumnBits {
  std::size_t column;
  double bits;
};

/// The columns that contribute bits to row `i`, the most bits first.
std::vector<ColumnBits> column_bits_of(const Explanations& explained, std::size_t i);

/// "temperature 91.3 (+4.2 bits), fan 812 (+1.9)": at most three columns that make up most of a row's bits, with their
/// values. `row` is a table of one row.
std::string to_words(std::span<const ColumnBits> columns, const Schema& schema, const Table& row, double bits);

/// Anomalies that share a reason.
struct Incident {
  /// Has no conditions for anomalies that nothing sets apart.
  Witness witness = {};
  /// Indices of the anomalies, the rarest first.
  std::vector<std::size_t> rows = {};
};

/// Groups anomalies, with their values in `rows` and their scores in `bits`, into incidents. The witness that holds
/// most anomalies takes all of them, then the witness that holds most of the rest, and so on. The incident of the
/// rarest anomaly comes first.
std::vector<Incident> find_incidents(const Model& model, const Batches& rows, std::span<const double> bits,
                                     Explainer& explainer, const Run& run = {});

/// The nearest change that makes a row (a table of one row) normal: the conditions on one axis, or else two, that bring
/// its score to `threshold` or below. Only the three axes that contribute most bits are tried. Distance is measured in
/// lengths of the axes. Open ends stop at the fitted range. Returns nullopt if no change of up to two axes suffices,
/// and no conditions if the row is already normal.
std::optional<std::vector<Condition>> nearest_normal(const Model& model, const Table& row, double threshold,
                                                     const Run& run = {});

}  // namespace pidforest
