// SPDX-License-Identifier: Apache-2.0
#include "in/table_input.h"

#include <fmt/format.h>

#include <optional>

#include "in/input_file.h"
#include "in/query_rows.h"
#include "in/schema_file.h"
#include "in/utf8_source.h"
#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/number_words.h"

namespace pidforest::cli {

namespace {

/// Throws InvalidInput if the lines leave out most keys, so that the kept rows take much more memory than the file.
void check_sparse(const TableReader& reader, const Table& batch) {
  constexpr std::uint64_t most_sparse_values = std::uint64_t{1} << 24;
  if (reader.n_sparse_values() > most_sparse_values)
    throw InvalidInput(fmt::format(
        "lines must not leave out most of the {} keys of the file: rows and keys make at most 16 values per byte, and "
        "{} more; got more. Exclude rare keys with --ignore, or name the keys to read in a schema.",
        batch.n_columns(), most_sparse_values));
}

/// What the reader did with values that it did not take as they are.
void say_end(const TableReader& reader, Work& work) {
  if (reader.n_bad_rows() > 0)
    work.say(fmt::format("skipped {}; the first: {}", values::counted(reader.n_bad_rows(), "unreadable row"),
                         reader.first_bad_row()));
  std::vector<std::string> places;
  for (const MissingByWords& found : reader.missing_by_words())
    places.push_back(fmt::format("{} in {} ({})", found.words, values::excerpt(found.column),
                                 values::counted(found.n_values, "value")));
  std::vector<std::string> unread;
  for (const NestedValues& found : reader.nested_values())
    unread.push_back(fmt::format("{} ({})", values::excerpt(found.key), values::counted(found.n_values, "value")));
  if (!unread.empty()) work.say("not read, as arrays or nested too deeply: " + list_of(unread));
  if (!places.empty()) work.say("counted as missing: " + list_of(places));
}

TableNotes read_text(const TableFlags& flags, const ColumnSelection& selection, Work& work, bool are_kept,
                     const VisitBatch& visit) {
  InputFile file(flags.file, work.run());
  Utf8Source text([&file](std::span<char> room) { return file.read(room); }, parse_encoding(flags.encoding));
  TableReader reader([&text](std::span<char> room) { return text.read(room); }, flags.text_format(), selection,
                     work.silent_run());
  std::uint64_t n_rows = 0;
  while (const std::optional<Table> batch = reader.next()) {
    work.show({"reading", file.n_taken(), file.size().value_or(0)}, Unit::bytes);
    if (are_kept) check_sparse(reader, *batch);
    visit(*batch, n_rows);
    n_rows += batch->n_rows();
  }
  if (const std::string note = text.note(); !note.empty()) work.say(note);
  say_end(reader, work);
  return {.declared = {}, .not_in_schema = reader.not_in_schema()};
}

TableNotes read_any(const TableFlags& flags, const ColumnSelection& selection, Work& work, bool are_kept,
                    const VisitBatch& visit) {
  return flags.is_query() || flags.is_parquet() ? read_query(flags, selection, work, visit)
                                                : read_text(flags, selection, work, are_kept, visit);
}

}  // namespace

TableNotes read_batches(const TableFlags& flags, const ColumnSelection& selection, Work& work,
                        const VisitBatch& visit) {
  return read_any(flags, selection, work, false, visit);
}

ReadTable read_table(const TableFlags& flags, const ColumnSelection& selection, Work& work, const VisitBatch& visit) {
  ReadTable table;
  table.notes = read_any(flags, selection, work, true, [&](const Table& batch, std::uint64_t first_row) {
    if (visit) visit(batch, first_row);
    table.rows.append(batch);
  });
  return table;
}

}  // namespace pidforest::cli
