// SPDX-License-Identifier: Apache-2.0
// Why a row is rare: a cube in its own columns and units, the number of rows inside, and the bits of each column.
//
//   std::vector<double> speed(500, 50.0);
//   speed[123] = 220;
//   const auto table = pidforest::Table::row_major(speed, 1, {"speed"});
//   const auto model = pidforest::Model::fit(table);
//   const pidforest::Explanations why = pidforest::Explainer(model).explain(table.rows(123, 124));
//   std::cout << why.witnesses[0].n_inside << " of " << why.witnesses[0].n_rows;  // prints 1 of 500
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
  /// log2 of how many times fewer rows are inside than expected. An empty cube counts half a row.
  double bits = 0;
  /// If the cube is empty and all rows have one value in the only column that it restricts: that value in words.
  std::string only_value = {};
  /// For a rare pair: the number of rows that would be inside if its two columns were unrelated. Its bits are measured
  /// by this number instead of an even spread.
  std::optional<double> n_unrelated = {};

  /// The number of rows that would be inside: if the two columns of a rare pair were unrelated, else by an even spread.
  [[nodiscard]] double expected() const { return n_unrelated.value_or(volume * static_cast<double>(n_rows)); }

  bool operator==(const Witness&) const = default;
};

// In the functions below, `schema` is the complete schema of a model and has every column that a condition names.

/// "9000 <= amount < 12000 euro", "placed_at 22:00-05:00", "country in {AR, BR}". For people: numbers have six digits,
/// and long lists are cut.
std::string to_words(const Condition& condition, const Schema& schema);
/// "amount >= 9000 euro and country = BR".
std::string to_words(std::span<const Condition> conditions, const Schema& schema);
/// "only 3 of 1,204,331 rows (14 % of the space, 15.8 bits)": the count, then the share of the space, which is the
/// yardstick that the bits are measured by.
std::string counts_in_words(const Witness& witness);
/// The conditions, ": " and the counts in words: the reason of rows that share it. That of one row is reason_in_words.
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

/// The names of the columns in conditions as people write them. Throws InvalidInput for words that are not conditions.
std::vector<std::string> columns_in_words(std::string_view words);

/// Finds the rows of a table that satisfy all of some conditions.
class RowFilter {
 public:
  /// Conditions as people write them, joined by "and": `amount > 9000 and country in {AR, BR} and age is not missing`,
  /// `3 < x <= 5`. The signs are =, !=, <, <=, >, >=; names and values may be in quotes. A date without a time of day
  /// is the whole day. A missing value satisfies "is missing" only. Throws InvalidInput for words that are not
  /// conditions, or do not fit the schema.
  static RowFilter of_words(const Schema& schema, std::string_view words);
  /// Throws InvalidInput for a condition that does not fit the schema: an unknown column or level, a range of a
  /// category.
  RowFilter(const Schema& schema, std::span<const Condition> conditions);

  /// One element per row. Columns are matched by name; only those in the conditions are needed. Throws InvalidInput for
  /// a missing column, and for a value that the schema does not allow.
  [[nodiscard]] std::vector<bool> matches(const Table& table) const;

 private:
  struct Shared;
  explicit RowFilter(std::shared_ptr<const Shared> shared);

  std::shared_ptr<const Shared> shared_;
};

/// Suppression rules. A row that matches a rule is suppressed: it has a score, but is not an anomaly.
class KnownReasons {
 public:
  /// None.
  KnownReasons() = default;
  /// Reads a JSON array of rules. A rule is an array of conditions, or an object whose "conditions" are one, such as
  /// to_json(Witness) prints. `schema` is the model's. Throws InvalidInput that names the rule.
  KnownReasons(const Schema& schema, std::string_view json);

  [[nodiscard]] bool empty() const { return rules_.empty(); }
  /// One element per row: whether it matches a rule.
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
  /// The rows that the model has scored: the same rows, or windows of them.
  const Batches& scored;
  /// One per row; NaN where a row has no score.
  std::vector<double> bits;
  /// The window that each row takes its score from; empty if the rows themselves are scored.
  std::vector<std::size_t> windows = {};
  /// Whether each row is suppressed; empty if none is.
  std::vector<bool> suppressed = {};

