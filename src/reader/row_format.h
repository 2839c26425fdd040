// SPDX-License-Identifier: Apache-2.0
// What the reader of tables must know of a way to write rows as text.
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

  /// Where rows begin, about `distance` apart, in a text that begins with one. Right up to the first row that is wrong.
  [[nodiscard]] virtual std::vector<std::size_t> cuts(std::string_view text, std::size_t distance) const = 0;

  /// Reads the rows of a piece that are at hand to their ends. A row that is wrong is left out or ends the reading.
  virtual void read(const Piece& piece, std::span<const TextColumn> columns, RowBatch& batch) const = 0;
};

}  // namespace pidforest::reader
