// SPDX-License-Identifier: Apache-2.0
// The interface between the reader of text tables and a row format.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "reader/row_batch.h"

namespace pidforest::reader {

class RowFormat {
 public:
  RowFormat() = default;
  virtual ~RowFormat() = default;
  RowFormat(const RowFormat&) = delete;
  RowFormat& operator=(const RowFormat&) = delete;
  RowFormat(RowFormat&&) = delete;
  RowFormat& operator=(RowFormat&&) = delete;

  /// Returns positions where rows begin, about `distance` apart, in a text that begins with a row. Correct up to the
  /// first invalid row.
  [[nodiscard]] virtual std::vector<std::size_t> cuts(std::string_view text, std::size_t distance) const = 0;

  /// Reads the rows of a piece that are buffered completely. An invalid row is skipped or ends the reading.
  virtual void read(const TextPiece& piece, std::span<const TextColumn> columns, RowBatch& batch) const = 0;
};

}  // namespace pidforest::reader
