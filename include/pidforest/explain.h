// SPDX-License-Identifier: Apache-2.0
// Why a row is rare: a cube in its own columns and units, the number of rows in it, and the bits of each column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
    other_levels,  ///< a level, named in the schema or never heard of, that is none of `levels`
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

/// Reasons that are known already. A row that one of them holds is suppressed: it has a score, but is no anomaly.
class KnownReasons {
 public:
  /// None.
  KnownReasons() = default;
  /// Reads a JSON array of rules. A rule is an array of conditions, or an object whose "conditions" are one, such as
  /// to_json(Witness) prints. `schema` is the model's. Throws InvalidInput that names the rule.
  KnownReasons(const Schema& schema, std::string_view json);

  [[nodiscard]] bool empty() const { return rules_.empty(); }
  /// One element per row: whether a rule holds it.
  [[nodiscard]] std::vector<bool> matches(const Table& table) const;

 private:
  std::vector<RowFilter> rules_;
};

/// Which scores are anomalies.
struct AnomalyRule {
  /// A score above the model's threshold is an anomaly.
  std::optional<double> threshold = {};
  /// If set, it replaces the threshold: a score of at least this many bits is an anomaly.
  std::optional<double> min_bits = {};

  /// A suppressed row is never an anomaly. Returns nullopt for a score of NaN, and if neither limit is set.
  [[nodiscard]] std::optional<bool> is_anomaly(double bits, bool is_suppressed = false) const;
  /// Where anomalies begin, if anywhere.
  [[nodiscard]] std::optional<double> limit() const { return min_bits ? min_bits : threshold; }
  /// The largest score that is normal: one of exactly `min_bits` is an anomaly, one of exactly the threshold is not.
  [[nodiscard]] std::optional<double> most_normal() const;
};

/// The scores of a table's rows by a model. Views the tables.
struct Scores {
  /// The rows as their owner has them.
  const Batches& rows;
  /// What the model has scored: the same rows, or windows of them.
  const Batches& scored;
  /// One per row; NaN where a row has no score.
  std::vector<double> bits;
  /// The window that each row takes its score from; empty if the rows themselves are scored.
  std::vector<std::size_t> windows = {};
  /// Whether each row is suppressed; empty if none is.
  std::vector<bool> suppressed = {};

  [[nodiscard]] bool is_suppressed(std::size_t row) const { return !suppressed.empty() && suppressed[row]; }
  /// The number, among those that are scored, of what gives a row its score.
  [[nodiscard]] std::uint64_t scored_row(std::size_t row) const { return windows.empty() ? row : windows[row]; }
};

/// Scores the rows of a table and finds those that known reasons hold. Throws InvalidInput or Cancelled.
Scores score_table(const Model& model, const Batches& rows, const KnownReasons& known = {}, const Run& run = {});

/// The scores of samples from those of the windows of their series. `windows` is the window of each sample, as
/// Series::shingles_of_samples gives it; a sample without a window has no score.
Scores score_samples(const Scores& of_windows, const Batches& samples, std::vector<std::size_t> windows);

/// Why some rows are rare. Rows that are rare for the same reason share a witness.
struct Explanations {
  std::vector<Witness> witnesses = {};
  /// The place of each row's witness among them. A row that nothing sets apart has one without conditions.
  std::vector<std::uint32_t> witness_of = {};
};

/// Finds the reasons of a model's scores and counts them in `reference`, as a rule the rows that it was fitted on.
///
/// Of the cubes that the forest has found around a row it takes the one that says most for its length: a leaf without
/// the conditions that hardly make it sparser, or what is rare about the row in single columns. docs/explanations.md
/// has the rule. A witness is counted once, however often it is found.
class Explainer {
 public:
  /// The reference must outlive this. Throws InvalidInput if it has no rows.
  Explainer(Model model, const Batches& reference);

  [[nodiscard]] const Model& model() const;
  [[nodiscard]] const Batches& reference() const;

