// SPDX-License-Identifier: Apache-2.0
// Reads tables from CSV or JSON lines, batch by batch in bounded memory.
//
//   pidforest::TableReader reader(pidforest::bytes_of("amount,country\n12,DE\n15,AR\n"), {}, {});
//   pidforest::TableStore rows;
//   while (const std::optional<pidforest::Table> batch = reader.next()) rows.append(*batch);
//   std::cout << rows.n_rows() << " rows";  // prints 2 rows
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

namespace [[gnu::visibility("default")]] pidforest {

/// A source of bytes: writes at most room.size() bytes and returns their number, 0 at the end. May throw.
using ByteSource = std::function<std::size_t(std::span<char> room)>;

/// Reads the bytes of a text, which must outlive the source.
ByteSource bytes_of(std::string_view text);

/// How the text of a table is to be read.
struct TextFormat {
  /// `json_lines` may also be an array of objects. `any` is JSON if the first bytes can be nothing else, else CSV.
  enum class Form : std::uint8_t { csv, json_lines, any };

  Form form = Form::csv;
  /// csv: the separator of fields. Without a value: comma, tab, semicolon or vertical bar, whichever is most frequent
  /// in the first row; not the comma if it is `decimal`.
  std::optional<char> delimiter = {};
  /// csv: the decimal separator, '.' or ','.
  char decimal = '.';
  /// Texts that mean a missing value, in addition to the empty field. In columns of numbers and times nan and the words
  /// of docs/cli.md, such as NA, null and ?, mean it by themselves.
  std::vector<std::string> missing = {};
  /// csv: the first row has the names of the columns. Otherwise it is a row of values, and the columns are named
  /// column1, column2 and so on.
  bool has_header = true;
  /// Skip rows that cannot be read instead of throwing. `TableReader::n_bad_rows` counts them.
  bool skip_bad_rows = false;
};

/// The columns of a table to read, and their types.
struct ColumnSelection {
  /// Columns to skip: names, or patterns in which * stands for any characters and ? for one. Each name must be in the
  /// header of a CSV file, and each pattern must match a column. A pattern does not skip columns that `besides_schema`
  /// or `as_text` names.
  std::vector<std::string> ignore = {};
  /// Without a schema: the columns to read, as names or patterns, in addition to those below; all if it is empty.
  std::vector<std::string> only = {};
  /// The schema says which columns hold texts even if they look like numbers. Columns that it ignores or does not name
  /// are skipped. Only the constructor uses the pointer.
  const Schema* schema = nullptr;
  /// Columns to read in addition to those of the schema.
  std::vector<std::string> besides_schema = {};
  /// Columns to read as texts without any change, even if they look like numbers or the schema does not name them.
  std::vector<std::string> as_text = {};
  /// Reads every column as text.
  bool all_as_text = false;
};

/// The words in a column of numbers that counted as missing by themselves.
struct MissingByWords {
  std::string column = {};
  /// "NA", or "NA and null".
  std::string words = {};
  std::uint64_t n_values = 0;
};

/// Values of JSON that are not read: arrays, and objects within objects within rows.
struct NestedValues {
  /// Where they are: "tags", or "position.path".
  std::string key = {};
  std::uint64_t n_values = 0;
};

/// A table has at most 10,000 columns that are read.
/// CSV is RFC 4180, strictly: a header row of distinct names, the same number of fields in every row, LF or CRLF, UTF-8
/// with or without a byte order mark; quotes only around a field or, doubled, inside a quoted field. Blank lines at the
/// end are ignored. JSON is one object per line, or an array of objects. The members of an object within it are columns
/// such as position.x; arrays, and objects deeper down, are not read. A key that a row does not have is a missing
/// value.
///
/// Without a schema a column is numeric if every field in the first 16 MB is a number (blanks around it are allowed) or
/// missing, also by a word such as NA. Otherwise it is a column of texts, unchanged except for blanks around an
/// unquoted field. An empty field is missing, quoted or not. A column with no values in that prefix is reported as
/// numeric until its first value decides its type.
///
/// `run.threads` threads read chunks of the text at once. Their number changes nothing: rows come in the order of the
/// file, and the rows before the first mistake are returned before it is thrown.
/// Throws InvalidInput that names the line (from 1), the column and the byte (from 0) of a mistake, the allowed values
/// and the value found; Cancelled; and any exception of the source.
class TableReader {
 public:
  /// Reads as many bytes as it takes to decide the types of the columns.
  TableReader(ByteSource bytes, const TextFormat& format, const ColumnSelection& selection, Run run = {});
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;
  TableReader(TableReader&& other) noexcept;
  TableReader& operator=(TableReader&& other) noexcept;

  /// The next rows, at most 65,536, or nullopt at the end. A file without rows gives one table without rows. JSON with
  /// a key that is new after the first 16 MB gives a further column, after the others. Rows are numbered within the
  /// whole file. Views memory of the reader that is valid until the next call.
  std::optional<Table> next();

  /// Reads one further line with the columns of this reader. Messages call it line `number`, from 1. Views memory of
  /// the reader that is valid until the next call. Throws InvalidInput for a text that is not exactly one row.
  Table read_line(std::string_view line, std::uint64_t number);

  /// Columns with only missing values so far: their type is still open.
  [[nodiscard]] std::vector<std::string> undecided() const;
  /// csv: the separator of fields.
  [[nodiscard]] char delimiter() const;
  [[nodiscard]] bool is_json() const;

  /// Columns of the file that are not read because the schema does not name them.
  [[nodiscard]] const std::vector<std::string>& not_in_schema() const;
  /// The number of rows skipped so far, and the mistake in the first of them.
  [[nodiscard]] std::uint64_t n_bad_rows() const;
  [[nodiscard]] const std::string& first_bad_row() const;
  /// json: the values that were not read so far, by key; of at most 1000 keys.
  [[nodiscard]] std::vector<NestedValues> nested_values() const;
  /// The columns of numbers in which words such as NA counted as missing so far.
  [[nodiscard]] std::vector<MissingByWords> missing_by_words() const;
  [[nodiscard]] std::uint64_t n_bytes_read() const;
  /// json: how many values beyond 16 per byte of text the rows had at most so far. Short lines that leave out most keys
  /// become large rows; a program that keeps all rows may set a limit.
  [[nodiscard]] std::uint64_t n_sparse_values() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pidforest
