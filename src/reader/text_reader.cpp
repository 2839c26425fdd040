// SPDX-License-Identifier: Apache-2.0
#include "reader/text_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "pidforest/error.h"
#include "reader/csv_header.h"
#include "reader/csv_rows.h"
#include "reader/file_kind.h"
#include "reader/json_rows.h"
#include "system/parallel.h"
#include "values/excerpt.h"
#include "values/plain_number.h"

namespace pidforest::reader {

namespace {

/// Number of pieces per round. Two per thread keep the other threads busy while one has a slow piece.
unsigned pieces_at_once(const Run& run) {
  const unsigned threads = system::threads_for(run, 1024);
  return threads == 1 ? 1 : 2 * threads;
}

/// Returns the first row of an undecided column that holds a number.
std::size_t first_number(const RowBatch& batch, const BatchColumn& column) {
  const double* const begin = column.numbers;
  const double* const end = begin + batch.n_rows;
  const double* const found = std::find_if(begin, end, [](double value) { return !std::isnan(value); });
  return found == end ? BatchColumn::none : static_cast<std::size_t>(found - begin);
}

/// Evidence for the type of a column, collected from the first stretch of the file.
struct Evidence {
  bool has_number = false;
  /// A word such as NA, which means "missing" among numbers only.
  bool has_word = false;
  bool has_text = false;
  /// A text that is a number with the other decimal separator, and one that is anything else.
  bool has_other_decimal = false;
  bool has_plain_text = false;

  void add(const RowBatch& batch, const BatchColumn& column) {
    has_number = has_number || first_number(batch, column) != BatchColumn::none;
    has_word = has_word || column.n_words > 0;
    has_text = has_text || column.first_text != BatchColumn::none;
    has_other_decimal = has_other_decimal || column.has(BatchColumn::TextKind::other_decimal);
    has_plain_text = has_plain_text || column.has(BatchColumn::TextKind::plain);
  }

