// SPDX-License-Identifier: Apache-2.0
// Reads a table from a file or standard input, batch by batch, as the flags specify.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flags/cli11.h"
#include "in/input_file.h"
#include "in/utf8_source.h"
#include "out/work.h"
#include "pidforest/reader.h"
#include "pidforest/table.h"

namespace pidforest::cli {

/// The file to read, and its format.
struct TableFlags {
  std::string file;
  std::string delimiter = "auto";
  /// Empty: what the model or the schema says, or else the point.
  std::string decimal;
  std::vector<std::string> na;
  std::string format = "auto";
  std::string encoding = "auto";
  std::string on_bad_row = "error";

  /// Throws InvalidOption.
  [[nodiscard]] TextFormat text_format() const;
  /// What a model keeps of them. Throws InvalidOption.
  [[nodiscard]] WrittenFormat written_format() const;
  /// Takes what no flag says from the format of a model or a schema.
  void take(const WrittenFormat& known);
};

/// Adds FILE, which is optional, or the flags of its format, to a verb; `flags` must live as long as it does.
CLI::Option* add_file_argument(CLI::App& verb, TableFlags& flags);
void add_format_flags(CLI::App& verb, TableFlags& flags);
/// Adds both, with FILE required, --encoding and --on-bad-row.
void add_table_flags(CLI::App& verb, TableFlags& flags);

/// Reads all rows. Throws InvalidOption, FileError, InvalidInput or Cancelled.
TableStore read_table(const TableFlags& flags, const ColumnSelection& selection, Work& work);

class TableInput {
 public:
  /// Reads as much as is needed to know the columns. `work` must outlive this. Throws InvalidOption, FileError,
  /// InvalidInput or Cancelled.
  TableInput(const TableFlags& flags, const ColumnSelection& selection, Work& work);

  /// The next rows, valid until the next call; nullopt at the end. Reports the number of skipped rows at the end.
  std::optional<Table> next();

  /// Appends a batch of `next` to rows that are kept. Throws InvalidInput if the lines leave out most keys, so that the
  /// rows take much more memory than the file.
  void keep(const Table& batch, TableStore& rows) const;

  /// The number of rows before the last batch of `next`.
  [[nodiscard]] std::uint64_t first_row() const { return first_row_; }
  [[nodiscard]] const TableReader& reader() const { return reader_; }

 private:
  void say_end();

  Work& work_;
  InputFile file_;
  Utf8Source text_;
  TableReader reader_;
  std::uint64_t first_row_ = 0;
  std::uint64_t n_rows_ = 0;
};

}  // namespace pidforest::cli