  /// Reads the reference at most twice, however many rows there are. Throws InvalidInput or Cancelled.
  [[nodiscard]] Explanations explain(const Batches& rows, const Run& run = {});
  [[nodiscard]] Explanations explain(const Table& rows, const Run& run = {});

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// How many bits a column gives a row, and the row's value in it, for people.
struct ColumnBits {
  /// Its place in the schema.
  std::size_t column = 0;
  double bits = 0;
  std::string value = {};
};

/// "temperature 91.3 (+4.2 bits), fan 812 (+1.9)": the columns that make up most of a row's bits, at most three.
std::string to_words(std::span<const ColumnBits> columns, const Schema& schema, double bits);

/// A row and why it is rare.
struct Finding {
  /// Its number in the table, from 0.
  std::uint64_t row = 0;
  double bits = 0;
  /// Nothing if the model has no threshold and no minimum was asked for.
  std::optional<bool> is_anomaly = {};
  /// The place of its witness in Findings::witnesses.
  std::uint32_t witness = 0;
  /// The columns that give it any bits, the most first.
  std::vector<ColumnBits> columns = {};
  /// If asked for, and only for an anomaly: see nearest_normal.
  std::optional<std::vector<Condition>> normal_if = {};
  /// If asked for: the first other rows that its witness holds, by number. They are rows of the reference where that is
  /// another table.
  std::optional<std::vector<std::uint64_t>> impostors = {};
};

/// Anomalies that share a reason.
struct Incident {
  /// The place of the reason in Findings::witnesses; it has no conditions for anomalies that nothing sets apart.
  std::uint32_t witness = 0;
  /// The numbers of the anomalies, the rarest first.
  std::vector<std::uint64_t> rows = {};
  /// The score of the rarest.
  double bits = 0;
};

struct FindOptions {
  /// See AnomalyRule.
  std::optional<double> min_bits = {};
  /// How many rows to list: the rarest that are not suppressed.
  std::size_t top = 10;
  /// If set, lists these rows in this order instead.
  std::optional<std::vector<std::uint64_t>> rows = {};
  /// Whether to group the anomalies by reason, and how many of them, the rarest.
  bool incidents = false;
  std::size_t most_in_incidents = std::numeric_limits<std::size_t>::max();
  /// How many impostors to find for each listed row.
  std::size_t impostors = 0;
  /// Whether to find what would make the listed anomalies normal.
  bool normal_if = false;
};

/// Which rows are rare, why, and together with which others.
struct Findings {
  AnomalyRule rule = {};
  std::uint64_t n_rows = 0;
  std::uint64_t n_anomalies = 0;
  /// Suppressed rows that would be anomalies otherwise.
  std::uint64_t n_suppressed = 0;
  /// Rows without a score.
  std::uint64_t n_unscored = 0;
  std::vector<Finding> rows = {};
  std::vector<Witness> witnesses = {};
  /// The witness that holds most anomalies comes first and takes all that it holds, then the one that holds most of the
  /// rest, and so on. They are listed by their rarest anomaly.
  std::vector<Incident> incidents = {};

  [[nodiscard]] const Witness& witness_of(const Finding& finding) const { return witnesses[finding.witness]; }
  [[nodiscard]] const Witness& witness_of(const Incident& incident) const { return witnesses[incident.witness]; }
};

/// Finds the anomalies among scored rows. Of equal scores the first row counts as the rarest. Throws InvalidInput or
/// Cancelled.
Findings find_anomalies(Explainer& explainer, const Scores& scores, const FindOptions& options = {},
                        const Run& run = {});
/// Counts the witnesses in the scored table itself.
Findings find_anomalies(const Model& model, const Scores& scores, const FindOptions& options = {}, const Run& run = {});

/// Explains every row of a table that may be larger than memory: calls `visit` with each batch and its findings. All
/// findings share one list of witnesses.
void explain_each(Explainer& explainer, const Batches& rows, std::optional<double> min_bits,
                  const std::function<void(const Table& batch, const Findings& found)>& visit, const Run& run = {});

/// What would make a table's only row normal: the nearest change of one axis, or else of two, that brings its score to
/// `threshold` or below, as what their values must then be. The three axes that give the row most of its bits are
/// tried; distance is measured in axis lengths. Open ends stop at the fitted range. Returns nullopt if no change of up
/// to two axes suffices, and no conditions if the row is normal as it is.
std::optional<std::vector<Condition>> nearest_normal(const Model& model, const Table& row, double threshold,
                                                     const Run& run = {});

}  // namespace pidforest