  /// Throws InvalidInput if the texts are all numbers with the other decimal separator, instead of treating them as
  /// texts.
  [[nodiscard]] FieldType reading(const TextColumn& column, const FieldReader& fields) const {
    if (has_other_decimal && !has_plain_text) throw InvalidInput(fields.complaint_of_decimals(column));
    if (has_text) return FieldType::texts;
    if (has_number) return FieldType::numbers;
    return has_word ? FieldType::texts : FieldType::undecided;
  }
};

}  // namespace

TextReader::TextReader(ByteSource bytes, const TextFormat& format, const ColumnSelection& selection, Run run,
                       const ReaderSizes& sizes)
    : items_(format.form == TextFormat::Form::csv ? nullptr
                                                  : std::make_shared<JsonItems>(std::move(bytes), format.form)),
      window_(items_ ? ByteSource([items = items_](std::span<char> room) { return items->read(room); })
                     : std::move(bytes)),
      run_(std::move(run)),
      sizes_(sizes),
      n_pieces_(pieces_at_once(run_)),
      wanted_(n_pieces_ * sizes.piece) {
  check_format(format);
  fill(sizes_.stretch);
  if (const FileKind kind = kind_of_file(window_.text()); !kind.name.empty())
    throw InvalidInput(
        fmt::format("the file must be a text table (CSV or JSON lines); it is {}. {}", kind.name, kind.remedy));
  if (window_.text().starts_with("\xEF\xBB\xBF")) window_.drop(3);
  is_json_ = items_ && items_->kind() != JsonItems::Kind::csv;
  choice_.emplace(selection);
  if (is_json_)
    begin_json(format, *choice_);
  else
    begin_csv(format, *choice_);
  decide_types();
}

void TextReader::fill(std::size_t size) {
  window_.fill(size, [&] { system::check_cancelled(run_); });
}

void TextReader::begin_csv(const TextFormat& format, const ColumnChoice& choice) {
  std::optional<CsvHeader> header;
  for (std::size_t size = sizes_.stretch; !header; size *= 2) {
    fill(std::min(size, sizes_.longest_row + 1));
    const std::string_view text = window_.text();
    if (window_.is_final() && text.find_first_not_of("\r\n") == std::string_view::npos)
      throw InvalidInput(format.has_header
                             ? "a CSV file must begin with a header row of column names; the file is empty."
                             : "a CSV file must have at least one row; the file is empty.");
    header = read_csv_header(cut(text, Cutting::as_a_whole).front(), format, window_.position());
    if (!header && text.size() > sizes_.longest_row) refuse_long_row();
  }
  choice.check_header(header->names);
  add_columns(header->names, choice);
  window_.drop(header->n_bytes);
  n_lines_ = header->n_lines;
  delimiter_ = header->delimiter;
  fields_ = FieldReader(format.decimal, format.missing);
  format_ = csv_rows(header->delimiter, fields_, format.skip_bad_rows);
}

void TextReader::begin_json(const TextFormat& format, const ColumnChoice& choice) {
  if (!format.has_header)
    throw InvalidInput("a JSON file names its columns in every row; use --no-header for CSV files only.");
  const JsonForm form = items_->kind() == JsonItems::Kind::array ? JsonForm::items : JsonForm::lines;
  std::vector<std::string> keys = keys_of(window_.text(), form, format.skip_bad_rows);
  if (window_.is_final() && window_.text().find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InvalidInput(!items_->mistake().empty() ? items_->mistake()
                       : form == JsonForm::items
                           ? "a JSON array must have at least one object; it is empty."
                           : "a file of JSON lines must have one object per line; the file is empty.");
  choice.check_keys(keys);
  for (const std::string& name : choice.asked_for())
    if (std::ranges::find(keys, name) == keys.end()) keys.push_back(name);
  add_columns(keys, choice);
  fields_ = FieldReader('.', format.missing);
  format_ = json_rows(choice, fields_, form, format.skip_bad_rows);
}

void TextReader::add_columns(const std::vector<std::string>& names, const ColumnChoice& choice) {
  for (const std::string& name : names) {
    columns_.push_back(choice.column(name));
    if (!choice.is_named(name)) not_in_schema_.push_back(name);
  }
  words_.resize(columns_.size());
  const auto is_read = [](const TextColumn& column) { return column.reading != FieldType::skipped; };
  if (const auto n = std::ranges::count_if(columns_, is_read); static_cast<std::size_t>(n) > most_columns)
    throw InvalidInput(
        fmt::format("a table must have at most {} columns; got {}. Exclude columns with --ignore, or name those to "
                    "read with --columns.",
                    most_columns, n));
}

std::vector<TextPiece> TextReader::cut(std::string_view text, Cutting cutting) const {
  const std::size_t enough = (n_pieces_ + 1) * sizes_.piece;
  std::vector<std::size_t> ends;
  if (cutting == Cutting::into_pieces) ends = format_.cuts(text.substr(0, enough), sizes_.piece);
  if (ends.empty() || text.size() <= enough) ends.push_back(text.size());
  std::vector<TextPiece> pieces;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    pieces.push_back({.begin = text.data() + begin,
                      .end = text.data() + end,
                      .limit = text.data() + text.size(),
                      .is_final = window_.is_final()});
    begin = end;
  }
  return pieces;
}

TextReader::Round TextReader::read_pieces(std::string_view text, Cutting cutting) {
  const std::vector<TextPiece> pieces = cut(text, cutting);
  while (batches_.size() < pieces.size()) batches_.push_back(std::make_unique<RowBatch>());
  const Run silent{.threads = run_.threads, .cancel = run_.cancel};
  system::parallel_for(pieces.size(), silent, "",
                       [&](std::size_t i, unsigned /*worker*/) { format_.read(pieces[i], columns_, *batches_[i]); });
  Round round;
  for (const TextPiece& piece : pieces) {
    const RowBatch& batch = *batches_[round.n_batches++];
    round.is_over = batch.refusal.has_value();
    round.lost_quotes = batch.lost_quotes;
    if (piece.begin + batch.n_bytes != piece.end || round.is_over || round.lost_quotes) break;
  }
  return round;
}

void TextReader::decide_types() {
  const auto is_undecided = [](const TextColumn& column) { return column.reading == FieldType::undecided; };
  if (std::ranges::none_of(columns_, is_undecided)) return;
  std::vector<Evidence> evidence(columns_.size());
  std::string_view text = window_.text();
  for (Round round; !text.empty() && !round.is_over;) {
    round = read_pieces(text, round.lost_quotes ? Cutting::as_a_whole : Cutting::into_pieces);
    std::size_t n_bytes = 0;
    for (std::size_t i = 0; i < round.n_batches; ++i) {
      const RowBatch& batch = *batches_[i];
      n_bytes += batch.n_bytes;
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (is_undecided(columns_[c])) evidence[c].add(batch, batch.columns[c]);
    }
    if (n_bytes == 0) break;
    text.remove_prefix(n_bytes);
  }
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (is_undecided(columns_[c])) columns_[c].reading = evidence[c].reading(columns_[c], fields_);
}

bool TextReader::add_new_keys(const RowBatch& batch) {
  add_columns(batch.new_keys, *choice_);
  return !batch.new_keys.empty();
}

bool TextReader::decide_late(const RowBatch& batch) {
  std::size_t first_row = BatchColumn::none;
  std::vector<std::pair<std::size_t, FieldType>> found(columns_.size(), {BatchColumn::none, FieldType::undecided});
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].reading != FieldType::undecided) continue;
    const std::size_t number = first_number(batch, batch.columns[c]);
    const std::size_t text = std::min(batch.columns[c].first_text, batch.columns[c].first_word);
    found[c] = {std::min(number, text), number < text ? FieldType::numbers : FieldType::texts};
    first_row = std::min(first_row, found[c].first);
  }
  if (first_row == BatchColumn::none) return false;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (found[c].first == first_row) columns_[c].reading = found[c].second;
  return true;
}

