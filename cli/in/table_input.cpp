// SPDX-License-Identifier: Apache-2.0
#include "in/table_input.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "in/schema_file.h"
#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/number_words.h"

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

}  // namespace

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
          .skip_bad_rows = on_bad_row == "skip"};
}

WrittenFormat TableFlags::written_format() const {
  const TextFormat text = text_format();
  if (text.form != TextFormat::Form::json_lines)
    return {.delimiter = text.delimiter, .decimal = text.decimal, .missing = na};
  return {.missing = na};
}

void TableFlags::take(const WrittenFormat& known) {
  if (delimiter == "auto" && known.delimiter) delimiter = std::string(1, *known.delimiter);
  if (decimal.empty()) decimal = std::string(1, known.decimal);
  if (na.empty()) na = known.missing;
}

namespace {

constexpr const char* group = "Input format";

}  // namespace

CLI::Option* add_file_argument(CLI::App& verb, TableFlags& flags) {
  return verb
      .add_option(
          "FILE", flags.file,
          "CSV file with a header row, or JSON: an array of objects, or one object per line; may be compressed (.gz, "
          ".zst, .xz, .bz2, .zip); - is standard input")
      ->type_name("FILE");
}

void add_format_flags(CLI::App& verb, TableFlags& flags) {
  verb.add_option("--format", flags.format,
                  "input format; auto chooses by the file name and the first bytes; default auto")
      ->type_name("auto|csv|json|jsonl")
      ->group(group);
  verb.add_option(
          "--delimiter", flags.delimiter,
          "field separator; auto is that of the fit, or the comma, tab or semicolon found in the header; default auto")
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
}

void add_table_flags(CLI::App& verb, TableFlags& flags) {
  add_file_argument(verb, flags)->required();
  add_format_flags(verb, flags);
  verb.add_option("--encoding", flags.encoding,
                  "encoding of the text; auto is UTF-8, or UTF-16 if the file begins so, and reads bytes that are not "
                  "UTF-8 as Latin-1; default auto")
      ->type_name("auto|utf-8|utf-16|latin-1")
      ->group(group);
  verb.add_option("--on-bad-row", flags.on_bad_row,
                  "stop at a row that cannot be read, or skip such rows and report their number; default error")
      ->type_name("error|skip")
      ->group(group);
}

TableStore read_table(const TableFlags& flags, const ColumnSelection& selection, Work& work) {
  TableInput input(flags, selection, work);
  TableStore rows;
  while (const std::optional<Table> batch = input.next()) input.keep(*batch, rows);
  return rows;
}

TableInput::TableInput(const TableFlags& flags, const ColumnSelection& selection, Work& work)
    : work_(work),
      file_(flags.file, work.run()),
      text_([this](std::span<char> room) { return file_.read(room); }, parse_encoding(flags.encoding)),
      reader_([this](std::span<char> room) { return text_.read(room); }, flags.text_format(), selection,
              work.silent_run()) {}

void TableInput::keep(const Table& batch, TableStore& rows) const {
  constexpr std::uint64_t most_sparse_values = std::uint64_t{1} << 24;
  if (reader_.n_sparse_values() > most_sparse_values)
    throw InvalidInput(fmt::format(
        "lines must not leave out most of the {} keys of the file: rows and keys make at most 16 values per byte, and "
        "{} more; got more. Exclude rare keys with --ignore, or name the keys to read in a schema.",
        batch.n_columns(), most_sparse_values));
  rows.append(batch);
}

std::optional<Table> TableInput::next() {
  std::optional<Table> table = reader_.next();
  work_.show({"reading", file_.n_taken(), file_.size().value_or(0)}, Unit::bytes);
  first_row_ = n_rows_;
  if (table)
    n_rows_ += table->n_rows();
  else
    say_end();
  return table;
}

/// What the reader did with values that it did not take as they are.
void TableInput::say_end() {
  if (const std::string note = text_.note(); !note.empty()) work_.say(note);
  if (reader_.n_bad_rows() > 0)
    work_.say(fmt::format("skipped {}; the first: {}", values::counted(reader_.n_bad_rows(), "unreadable row"),
                          reader_.first_bad_row()));
  std::vector<std::string> places;
  for (const MissingByWords& found : reader_.missing_by_words())
    places.push_back(fmt::format("{} in {} ({})", found.words, values::excerpt(found.column),
                                 values::counted(found.n_values, "value")));
  std::vector<std::string> unread;
  for (const NestedValues& found : reader_.nested_values())
    unread.push_back(fmt::format("{} ({})", values::excerpt(found.key), values::counted(found.n_values, "value")));
  if (!unread.empty()) work_.say("not read, as arrays or nested too deeply: " + list_of(unread));
  if (!places.empty()) work_.say("counted as missing: " + list_of(places));
}

}  // namespace pidforest::cli