  [[nodiscard]] bool is_suppressed(std::size_t row) const { return !suppressed.empty() && suppressed[row]; }
  /// The number of the scored row, or window, that gives a row its score.
  [[nodiscard]] std::uint64_t scored_row(std::size_t row) const { return windows.empty() ? row : windows[row]; }
};

/// Scores the rows of a table and finds the rows that `known` suppresses. Throws InvalidInput or Cancelled.
Scores score_table(const Model& model, const Batches& rows, const KnownReasons& known = {}, const Run& run = {});

/// The scores of samples from those of the windows of their series. `windows` is the window of each sample, as
/// Series::shingles_of_samples gives it; a sample without a window has no score.
Scores score_samples(const Scores& of_windows, const Batches& samples, std::vector<std::size_t> windows);

/// The isolated values of a model: a few values far beyond all others of their column. Each witness is one condition
/// with the number of fitted rows; a row that satisfies it scores at least its bits. docs/theory.md has the rule.
std::vector<Witness> isolated_values(const Model& model);

/// The rare pairs of a model: two values of related columns that hardly ever occur together, the rarest first. Each
/// witness has two conditions, with the number of fitted rows. docs/theory.md has the rule.
std::vector<Witness> rare_pairs(const Model& model);

/// Two columns, or derivations of times, that go together.
struct RelatedColumns {
  std::string first = {};
  std::string second = {};
  /// Their mutual information in nats, by quarters and levels in a sample of the fitted rows.
  double information = 0;

  bool operator==(const RelatedColumns&) const = default;
};

/// The strongest relations that a fit has found, at most 1024, the strongest first. Half of the trees look there.
std::vector<RelatedColumns> related_columns(const Model& model);

/// Why each of some rows is rare. Rows that are rare for the same reason share a witness.
struct Explanations {
  std::vector<Witness> witnesses = {};
  /// The index of each row's witness in `witnesses`. A row that nothing sets apart has a witness without conditions.
  std::vector<std::uint32_t> witness_of = {};
};

/// Finds the reasons for a model's scores: the cubes that its forest can name, counted in the rows of the fit or in
/// other rows.
///
/// The witness of a row is the cube that says most for its length among those that the forest found around the row: a
/// leaf without the conditions that hardly make it sparser, or the rare values of single columns. Its net bits are its
/// bits minus 1 for each condition; no subset of its conditions has more. docs/explanations.md has the rule.
///
/// A value that the fit has never seen shows in the witness: a level that is none of the known ones, or a number beyond
/// the fitted range, with `n_inside` 0.
class Explainer {
 public:
  /// Counts are of the rows of the fit. Throws InvalidInput if the model has no reasons.
  explicit Explainer(Model model);
  /// Counts are of `reference`, which must outlive this. Throws InvalidInput if it has no rows.
  Explainer(Model model, const Batches& reference);
  Explainer(Model model, const Batches&& reference) = delete;
  /// Counts are of the rows of the fit if the model has reasons, and of `scored` otherwise.
  static Explainer of_scored(const Model& model, const Batches& scored);
  static Explainer of_scored(const Model& model, const Batches&& scored) = delete;

  [[nodiscard]] const Model& model() const;
  /// The table that is counted; null for the rows of the fit.
  [[nodiscard]] const Batches* reference() const;