std::size_t TextReader::accept(const Round& round) {
  std::size_t n_bytes = 0;
  for (n_ready_ = 0; n_ready_ < round.n_batches; ++n_ready_) {
    const RowBatch& batch = *batches_[n_ready_];
    if (add_new_keys(batch) || decide_late(batch)) return n_bytes;  // read again with what is now known
    const auto message = [&](const Complaint& words) {
      return message_of(words, n_lines_, window_.position() + n_bytes);
    };
    if (batch.first_bad && n_bad_rows_ == 0) first_bad_row_ = message(*batch.first_bad);
    if (batch.refusal) refusal_ = message(*batch.refusal);
    n_bad_rows_ += batch.n_bad_rows;
    for (std::size_t c = 0; c < columns_.size(); ++c) words_[c].add(batch.columns[c]);
    nested_.add(batch.nested);
    sparseness_.add(batch.sparseness);
    n_lines_ += batch.n_lines;
    n_bytes += batch.n_bytes;
  }
  return n_bytes;
}

bool TextReader::read_round() {
  system::check_cancelled(run_);
  fill(wanted_);
  if (run_.on_progress) run_.on_progress({"reading", window_.position(), 0});
  const std::string_view text = window_.text();
  if (text.empty()) return false;
  const Round round = read_pieces(text, cutting_);
  next_batch_ = next_row_ = 0;
  const std::size_t n_bytes = accept(round);
  const bool is_read_again = n_ready_ < round.n_batches;
  cutting_ = round.lost_quotes && !is_read_again ? Cutting::as_a_whole : Cutting::into_pieces;
  window_.drop(n_bytes);
  wanted_ = n_pieces_ * sizes_.piece;
  if (n_bytes > 0 || is_read_again || round.is_over) return true;
  if (text.size() > sizes_.longest_row) refuse_long_row();
  wanted_ = std::max(wanted_, std::min(2 * text.size(), sizes_.longest_row + 1));
  return true;
}

