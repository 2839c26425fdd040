// SPDX-License-Identifier: Apache-2.0
// The body of the fuzz targets for text tables: any bytes give rows or InvalidInput, independent of how they are split.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pidforest/error.h"
#include "reader/text_reader.h"

namespace pidforest::fuzz {

/// A column without values so far may be of numbers or of texts, so a missing value is shown the same way for both.
inline std::string shown(const Column& column, std::size_t row) {
  if (column.type == ColumnType::text) return std::string(column.text(row));
  return std::isnan(column.number(row)) ? "" : fmt::format("{}", column.number(row));
}

/// Returns all values, line by line, followed by the bad rows or the reason why the text is rejected.
inline std::string read_whole(std::string_view text, const TextFormat& format, std::size_t step,
                              const reader::ReaderSizes& sizes) {
  std::string text_of_rows;
  const ByteSource bytes = [&](std::span<char> room) {
    const std::size_t n = std::min({room.size(), text.size(), step});
    std::copy_n(text.begin(), n, room.begin());
    text.remove_prefix(n);
    return n;
  };
  try {
    reader::TextReader reader(bytes, format, {}, {.threads = 1}, sizes);
    while (const auto rows = reader.next())
      for (std::size_t row = 0; row < rows->n_rows(); ++row) {
        // Earlier batches need not have a column that begins later, so missing values are not shown.
        for (const Column& column : rows->columns())
          if (const std::string value = shown(column, row); !value.empty())
            text_of_rows += fmt::format("{}:'{}',", column.name, value);
        text_of_rows += '\n';
      }
    // If a bad row has several errors, the reported one may depend on whether its columns were already decided.
    const std::string_view line = std::string_view(reader.first_bad_row()).substr(0, reader.first_bad_row().find(','));
    return text_of_rows + fmt::format("{} bad {}", reader.n_bad_rows(), line);
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

/// The first byte determines the format of the rest and the sizes of the pieces.
inline void check_text(const std::uint8_t* data, std::size_t size, TextFormat::Form form) {
  if (size == 0) return;
  const unsigned choice = data[0];
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  TextFormat format{.form = form, .skip_bad_rows = (choice & 1U) != 0};
  if ((choice & 2U) != 0) format.missing = {"NA", "-"};
  if ((choice & 4U) != 0 && form == TextFormat::Form::csv) format.decimal = ',';
  if (choice >= 192 && form == TextFormat::Form::csv) format.has_header = false;
  const std::size_t stretch = (choice & 8U) != 0 ? 64 : 1 << 16;
  const std::size_t step = 1 + choice / 16;
  const std::string whole = read_whole(text, format, size, {.piece = 1 << 16, .stretch = stretch});
  const std::string parts = read_whole(text, format, step, {.piece = step, .stretch = stretch, .most_rows = 2});
  if (whole != parts) std::abort();
}

}  // namespace pidforest::fuzz
