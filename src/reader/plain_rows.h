// SPDX-License-Identifier: Apache-2.0
// Fast reading of CSV rows whose fields are plain numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reader/row_batch.h"
#include "values/plain_number.h"

namespace pidforest::reader {

/// The format of the rows.
struct PlainRows {
  char delimiter;
  values::DecimalPoint decimal;
  /// 1 for each column that is read as numbers.
  std::span<const std::uint8_t> is_number;
};

/// The position of the next field.
struct RowPlace {
  const char* at = nullptr;
  const char* row_begin = nullptr;
  std::size_t column = 0;
  std::size_t row = 0;
};

/// Reads numbers into `columns` from `place` to the end of its row, and then the rows that begin before `end`. Returns
/// the position where reading stopped: the first row that begins at or after `end`, or the first field that
/// `read_plain_number` cannot read.
RowPlace read_plain_rows(const PlainRows& rows, RowPlace place, const char* end, std::span<const BatchColumn> columns);

}  // namespace pidforest::reader