std::optional<Table> TextReader::next() {
  for (;;) {
    for (; next_batch_ < n_ready_; ++next_batch_, next_row_ = 0) {
      const RowBatch& batch = *batches_[next_batch_];
      const std::size_t begin = next_row_;
      if (begin == batch.n_rows) continue;
      next_row_ = std::min(batch.n_rows, begin + sizes_.most_rows);
      has_given_ = true;
      const std::uint64_t first_row = std::exchange(n_given_rows_, n_given_rows_ + next_row_ - begin);
      return table_of(batch).rows(begin, next_row_).numbered_from(first_row);
    }
    if (refusal_) throw InvalidInput(*refusal_);
    if (read_round()) continue;
    if (items_ && !items_->mistake().empty()) throw InvalidInput(items_->mistake());
    return has_given_ ? std::nullopt : std::optional(empty_table());
  }
}

Table TextReader::read_line(std::string_view line, std::uint64_t number) {
  line_.assign(line);
  line_ += '\n';
  const std::size_t size = line_.size();
  line_.append(values::lookahead, '\0');
  const TextPiece piece{
      .begin = line_.data(), .end = line_.data() + size, .limit = line_.data() + size, .is_final = true};
  do {
    format_.read(piece, columns_, line_batch_);
    for (const std::optional<Complaint>& wrong : {line_batch_.first_bad, line_batch_.refusal})
      if (wrong) throw InvalidInput(message_of(*wrong, number - 1, 0));
    if (line_batch_.n_rows != 1) throw InvalidInput(fmt::format("line {}: must contain one row; it is empty.", number));
    if (!line_batch_.new_keys.empty())
      throw InvalidInput(fmt::format("line {}: its keys must occur in the first text; got a new one, '{}'.", number,
                                     values::excerpt(line_batch_.new_keys.front())));
  } while (decide_late(line_batch_));
  return table_of(line_batch_).numbered_from(number - 1);
}

void TextReader::Words::add(const BatchColumn& column) {
  n_values += column.n_words;
  words.merge(column.words);
}

std::vector<MissingByWords> TextReader::missing_by_words() const {
  std::vector<MissingByWords> found;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (words_[c].n_values > 0) found.push_back({columns_[c].name, words_[c].words.text(), words_[c].n_values});
  return found;
}

std::vector<NestedValues> TextReader::nested_values() const {
  std::vector<NestedValues> found;
  for (const auto& [key, n_values] : nested_.by_key()) found.push_back({key, n_values});
  return found;
}

std::vector<std::string> TextReader::undecided() const {
  std::vector<std::string> names;
  for (const TextColumn& column : columns_)
    if (column.reading == FieldType::undecided) names.push_back(column.name);
  return names;
}

Table TextReader::empty_table() {
  has_given_ = true;
  if (batches_.empty()) batches_.push_back(std::make_unique<RowBatch>());
  batches_.front()->clear(columns_, 1);
  return table_of(*batches_.front());
}

Table TextReader::table_of(const RowBatch& batch) const {
  std::vector<Column> views;
  for (std::size_t c = 0; c < batch.columns.size(); ++c) {  // later batches may have further columns
    const BatchColumn& column = batch.columns[c];
    if (column.numbers != nullptr) views.push_back({columns_[c].name, column.numbers});
    if (column.texts == nullptr) continue;
    views.push_back(Column::of_texts(columns_[c].name, column.texts));
    views.back().decimal = fields_.decimal();
  }
  return {batch.n_rows, std::move(views)};
}

void TextReader::refuse_long_row() const {
  throw InvalidInput(
      fmt::format("line {}, byte {}: a row must be at most {} bytes long; got more. Is a quote left open?",
                  n_lines_ + 1, window_.position(), sizes_.longest_row));
}

}  // namespace pidforest::reader
