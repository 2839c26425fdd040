// SPDX-License-Identifier: Apache-2.0
// Why rows are rare: the witness of each, with true counts, and the bits of each column.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pidforest/batches.h"
#include "pidforest/explanation.h"
#include "pidforest/model.h"
#include "pidforest/run.h"
#include "pidforest/table.h"

namespace pidforest {

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
