// SPDX-License-Identifier: Apache-2.0
#include "in/table_flags.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "flags/config_file.h"
#include "in/compressed.h"
#include "in/database_address.h"
#include "in/row_choice.h"
#include "in/utf8_source.h"
#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

std::string without_compression(std::string name) {
  const Compression compression = compression_by_name(name);
  if (compression != Compression::none) name.resize(name.size() - suffix_of(compression).size());
  return name;
}

TextFormat::Form form_of(const TableFlags& flags) {
  if (flags.format == "csv") return TextFormat::Form::csv;
  if (flags.format == "jsonl") return TextFormat::Form::json_lines;
  if (flags.format == "json") return TextFormat::Form::json_lines;
  if (flags.format != "auto")
    throw InvalidOption(fmt::format("--format must be one of auto, csv, json, jsonl; got {}.", flags.format));
  const std::string name = without_compression(flags.file);
  const bool is_json = name.ends_with(".json") || name.ends_with(".jsonl") || name.ends_with(".ndjson");
  return is_json ? TextFormat::Form::json_lines : TextFormat::Form::any;
}

std::optional<char> delimiter_of(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "tab" || text == "\\t") return '\t';
  const bool is_allowed = text.size() == 1 && std::string_view("\"\r\n").find(text[0]) == std::string_view::npos;
  if (!is_allowed) throw InvalidOption(fmt::format("--delimiter must be auto, tab or one character; got {}.", text));
  return text[0];
}

/// Flags that only text files have would be ignored.
void check_no_text_flags(const TableFlags& flags) {
  const TableFlags defaults;
  const std::string_view given = flags.delimiter != defaults.delimiter     ? "--delimiter"
                                 : flags.decimal != defaults.decimal       ? "--decimal"
                                 : !flags.na.empty()                       ? "--na"
                                 : flags.encoding != defaults.encoding     ? "--encoding"
                                 : flags.on_bad_row != defaults.on_bad_row ? "--on-bad-row"
                                 : flags.no_header                         ? "--no-header"
                                                                           : "";
  if (!given.empty())
    throw InvalidOption(fmt::format("{} applies to text files; the columns of {} have types.", given,
                                    flags.is_query() ? "a query" : "Parquet files"));
}

void check_query(const TableFlags& flags) {
  if (flags.sql == "standard" || flags.sql == "sqlite")
    throw InvalidOption(fmt::format(
        "--sql takes a query to the database of --db; got {0}. The dialect of printed SQL is --dialect {0}.",
        flags.sql));
  if (flags.db.empty()) throw InvalidOption("--sql requires --db, the database that answers the query.");
  // A pipe is read only if nothing else is asked for.
  if (!flags.file.empty() && flags.file != "-")
    throw InvalidOption(
        fmt::format("FILE and --sql cannot be combined: the query selects the rows; got '{}'.", flags.file));
  if (flags.format != "auto") throw InvalidOption("--format and --sql cannot be combined: a query has no file format.");
}

}  // namespace

bool TableFlags::is_parquet() const {
  if (is_query() || file.empty() || file == "-") return format == "parquet";
  std::error_code ignored;
  return format == "parquet" ||
         (format == "auto" && (file.ends_with(".parquet") || std::filesystem::is_directory(file, ignored)));
}

TextFormat TableFlags::text_format() const {
  if (!decimal.empty() && decimal != "." && decimal != ",")
    throw InvalidOption(fmt::format("--decimal must be a point or a comma; got {}.", decimal));
  if (on_bad_row != "error" && on_bad_row != "skip")
    throw InvalidOption(fmt::format("--on-bad-row must be one of error, skip; got {}.", on_bad_row));
  (void)parse_encoding(encoding);
  return {.form = form_of(*this),
          .delimiter = delimiter_of(delimiter),
          .decimal = decimal.empty() ? '.' : decimal[0],
          .missing = na,
          .has_header = !no_header,
          .skip_bad_rows = on_bad_row == "skip"};
}

WrittenFormat TableFlags::written_format() const {
  if (is_query() || is_parquet()) return {};
  const TextFormat text = text_format();
  if (text.form != TextFormat::Form::json_lines)
    return {.delimiter = text.delimiter, .decimal = text.decimal, .missing = na, .has_header = !no_header};
  return {.missing = na};
}

void TableFlags::take(const WrittenFormat& known) {
  if (is_query() || is_parquet()) return;
  if (delimiter == "auto" && known.delimiter) delimiter = std::string(1, *known.delimiter);
  if (decimal.empty()) decimal = std::string(1, known.decimal);
  if (na.empty()) na = known.missing;
  no_header = no_header || !known.has_header;
}

