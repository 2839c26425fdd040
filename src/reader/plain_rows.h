// SPDX-License-Identifier: Apache-2.0
// Rows of CSV text whose fields are plain numbers, read as quickly as the machine can.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reader/row_batch.h"
#include "values/plain_number.h"

namespace pidforest::reader {

/// What the rows are like.
struct PlainRows {
  char delimiter;
  values::DecimalPoint decimal;
  /// A 1 for each column that is to be read as numbers.
  std::span<const std::uint8_t> is_number;
};

/// The field that is to be read next.
struct RowPlace {
  const char* at = nullptr;
  const char* row_begin = nullptr;
  std::size_t column = 0;
  std::size_t row = 0;
};

/// Reads numbers into `columns` from `place` to the end of its row, and on to the first row that does not begin before
/// `end`. Returns that row, or the first field that takes more than `read_plain_number`.
RowPlace read_plain_rows(const PlainRows& rows, RowPlace place, const char* end, std::span<const BatchColumn> columns);

}  // namespace pidforest::reader
