// SPDX-License-Identifier: Apache-2.0
// The first row of a CSV file: the names of the columns, or at least their number. It also determines the delimiter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pidforest/reader.h"
#include "reader/row_batch.h"

namespace pidforest::reader {

struct CsvHeader {
  std::vector<std::string> names = {};
  char delimiter = ',';
  /// The length of the row; 0 if it is a row of values.
  std::size_t n_bytes = 0;
  std::size_t n_lines = 0;
};

/// Throws InvalidOption for a delimiter or decimal point that could also be part of a field.
void check_format(const TextFormat& format);

/// Reads the row at the start of the piece. Returns nullopt if the end of the row is not buffered. Throws InvalidInput
/// for names that are missing, repeated or not UTF-8. `first_byte` is the position of the piece in the file.
std::optional<CsvHeader> read_csv_header(const TextPiece& piece, const TextFormat& format, std::uint64_t first_byte);

}  // namespace pidforest::reader
