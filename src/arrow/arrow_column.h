// SPDX-License-Identifier: Apache-2.0
// Columns from Arrow arrays: what is believed of them, and which layout each piece has.
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

/// Rows of an array that is a column, or of one that is a part of record batches.
struct ArrowRows {
  std::size_t begin = 0;
  std::size_t n = 0;
  /// Bits of the record batch, or null: rows whose bit is 0 have no values. Row `begin` + i has bit `first_bit` + i.
  const std::uint8_t* validity = nullptr;
  std::size_t first_bit = 0;
};

/// One column, whose arrays are appended. It views them.
class ArrowColumn {
 public:
  /// Throws InvalidInput for a type that is no column of ours.
  ArrowColumn(std::string name, const ArrowSchema& schema);

  /// All rows of an array, or some. Throws InvalidInput for an array that contradicts its schema or itself.
  void append(const ArrowArray& array);
  void append(const ArrowArray& array, const ArrowRows& rows);

  [[nodiscard]] const ArrayColumn& column() const { return column_; }
  [[nodiscard]] ArrayColumn taken() && { return std::move(column_); }

 private:
  void append_codes(const ArrowType& level_type, const ArrowArray& array, const ArrowRows& rows);
  void take_order(const CodedLevels& levels);

  ArrowType type_;
  /// Of the levels, where the values are codes.
  std::optional<ArrowType> level_type_;
  bool are_ordered_;
  ArrayColumn column_;
};

/// The columns of record batches, which are appended. It keeps them.
class RecordBatches {
 public:
  /// Throws InvalidInput for what is no schema of record batches, a type that is no column of ours, and names that are
  /// empty or not distinct.
  explicit RecordBatches(const ArrowSchema& schema);

  /// Throws InvalidInput for a batch that contradicts its schema or itself.
  void append(TakenArray batch);

  /// Messages count rows from `first_row` on.
  [[nodiscard]] ArrayColumns taken(std::size_t first_row = 0) &&;

 private:
  std::size_t n_rows_ = 0;
  std::vector<ArrowColumn> columns_;
  std::vector<TakenArray> kept_;
};

}  // namespace pidforest::arrow
