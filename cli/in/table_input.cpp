// SPDX-License-Identifier: Apache-2.0
#include "in/table_input.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <utility>

#include "flags/labels.h"
#include "in/input_file.h"
#include "in/query_rows.h"
#include "in/row_choice.h"
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
  std::optional<InputFile> file;
  if (!flags.inline_text) file.emplace(flags.file, work.run());
  const ByteSource bytes =
      flags.inline_text ? bytes_of(*flags.inline_text) : [&file](std::span<char> room) { return file->read(room); };
  Utf8Source text(bytes, parse_encoding(flags.encoding));
  TableReader reader([&text](std::span<char> room) { return text.read(room); }, flags.text_format(), selection,
                     work.silent_run());
  std::uint64_t n_rows = 0;
  while (const std::optional<Table> batch = reader.next()) {
    if (file) work.show({"reading", file->n_taken(), file->size().value_or(0)}, Unit::bytes);
    if (are_kept) check_sparse(reader, *batch);
    visit(*batch, RowNumbers(n_rows));
    n_rows += batch->n_rows();
  }
  if (const std::string note = text.note(); !note.empty()) work.say(note);
  say_end(reader, work);
  return {.declared = {}, .not_in_schema = reader.not_in_schema()};
}

TableNotes read_any(const TableFlags& flags, const ColumnSelection& selection, Work& work, bool are_kept,
                    const VisitBatch& visit) {
  if (flags.is_query() || flags.is_parquet()) return read_query(flags, selection, work, visit);
  return naming_file(flags, [&] { return read_text(flags, selection, work, are_kept, visit); });
}

/// Gives the rows that satisfy --where to another visitor, with their numbers.
class VisitWhere {
 public:
  VisitWhere(RowsWhere where, const VisitBatch& visit) : where_(std::move(where)), visit_(visit) {}

  void operator()(const Table& batch, const RowNumbers& numbers) {
    const std::vector<std::uint64_t> places = where_.places_in(batch);
    std::vector<std::uint64_t> chosen;
    for (const std::uint64_t place : places) chosen.push_back(numbers.of(place));
    if (places.empty()) return visit_(batch.header(), RowNumbers(chosen));
    std::size_t begin = 0;
    rows_at(batch, places).for_each([&](const Table& part) {
      const auto first = chosen.begin() + static_cast<std::ptrdiff_t>(begin);
      begin += part.n_rows();
      visit_(part, RowNumbers(std::vector(first, chosen.begin() + static_cast<std::ptrdiff_t>(begin))));
    });
  }
  [[nodiscard]] std::string summary() const { return where_.summary(); }

 private:
  RowsWhere where_;
  const VisitBatch& visit_;
};

TableNotes read_chosen(const TableFlags& flags, const ColumnSelection& selection, Work& work, bool are_kept,
                       const VisitBatch& visit) {
  if (flags.where.empty() || selection.schema == nullptr) return read_any(flags, selection, work, are_kept, visit);
  VisitWhere where(RowsWhere(flags.where, *selection.schema), visit);
  TableNotes notes = read_any(flags, selection, work, are_kept, std::ref(where));
  work.say(where.summary());
  return notes;
}

/// Keeps rows, or a sample of them.
class KeptRows {
 public:
  explicit KeptRows(const SampleFlags& flags) : seed_(flags.seed) {
    if (flags.n_rows) sample_.emplace(*flags.n_rows, flags.seed);
  }

  void add(const Table& batch, const RowNumbers& numbers) {
    for (std::size_t i = 0; i < batch.n_rows(); ++i) numbers_.push_back(numbers.of(i));
    if (!sample_) return rows_.append(batch);
    sample_->add(batch, numbers_);
    numbers_.clear();
  }

  void take(ReadTable& table, Work& work) {
    table.rows = sample_ ? sample_->take() : std::move(rows_);
    table.numbers = RowNumbers(sample_ ? sample_->numbers() : std::move(numbers_));
    if (sample_ && sample_->n_rows() > table.rows.n_rows())
      work.say(fmt::format("a sample of {} of {} rows (seed {}); all that follows is about these", table.rows.n_rows(),
                           sample_->n_rows(), seed_));
  }

 private:
  std::uint64_t seed_;
  std::optional<RowSample> sample_;
  TableStore rows_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace

TableNotes read_batches(const TableFlags& flags, const ColumnSelection& selection, Work& work,
                        const VisitBatch& visit) {
  return read_chosen(flags, selection, work, false, visit);
}

ReadTable read_table(const TableFlags& flags, const ColumnSelection& selection, Work& work, const SampleFlags& sample,
                     const std::function<void(const Table& batch)>& check) {
  const bool is_any_row_read = flags.where.empty() || selection.schema != nullptr;
  const bool are_all_kept = flags.where.empty() && !sample.n_rows;
  const std::vector<std::string> named = columns_of_where(is_any_row_read ? "" : flags.where);
  ReadTable table;
  KeptRows kept(sample);
  table.notes = read_chosen(flags, selection, work, true, [&](const Table& batch, const RowNumbers& numbers) {
    if (check) check(batch);
    for (const std::string& name : named) (void)column_of(batch, name, "--where");
    if (is_any_row_read && !are_all_kept)
      kept.add(batch, numbers);
    else
      table.rows.append(batch);
  });
  if (!is_any_row_read) {
    const TableStore all = std::move(table.rows);
    const Schema meaning = schema_of_where(all, table.notes.declared, named);
    const VisitBatch keep = [&](const Table& batch, const RowNumbers& numbers) { kept.add(batch, numbers); };
    VisitWhere where(RowsWhere(flags.where, meaning), keep);
    std::uint64_t n_rows = 0;
    all.for_each([&](const Table& batch) {
      where(batch, RowNumbers(n_rows));
      n_rows += batch.n_rows();
    });
    work.say(where.summary());
  }
  if (!are_all_kept) kept.take(table, work);
  return table;
}

}  // namespace pidforest::cli
