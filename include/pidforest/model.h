// SPDX-License-Identifier: Apache-2.0
// A fitted forest and the counts of the rows that it has seen: fit, score, count.
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

namespace pidforest {

/// How many rows reached each node of each tree. The counts of two tables add up to those of both together.
struct Counts {
  /// `trees[t][v]`: the rows that reached node v of tree t; node 0 is the root.
  std::vector<std::vector<std::uint64_t>> trees;

  /// Throws InvalidInput when `other` was counted with another forest.
  Counts& operator+=(const Counts& other);
  bool operator==(const Counts&) const = default;
};

class Model {
 public:
  /// Grows a forest on `table` and counts its rows. What the columns mean is inferred. Throws InvalidOption,
  /// InvalidInput or Cancelled.
  static Model fit(const Table& table, const Options& options = {}, const Run& run = {});
  /// The same with a schema; columns that it does not name are not used.
  static Model fit(const Table& table, const Schema& schema, const Options& options = {}, const Run& run = {});
  /// The same model from a table that need not be in memory.
  static Model fit(const Batches& batches, const Options& options = {}, const Run& run = {});
  static Model fit(const Batches& batches, const Schema& schema, const Options& options = {}, const Run& run = {});

  /// The score of each row in bits: log2 of how many times emptier its cubes are than an even spread would leave them.
  /// Higher is rarer. Columns are matched by name.
  [[nodiscard]] std::vector<double> score(const Table& table, const Run& run = {}) const;
  /// As above, into `bits`, which has room for one number per row.
  void score(const Table& table, std::span<double> bits, const Run& run = {}) const;
  /// The same of a table that need not be in memory.
  void score(const Batches& batches, std::span<double> bits, const Run& run = {}) const;

  /// How many bits of a row's score each column of the schema gives it: n columns for the first row, then those of the
  /// second. They add up to the row's mean bits over the trees, and for other aggregates than the mean it is that mean
  /// all the same. A column says little for itself where this is near 0, and is more ordinary than an even spread where
  /// it is less; an ignored one has 0.
  [[nodiscard]] std::vector<double> column_bits(const Table& table, const Run& run = {}) const;

  /// Counts the rows of `table` in this forest; changes nothing.
  [[nodiscard]] Counts count(const Table& table, const Run& run = {}) const;
  /// The same forest with other counts: what it scores by. The threshold stays as it is. Throws InvalidInput for counts
  /// of another forest, and for such as no rows can have.
  [[nodiscard]] Model with_counts(Counts counts) const;
  [[nodiscard]] const Counts& counts() const;

  [[nodiscard]] const Options& options() const;
  /// What the columns mean, complete: with the levels, zones and derivations that the fit has found.
  [[nodiscard]] const Schema& schema() const;
  /// A row whose score is larger than this is an anomaly; there is none if `contamination` is none.
  [[nodiscard]] std::optional<double> threshold() const;

  /// Writes the model to a file. A reader finds either the old file or the new one, complete. Throws FileError.
  void save(const std::string& path) const;
  /// Reads it back: the same model, bit for bit. Throws FileError if the file cannot be read, and BadFile if it is
  /// damaged, forged, of a later format or no model file; it is never trusted.
  static Model load(const std::string& path);
  /// The bytes of such a file; equal models have equal bytes on every machine. See docs/file_format.md.
  [[nodiscard]] std::string to_bytes() const;
  /// Throws BadFile.
  static Model from_bytes(std::string_view bytes);

  /// Equal contents, bit for bit: the same trees, counts, options, columns and threshold.
  bool operator==(const Model& other) const;

  /// What a model is made of; defined in src/model/state.h for the library's own use.
  struct State;
  explicit Model(std::shared_ptr<const State> state);
  [[nodiscard]] const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace pidforest
