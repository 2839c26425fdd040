// SPDX-License-Identifier: Apache-2.0
// The header row of a CSV file, which also shows what separates its fields.
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
  std::size_t n_bytes = 0;
  std::size_t n_lines = 0;
};

/// Throws InvalidOption for a delimiter or a decimal point that cannot be told from what fields hold.
void check_format(const TextFormat& format);

/// The row that the piece begins with, or nothing if its end is not at hand. Throws InvalidInput for names that are
/// lacking, not distinct or not UTF-8; `first_byte` is where the piece lies in the file.
std::optional<CsvHeader> read_csv_header(const Piece& piece, const TextFormat& format, std::uint64_t first_byte);

}  // namespace pidforest::reader
