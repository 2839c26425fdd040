// SPDX-License-Identifier: Apache-2.0
// Collects everything that a reader of tables returns.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pidforest/error.h"
#include "reader/text_reader.h"

namespace pidforest::reader {

using Texts = std::vector<std::optional<std::string>>;
inline constexpr std::nullopt_t missing = std::nullopt;

struct ColumnRead {
  std::string name = {};
  ColumnType type = ColumnType::number;
  std::vector<double> numbers = {};
  Texts texts = {};
};

struct TableRead {
  std::vector<ColumnRead> columns = {};
  std::size_t n_rows = 0;
  std::size_t largest_batch = 0;
  std::vector<std::string> not_in_schema = {};
  std::uint64_t n_bad_rows = 0;
  std::string first_bad_row = {};
  /// The error that ended the reading; empty if there was none.
  std::string refusal = {};

  void add(const Table& rows) {
    const ColumnRead missing_so_far{.numbers = std::vector<double>(n_rows, std::nan(""))};
    columns.resize(std::max(columns.size(), rows.n_columns()), missing_so_far);
    for (std::size_t c = 0; c < columns.size(); ++c) add(columns[c], rows.columns()[c], rows.n_rows());
    n_rows += rows.n_rows();
    largest_batch = std::max(largest_batch, rows.n_rows());
  }

 private:
  /// Before texts, only missing numbers may occur.
  void add(ColumnRead& column, const Column& more, std::size_t n) const {
    column.name = more.name;
    if (more.type == ColumnType::text && column.type == ColumnType::number) {
      for (const double number : column.numbers)
        if (!std::isnan(number)) throw std::logic_error("a column of numbers became one of texts");
      column = {.name = more.name, .type = ColumnType::text, .texts = Texts(n_rows)};
    }
    for (std::size_t row = 0; row < n; ++row) {
      if (column.type == ColumnType::number)
        column.numbers.push_back(more.number(row));
      else
        column.texts.push_back(more.text(row).data() == nullptr ? std::nullopt
                                                                : std::optional(std::string(more.text(row))));
    }
  }
};

/// Reads from a constructed reader until the end or the first InvalidInput.
inline TableRead read_all(TextReader& reader) {
  TableRead all;
  try {
    while (const std::optional<Table> rows = reader.next()) all.add(*rows);
  } catch (const InvalidInput& error) {
    all.refusal = error.what();
  }
  all.not_in_schema = reader.not_in_schema();
  all.n_bad_rows = reader.n_bad_rows();
  all.first_bad_row = reader.first_bad_row();
  return all;
}

/// Reads a text; if it is rejected from the start, only the refusal is set.
inline TableRead read_all(std::string_view text, const TextFormat& format = {}, const ColumnSelection& selection = {},
                          const pidforest::Run& run = {}, const ReaderSizes& sizes = {}) {
  try {
    TextReader reader(bytes_of(text), format, selection, run, sizes);
    return read_all(reader);
  } catch (const InvalidInput& error) {
    return {.refusal = error.what()};
  }
}

}  // namespace pidforest::reader