void TableFlags::check(bool is_db_used) const {
  if (!db.empty()) (void)DatabaseAddress(db);
  if (is_query()) check_query(*this);
  if (!is_query() && file.empty())
    throw InvalidOption("FILE is required, or --sql with --db, or a pipe to standard input. See --help.");
  (void)columns_of_where(where);
  if (!is_query() && !db.empty() && !is_db_used)
    throw InvalidOption("--db requires --sql, a query that selects the rows.");
  if (is_parquet() && file == "-")
    throw InvalidOption(
        "Parquet cannot be read from standard input: its table of contents is at its end. Save it to a file.");
  if (!driver.empty() && db.empty() && !is_parquet())
    throw InvalidOption("--driver requires --db or a Parquet file: text files need no driver.");
  if (is_query() || is_parquet())
    check_no_text_flags(*this);
  else
    (void)text_format();
}

std::string TableFlags::shown() const { return is_query() ? DatabaseAddress(db).shown() : file; }

NamedFile TableFlags::input() const {
  if (!is_query()) return {"FILE", file};
  const DatabaseAddress address(db);
  return {"--db", address.kind() == DatabaseKind::postgresql ? "" : address.place()};
}

namespace {

/// Whether something waits in standard input: not a terminal, and not /dev/null.
bool has_standard_input() {
  struct stat status = {};
  return fstat(STDIN_FILENO, &status) == 0 &&
         (S_ISFIFO(status.st_mode) || S_ISREG(status.st_mode) || S_ISSOCK(status.st_mode));
}

constexpr const char* group = "Input format";
constexpr const char* database_group = "Parquet and databases (docs/sources.md)";

void add_database_flags(CLI::App& verb, TableFlags& flags, const char* words_of_sql) {
  verb.add_option("--sql", flags.sql, words_of_sql)->type_name("QUERY")->group(database_group);
  verb.add_option("--db", flags.db, "the database: duckdb:FILE, sqlite:FILE or postgresql://USER@HOST/NAME")
      ->type_name("ADDRESS")
      ->group(database_group);
  verb.add_option("--driver", flags.driver,
                  "library or manifest of the ADBC driver; by default the one that is installed, see docs/sources.md")
      ->type_name("PATH")
      ->group(database_group);
}

}  // namespace

void add_history_flags(CLI::App& verb, TableFlags& flags) {
  add_database_flags(verb, flags,
                     "query to the database of --db whose rows are the past, in the order of time, in place of "
                     "--history");
}

CLI::Option* add_file_argument(CLI::App& verb, TableFlags& flags) {
  return verb
      .add_option(
          "FILE", flags.file,
          "CSV file with a header row, or JSON: an array of objects, or one object per line; may be compressed (.gz, "
          ".zst, .xz, .bz2, .zip); - is standard input")
      ->type_name("FILE");
}

CLI::Option* add_format_flags(CLI::App& verb, TableFlags& flags) {
  CLI::Option* format = verb.add_option("--format", flags.format,
                                        "input format; auto chooses by the file name and the first bytes; default auto")
                            ->type_name("auto|csv|json|jsonl")
                            ->group(group);
  verb.add_option("--delimiter", flags.delimiter,
                  "field separator; auto is that of the fit, or the comma, tab, semicolon or | found in the header; "
                  "default auto")
      ->type_name("CHAR|auto|tab")
      ->group(group);
  verb.add_option("--decimal", flags.decimal, "decimal point, . or ,; default: as in the fit, or else .")
      ->type_name("CHAR")
      ->group(group);
  verb.add_option(
          "--na", flags.na,
          "words that mean a missing value in any column; among numbers and times NA, N/A, null, None, -, ? and others "
          "do so by themselves; default: as in the fit")
      ->type_name("WORD[,WORD]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  return format;
}

void add_table_flags(CLI::App& verb, TableFlags& flags) {
  add_file_argument(verb, flags)
      ->description(
          "CSV file with a header row, or JSON: an array of objects, or one object per line; may be compressed (.gz, "
          ".zst, .xz, .bz2, .zip); Parquet file, pattern or folder (.parquet); - is standard input, the default in a "
          "pipe");
  verb.preparse_callback([&flags](std::size_t /*n_words*/) {
    if (has_standard_input()) flags.file = "-";
  });
  add_format_flags(verb, flags)->type_name("auto|csv|json|jsonl|parquet");
  verb.add_option("--encoding", flags.encoding,
                  "encoding of the text; auto is UTF-8, or UTF-16 if the file begins so, and reads bytes that are not "
                  "UTF-8 as Latin-1; default auto")
      ->type_name("auto|utf-8|utf-16|latin-1")
      ->group(group);
  verb.add_option("--on-bad-row", flags.on_bad_row,
                  "stop at a row that cannot be read, or skip such rows and report their number; default error")
      ->type_name("error|skip")
      ->group(group);
  verb.add_flag("--no-header", flags.no_header,
                "the first row of the CSV file is data; the columns are named column1, column2, ...")
      ->group(group);
  verb.add_option("--where", flags.where,
                  "read only rows that satisfy conditions, such as \"load > 3 and host in {web1, web2} and user is not "
                  "missing\"")
      ->type_name("CONDITIONS")
      ->group(group);
  add_database_flags(verb, flags, "query to the database of --db whose rows are read in place of FILE");
  add_config_flag(verb, flags.config);
}

}  // namespace pidforest::cli
