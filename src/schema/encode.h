// SPDX-License-Identifier: Apache-2.0
// Encodes the user's columns (numbers, booleans, texts, times) as rows of doubles, as the schema says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "geometry/axis_kind.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::schema {

/// One axis as the rest of the library sees it. NaN means missing on every kind of axis.
struct AxisInfo {
  /// "amount", or "opened.hour_of_day" for a derived axis.
  std::string name;
  /// The index of its column in the schema.
  std::size_t column = 0;
  geometry::AxisKind kind = geometry::AxisKind::ordered;
  /// Ordered and cyclic axes: the number of cells, 0 if there are none. Cell i is [i, i + 1), its values are i + 1/2.
  /// Categories: the number of levels. Level i is the value i; the value `n_cells` stands for all unseen levels.
  std::size_t n_cells = 0;
  /// Cyclic axes: values are in [0, period). With cells, the period is n_cells.
  double period = 0;
  /// Ordered axes without cells: the range that the schema declares.
  std::optional<std::pair<double, double>> range;
  /// Hierarchies: the parent of each node. The first n_cells nodes are the levels, with the levels of a branch side by
  /// side; the last node is the root and its own parent. Empty for flat categories.
  std::vector<std::uint32_t> parents;
  /// The names of the branches, without the levels, in the order of `parents`. The root is named as in Hierarchy.
  std::vector<std::string> branch_names;
  std::optional<double> missing_share;

  bool operator==(const AxisInfo&) const = default;
};

/// Encodes tables as axes by a complete schema. Cheap to copy; safe to use from several threads.
class Encoder {
 public:
  explicit Encoder(Schema schema);

  [[nodiscard]] const Schema& schema() const;
  /// In the order of the schema's columns, and of the derivations within a column.
  [[nodiscard]] const std::vector<AxisInfo>& axes() const;

  /// Returns the table's columns in the order of the schema's, matched by name; nullptr for ignored ones. Throws
  /// InvalidInput for a missing column and for a type that does not fit.
  [[nodiscard]] std::vector<const Column*> match(const Table& table) const;

  /// True if the column can be used as the axis without encoding.
  [[nodiscard]] bool is_plain(std::size_t axis, const Column& column) const;

  /// Writes the values of the axis for the rows from `begin` on, one per element of `out`. An unseen level of a
  /// category has its own code. Any other value that the schema does not allow throws InvalidInput with the row,
  /// counted from 1.
  void encode(std::size_t axis, const Column& column, std::size_t begin, std::span<double> out) const;

 private:
  struct Shared;
  std::shared_ptr<const Shared> shared_;
};

}  // namespace pidforest::schema
