// SPDX-License-Identifier: Apache-2.0
// A fitted forest with the counts of its rows: fit, score, count, save and load.
//
//   std::vector<double> speed(500, 50.0);
//   speed[123] = 220;
//   const auto table = pidforest::Table::row_major(speed, 1, {"speed"});
//   pidforest::Model::fit(table, {.n_estimators = 50}).save("speed.pidf");
//   const auto model = pidforest::Model::load("speed.pidf");
//   std::cout << (model.score(table)[123] > model.threshold());  // prints 1
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/options.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace [[gnu::visibility("default")]] pidforest {

namespace model {
struct Access;  // how the library's own sources reach the state of a model
}

/// How many rows reached each node of each tree. The counts of two tables add up to the counts of both together.
struct Counts {
  /// `trees[t][v]`: the number of rows that reached node v of tree t; node 0 is the root.
  std::vector<std::vector<std::uint64_t>> trees;

  /// Throws InvalidInput if `other` comes from another forest.
  Counts& operator+=(const Counts& other);
  bool operator==(const Counts&) const = default;
};

/// A model never changes and is cheap to copy. All its functions may be called from several threads at once.
class Model {
 public:
  /// Grows a forest on `table` and counts its rows. The schema is inferred. Throws InvalidOption, InvalidInput or
  /// Cancelled.
  static Model fit(const Batches& table, const Options& options = {}, const Run& run = {});
  /// Fits with a schema; columns that it does not name are not used.
  static Model fit(const Batches& table, const Schema& schema, const Options& options = {}, const Run& run = {});

  /// The score of each row in bits: log2 of how many times emptier its cubes are than an even spread would leave them.
  /// Higher is rarer. Columns are matched by name. Throws InvalidInput or Cancelled.
  [[nodiscard]] std::vector<double> score(const Batches& table, const Run& run = {}) const;
  /// Writes the scores to `bits`, which must have one element per row.
  void score_into(std::span<double> bits, const Batches& table, const Run& run = {}) const;

  /// The bits that each column of the schema contributes to a row's score, row by row: n columns for the first row,
  /// then n for the second. They add up to the row's mean bits over the trees, whatever the aggregate of the model. A
  /// value near 0 says that the column by itself is unremarkable, a negative value that it is more ordinary than an
  /// even spread. Ignored columns have 0.
  [[nodiscard]] std::vector<double> column_bits(const Batches& table, const Run& run = {}) const;

  /// Counts the rows of `table` in this forest. The model stays as it is.
  [[nodiscard]] Counts count(const Batches& table, const Run& run = {}) const;
  /// A model of this forest with other counts, which it then scores by. The threshold and the reasons stay as they are.
  /// Throws InvalidInput for counts of another forest, and for counts that no table can have.
  [[nodiscard]] Model with_counts(Counts counts) const;
  [[nodiscard]] const Counts& counts() const;

  [[nodiscard]] const Options& options() const;
  /// The complete schema, with the levels, zones and derivations that the fit has found.
  [[nodiscard]] const Schema& schema() const;
  /// A row with a larger score is an anomaly. Without a value if `contamination` is none.
  [[nodiscard]] std::optional<double> threshold() const;
  /// Whether it can explain rows by the rows that it was fitted on. False if the option `reasons` was off, and for
  /// files that an earlier version has written.
  [[nodiscard]] bool has_reasons() const;

  /// Writes the model to a file, whole or not at all. Throws FileError.
  void save(const std::string& path) const;
  /// Reads the same model back, bit for bit. Throws FileError if the file cannot be read, and BadFile if it is damaged,
  /// forged, of a later format or not a model file. Files are checked completely, never trusted.
  static Model load(const std::string& path);
  /// The bytes of such a file. Equal models have equal bytes on every machine. docs/file_format.md has the format.
  [[nodiscard]] std::string to_bytes() const;
  /// Throws BadFile.
  static Model from_bytes(std::string_view bytes);

  /// Equal trees, counts, options, schema, threshold and reasons, bit for bit.
  bool operator==(const Model& other) const;

 private:
  struct State;
  friend struct model::Access;
  explicit Model(std::shared_ptr<const State> state);

  std::shared_ptr<const State> state_;
};

}  // namespace pidforest
