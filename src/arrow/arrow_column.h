// SPDX-License-Identifier: Apache-2.0
// Columns made from Arrow arrays: validates the arrays and finds the layout of each piece.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "arrow/array_columns.h"
#include "arrow/arrow_taken.h"
#include "arrow/arrow_type.h"
#include "pidforest/arrow.h"

namespace pidforest::arrow {

/// Rows of an array, which is a column on its own or a part of record batches.
struct ArrowRows {
  std::size_t begin = 0;
  std::size_t n = 0;
  /// Validity bits of the record batch, or null. A row whose bit is 0 has no values; row `begin` + i has bit
  /// `first_bit` + i.
  const std::uint8_t* validity = nullptr;
  std::size_t first_bit = 0;
};

/// A column to which arrays are appended. The arrays must outlive it.
class ArrowColumn {
 public:
  /// Throws InvalidInput for an unsupported type.
  ArrowColumn(std::string name, const ArrowSchema& schema);

  /// Appends all or some rows of an array. Throws InvalidInput for an array that contradicts its schema or itself.
  void append(const ArrowArray& array);
  void append(const ArrowArray& array, const ArrowRows& rows);

  [[nodiscard]] const ArrayColumn& column() const { return column_; }
  [[nodiscard]] ArrayColumn taken() && { return std::move(column_); }

 private:
  void append_codes(const ArrowType& level_type, const ArrowArray& array, const ArrowRows& rows);
  void take_order(const CodedLevels& levels);

  ArrowType type_;
  /// The type of the levels, if the values are codes.
  std::optional<ArrowType> level_type_;
  bool are_ordered_;
  ArrayColumn column_;
};

/// The columns of record batches. Takes ownership of the batches that are appended.
class RecordBatches {
 public:
  /// Throws InvalidInput for a schema that is not one of record batches, for an unsupported type, and for names that
  /// are empty or repeated.
  explicit RecordBatches(const ArrowSchema& schema);

  /// Throws InvalidInput for a batch that contradicts its schema or itself.
  void append(TakenArray batch);

  /// Messages count rows from `first_row`.
  [[nodiscard]] ArrayColumns taken(std::size_t first_row = 0) &&;

 private:
  std::size_t n_rows_ = 0;
  std::vector<ArrowColumn> columns_;
  std::vector<TakenArray> kept_;
};

}  // namespace pidforest::arrow
