// SPDX-License-Identifier: Apache-2.0
// The user's columns as rows of doubles: what a schema makes of numbers, booleans, texts and times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::schema {

/// One axis as the rest of the library sees it; NaN is missing on every kind.
struct AxisInfo {
  enum class Kind : std::uint8_t { ordered, cyclic, category };

  /// "amount", or "opened.hour_of_day" for a derived one.
  std::string name;
  /// The place of its column in the schema.
  std::size_t column = 0;
  Kind kind = Kind::ordered;
  /// Ordered and cyclic axes with cells: cell i is [i, i + 1) and its values are i + 1/2. 0 if there are none.
  /// Categories: the number of levels; level i is the value i, and `n_cells` itself stands for all others.
  std::size_t n_cells = 0;
  /// Cyclic axes: values are in [0, period); n_cells where there are cells.
  double period = 0;
  /// Ordered axes without cells: the interval that the schema declares.
  std::optional<std::pair<double, double>> range;
  /// Hierarchies: the branch above each branch. The first n_cells are the levels, such that those of a branch lie side
  /// by side; the last is the whole and its own parent. Empty for flat categories.
  std::vector<std::uint32_t> parents;
  /// The names of the branches beyond the levels, in the order of `parents`; the whole is "".
  std::vector<std::string> branch_names;
  std::optional<double> missing_share;

  bool operator==(const AxisInfo&) const = default;
};

/// Fills in what a schema leaves to the data: levels, zones, derivations, resolutions. Columns that the schema does not
/// name are ignored. Throws InvalidInput for a column that the table lacks, for a type that does not fit its kind, and
/// for a value that the schema does not allow, which is named by row, column, allowed and got.
Schema complete_schema(const Schema& schema, const Table& table);
Schema complete_schema(const Schema& schema, const Batches& batches);

/// Turns tables into axes by a complete schema. Cheap to copy; safe to use from several threads.
class Encoder {
 public:
  explicit Encoder(Schema schema);

  [[nodiscard]] const Schema& schema() const;
  /// In the order of the schema's columns, and of the derivations within one.
  [[nodiscard]] const std::vector<AxisInfo>& axes() const;

  /// The table's columns in the order of the schema's, found by name; nullptr for the ignored ones. Throws InvalidInput
  /// for one that is lacking or has a type that does not fit.
  [[nodiscard]] std::vector<const Column*> match(const Table& table) const;

  /// Whether the axis is the column as it is, so that nothing needs encoding.
  [[nodiscard]] bool is_plain(std::size_t axis, const Column& column) const;

  /// Writes the axis' values for the rows from `begin` on, one per element of `out`. A category never heard of is
  /// encoded as such; what a schema does not allow otherwise throws InvalidInput with the row from 1.
  void encode(std::size_t axis, const Column& column, std::size_t begin, std::span<double> out) const;

 private:
  struct Shared;
  std::shared_ptr<const Shared> shared_;
};

}  // namespace pidforest::schema
