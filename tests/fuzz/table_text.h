// SPDX-License-Identifier: Apache-2.0
// What fuzz targets of text tables do: any bytes give rows or InvalidInput, the same whatever pieces they come in.
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

/// Of a column that has shown nothing yet it is left open whether it is of numbers or texts.
inline std::string shown(const Column& column, std::size_t row) {
  if (column.type == ColumnType::text) return std::string(column.text(row));
  return std::isnan(column.number(row)) ? "" : fmt::format("{}", column.number(row));
}

/// All values, line by line, then the bad rows or the reason why the text is refused.
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
        for (const Column& column : rows->columns())
          text_of_rows += fmt::format("{}:'{}',", column.name, shown(column, row));
        text_of_rows += '\n';
      }
    // Which of several mistakes of a bad row is named may depend on whether its columns were decided by then.
    const std::string_view line = std::string_view(reader.first_bad_row()).substr(0, reader.first_bad_row().find(','));
    return text_of_rows + fmt::format("{} bad {}", reader.n_bad_rows(), line);
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

/// The first byte says how the rest is written and into which pieces it falls.
inline void check_text(const std::uint8_t* data, std::size_t size, TextFormat::Form form) {
  if (size == 0) return;
  const unsigned choice = data[0];
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  TextFormat format{.form = form, .skip_bad_rows = (choice & 1U) != 0};
  if ((choice & 2U) != 0) format.missing = {"NA", "-"};
  if ((choice & 4U) != 0 && form == TextFormat::Form::csv) format.decimal = ',';
  const std::size_t stretch = (choice & 8U) != 0 ? 64 : 1 << 16;
  const std::size_t step = 1 + choice / 16;
  const std::string whole = read_whole(text, format, size, {.piece = 1 << 16, .stretch = stretch});
  const std::string parts = read_whole(text, format, step, {.piece = step, .stretch = stretch, .most_rows = 2});
  if (whole != parts) std::abort();
}

}  // namespace pidforest::fuzz
