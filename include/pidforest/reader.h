// SPDX-License-Identifier: Apache-2.0
// Reads a table of text, CSV or JSON lines, batch by batch in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/options.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest {

/// Bytes as they come: writes at most room.size() of them and returns how many; 0 at the end. May throw.
using ByteSource = std::function<std::size_t(std::span<char> room)>;

/// The bytes of a text, which must outlive the source.
ByteSource bytes_of(std::string_view text);

/// How a table is written.
struct TextFormat {
  enum class Form : std::uint8_t { csv, json_lines };

  Form form = Form::csv;
  /// csv: what separates fields. None: comma, tab or semicolon, the one that is most frequent in the header row; the
  /// comma only if it is not `decimal`.
  std::optional<char> delimiter = {};
  /// csv: what separates the whole part of a number from its fraction, '.' or ','.
  char decimal = '.';
  /// Fields that are missing besides empty ones, and besides nan and NaN in columns of numbers.
  std::vector<std::string> missing = {};
  /// Leave out rows that cannot be read instead of throwing; see TableReader::n_bad_rows.
  bool skip_bad_rows = false;
};

/// Which columns of a table to read, and as what.
struct ColumnSelection {
  /// Columns to skip, whatever they hold. Each must be in the header of a CSV file.
  std::vector<std::string> ignore = {};
  /// Says which columns hold texts though they look like numbers. Those that it ignores or does not name are skipped.
  /// Used by the constructor only.
  const Schema* schema = nullptr;
  /// Columns to read though the schema does not name them.
  std::vector<std::string> besides_schema = {};
  /// Columns to read as texts as they stand, whatever they look like and whether the schema names them or not.
  std::vector<std::string> as_text = {};
  /// The same for every column.
  bool all_as_text = false;
};

/// CSV is RFC 4180, strictly: a header row of distinct names, as many fields in every row, LF or CRLF, UTF-8 with or
/// without a byte order mark; a quote only around a field or, doubled, inside a quoted one. Blank lines at the end do
/// not count. JSON lines are one flat object per line; a key that a line lacks is missing.
///
/// Without a schema a column is of numbers if every field of the first 16 MB is a number, with blanks around it or not,
/// or missing. Otherwise it is of texts as they stand, without the blanks around a bare field; an empty field is
/// missing, quoted or not. A column that has nothing but missing values there is given out as numbers until its first
/// value says what it is: from then on it may be of texts.
///
/// Chunks of the text are read by `run.threads` threads at once, which changes nothing: rows come in the order of the
/// file, and those before the first mistake are given out before it is thrown.
/// Throws InvalidInput that names line (from 1), column and byte (from 0) of what is wrong, what was allowed and what
/// came; Cancelled; and whatever the source throws.
class TableReader {
 public:
  /// Reads as much as it takes to know the columns.
  TableReader(ByteSource bytes, const TextFormat& format, const ColumnSelection& selection, Run run = {});
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;
  TableReader(TableReader&& other) noexcept;
  TableReader& operator=(TableReader&& other) noexcept;

  /// The next rows, at most 65,536 of them, or nothing at the end; a file without rows gives one table without rows.
  /// Rows are numbered as those of the whole file. Views memory of the reader that stays as it is until the next call.
  std::optional<Table> next();

  /// The row of a line that comes later: read like those of the text, which this reader knows the columns from. It is
  /// line `number` of its source, from 1, for messages. Views memory of the reader that stays as it is until the next
  /// call. Throws InvalidInput for what is not one row.
  Table read_line(std::string_view line, std::uint64_t number);

  /// The columns that have had missing values only, so that it is not known whether they hold numbers or texts.
  [[nodiscard]] std::vector<std::string> undecided() const;
  /// csv: what separates the fields.
  [[nodiscard]] char delimiter() const;

  /// The columns of the file that the schema does not name, and which are not read for that.
  [[nodiscard]] const std::vector<std::string>& not_in_schema() const;
  /// The rows left out so far, and what is wrong with the first of them.
  [[nodiscard]] std::uint64_t n_bad_rows() const;
  [[nodiscard]] const std::string& first_bad_row() const;
  [[nodiscard]] std::uint64_t n_bytes_read() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pidforest
