// SPDX-License-Identifier: Apache-2.0
// The flags that name a table and its format: a text file, Parquet files, or a query to a database.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flags/cli11.h"
#include "flags/named_files.h"
#include "pidforest/reader.h"
#include "pidforest/schema.h"

namespace pidforest::cli {

struct TableFlags {
  std::string file;
  /// The text of the table, in place of a file; `file` is then its name for people.
  std::optional<std::string> inline_text = {};
  std::string delimiter = "auto";
  /// Empty: what the model or the schema says, or else the point.
  std::string decimal;
  std::vector<std::string> na;
  std::string format = "auto";
  std::string encoding = "auto";
  std::string on_bad_row = "error";
  /// The first row of a CSV file is data.
  bool no_header = false;
  /// The file of --config, whose flags are among the others.
  std::string config;
  /// Conditions that rows must satisfy to be read; empty: all are read.
  std::string where;
  /// A query to the database `db`, in place of a file.
  std::string sql;
  std::string db;
  /// The library or manifest of the ADBC driver; empty: wherever it is installed.
  std::string driver;

  [[nodiscard]] bool is_query() const { return !sql.empty(); }
  /// By --format or else by the name: a file or pattern that ends in .parquet, or a folder.
  [[nodiscard]] bool is_parquet() const;
  /// The format of a text file. Throws InvalidOption.
  [[nodiscard]] TextFormat text_format() const;
  /// What a model keeps of them: the same for tables without text as for a text file without flags. Throws
  /// InvalidOption.
  [[nodiscard]] WrittenFormat written_format() const;
  /// Takes what no flag says from the format of a model or a schema, for a text file.
  void take(const WrittenFormat& known);
  /// Complains of what can be told before anything is read; `is_db_used` says that --db has another use than --sql.
  /// Throws InvalidOption.
  void check(bool is_db_used = false) const;
  /// The file, or the address of the database without its password.
  [[nodiscard]] std::string shown() const;
  /// The flag and the file that is read, which may be that of a database.
  [[nodiscard]] NamedFile input() const;
};

/// Adds FILE, which is optional, or the flags of its format, to a verb; `flags` must live as long as it does.
CLI::Option* add_file_argument(CLI::App& verb, TableFlags& flags);
CLI::Option* add_format_flags(CLI::App& verb, TableFlags& flags);
/// Adds --sql, --db and --driver for the history of a stream.
void add_history_flags(CLI::App& verb, TableFlags& flags);
/// Adds both, --encoding, --on-bad-row, --no-header, --where, and the flags of databases. FILE is standard input by
/// default if that is a pipe or a file.
void add_table_flags(CLI::App& verb, TableFlags& flags);

}  // namespace pidforest::cli
