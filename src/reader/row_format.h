// SPDX-License-Identifier: Apache-2.0
// The interface between the reader of text tables and a row format.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "reader/row_batch.h"

namespace pidforest::reader {

struct RowFormat {
  /// Returns positions where rows begin, about `distance` apart, in a text that begins with a row. Correct up to the
  /// first invalid row.
  std::function<std::vector<std::size_t>(std::string_view text, std::size_t distance)> cuts;
  /// Reads the rows of a piece that are buffered completely. An invalid row is skipped or ends the reading.
  std::function<void(const TextPiece& piece, std::span<const TextColumn> columns, RowBatch& batch)> read;
};

}  // namespace pidforest::reader