  /// Reads the reference, if there is one, at most twice, however many rows there are. Throws InvalidInput or
  /// Cancelled.
  [[nodiscard]] Explanations explain(const Batches& rows, const Run& run = {});

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

/// "temperature 91.3 (+4.2 bits), fan 812 (+1.9)": the columns that make up most of a row's bits, at most three, in the
/// order given.
std::string to_words(std::span<const ColumnBits> columns, const Schema& schema, double bits);

/// A row and why it is rare.
struct Finding {
  /// Its number in the table, from 0.
  std::uint64_t row = 0;
  double bits = 0;
  /// Nullopt if the model has no threshold and FindOptions has no minimum.
  std::optional<bool> is_anomaly = {};
  /// The place of its witness in Findings::witnesses.
  std::uint32_t witness = 0;
  /// Its own value for each condition of its witness, as `own_values` gives them.
  std::vector<std::string> own_values = {};
  /// The columns that its witness names, then all others that give it any bits; within both, the most bits first.
  std::vector<ColumnBits> columns = {};
  /// If asked for, and only for an anomaly: see nearest_normal.
  std::optional<std::vector<Condition>> normal_if = {};
  /// If asked for: the first other rows that its witness holds, by number. They are rows of the reference if there is
  /// one, and of the table itself otherwise.
  std::optional<std::vector<std::uint64_t>> impostors = {};
};

/// What a row of a table has where a witness sets conditions, one text for each: "wind_speed = 1048.4", "placed_at
/// 03:41", "age is missing". Columns are matched by name. The text is the condition itself for a column that the table
/// does not have, such as one of an earlier event of a window.
std::vector<std::string> own_values(const Witness& witness, const Table& table, std::size_t row, const Schema& schema);

/// Why a row is rare, in two parts.
struct ReasonWords {
  /// "wind_speed = 1048.4"; the columns with the most bits if the witness has no conditions.
  std::string values = {};
  /// "only 1 of 26,115 rows is above 42.6 (96 % of the range, 14.6 bits)", "unseen in all 2,000 rows", "beyond all
  /// 2,000 rows, which end at 98", "was 7 in all 2,000 rows"; empty if the witness has no conditions. It ends with the
  /// column that gives the row most bits if the witness does not name that column.
  std::string evidence = {};
};
ReasonWords reason_words(const Finding& finding, const Witness& witness, const Schema& schema);
/// Both parts, joined by ": ".
std::string reason_in_words(const Finding& finding, const Witness& witness, const Schema& schema);
/// For tables: "wind_speed = 1048.4: 1 row above 42.6", "memory = 83.7 (> 69) and country = BR: 5 rows".
std::string short_reason_in_words(const Finding& finding, const Witness& witness, const Schema& schema);

/// Sets the own values and the columns of findings, which are about the rows of a table in the same order. `witnesses`
/// are those that the findings refer to. Throws InvalidInput or Cancelled.
void describe(const Model& model, const Table& rows, std::span<const Witness> witnesses, std::span<Finding> findings,
              const Run& run = {});

/// Completes a finding about a row of a table whose column bits are known: sets its own values and the values of its
/// columns, and puts the columns that the witness names first. Columns are matched by name; one that the table does not
/// have, such as that of an earlier event of a window, has no value.
void describe(Finding& finding, const Witness& witness, const Table& table, std::size_t row, const Schema& schema);

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

/// Finds the anomalies among scored rows. Among equal scores the first row counts as the rarest. Throws InvalidInput or
/// Cancelled.
Findings find_anomalies(Explainer& explainer, const Scores& scores, const FindOptions& options = {},
                        const Run& run = {});
/// Counts the witnesses in the rows of the fit if the model has reasons, and in the scored table otherwise.
Findings find_anomalies(const Model& model, const Scores& scores, const FindOptions& options = {}, const Run& run = {});

/// Explains every row of a table that may be larger than memory: calls `visit` with each batch and its findings. All
/// findings share one list of witnesses.
void explain_each(Explainer& explainer, const Batches& rows, std::optional<double> min_bits,
                  const std::function<void(const Table& batch, const Findings& found)>& visit, const Run& run = {});

/// The nearest change to common values that makes a row (a table of one row) normal: the conditions on one axis, or
/// else two, that bring its score to `threshold` or below. At most three axes are tried, the one with most bits first.
/// About 5 % of the fitted rows or more satisfy each condition. Open ends stop at the fitted range. Returns nullopt if
/// no change of up to two axes suffices, and no conditions if the row is already normal.
std::optional<std::vector<Condition>> nearest_normal(const Model& model, const Table& row, double threshold,
                                                     const Run& run = {});

}  // namespace pidforest
