// SPDX-License-Identifier: Apache-2.0
#include "reader/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reader/plain_rows.h"
#include "values/excerpt.h"
#include "values/number_words.h"
#include "values/utf8.h"

namespace pidforest::reader {

namespace {

/// Reads one piece of text into a batch.
class PieceReader {
 public:
  PieceReader(const TextPiece& piece, char delimiter, const FieldReader& fields, std::span<const TextColumn> columns,
              RowBatch& batch)
      : piece_(piece),
        delimiter_(delimiter),
        decimal_(fields.decimal()),
        fields_(fields),
        columns_(columns),
        batch_(batch),
        scanner_(piece, delimiter) {
    for (const TextColumn& column : columns)
      is_quick_.push_back(!fields.has_missing_numbers() && is_number(column.reading) ? 1 : 0);
  }

  void read(bool skip_bad_rows) {
    while (begin_row()) {
      const FieldEnd end = read_row();
      if (end == FieldEnd::incomplete) {
        batch_.forget_row();
        scanner_.move_to(row_begin_, row_line_);
        break;
      }
      if (complaint_)
        batch_.leave_out(std::move(*complaint_), skip_bad_rows && end != FieldEnd::open_quote);
      else
        ++batch_.n_rows;
      if (batch_.refusal || (batch_.lost_quotes && piece_.end != piece_.limit)) break;
    }
    batch_.n_bytes = offset(scanner_.at());
    batch_.n_lines = scanner_.n_lines();
  }

 private:
  [[nodiscard]] std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - piece_.begin); }

  /// At a blank line: returns true if nothing but blank lines is buffered, so that this one may not be a row. Skips
  /// them if the stream has ended.
  bool only_blank_lines_follow() {
    const auto is_line_end = [](char c) { return c == '\n' || c == '\r'; };
    if (!is_line_end(*scanner_.at()) || scanner_.at() < blank_until_) return false;
    blank_until_ = std::find_if_not(scanner_.at(), piece_.limit, is_line_end);
    if (blank_until_ != piece_.limit) return false;
    if (piece_.is_final) scanner_.move_to(piece_.limit, scanner_.n_lines());
    return true;
  }

  /// Reads plain numbers starting at a field, and all following rows of plain numbers that begin before `end`.
  RowPlace pass_numbers(const RowPlace& from, const char* end) {
    const RowPlace place = read_plain_rows({delimiter_, decimal_, is_quick_}, from, end, batch_.columns);
    scanner_.move_to(place.at, scanner_.n_lines() + place.row - from.row);
    return place;
  }

  /// Reads rows of plain numbers, and the leading numbers of the next row. Returns false if there is no next row.
  bool begin_row() {
    complaint_.reset();
    if (scanner_.at() >= piece_.end) return false;
    const RowPlace place = pass_numbers({scanner_.at(), scanner_.at(), 0, batch_.n_rows}, piece_.end);
    batch_.n_rows = place.row;
    row_begin_ = place.row_begin;
    row_line_ = scanner_.n_lines();
    first_column_ = place.column;
    return first_column_ > 0 || (row_begin_ < piece_.end && !only_blank_lines_follow());
  }

  /// Returns `row` at the end of a row, valid or not; `incomplete` or `open_quote` otherwise.
  FieldEnd read_row() {
    for (std::size_t c = first_column_; c < columns_.size(); c = next_column(c + 1)) {
      const char* const begin = scanner_.at();
      const std::size_t line = scanner_.n_lines();
      const CsvField field = scanner_.next();
      field_ = {.begin = begin, .line = line, .column = c};
      if (field.end >= FieldEnd::incomplete) return end_wrongly(field.end);
      if ((field.end == FieldEnd::row) != (c + 1 == columns_.size())) return end_ragged(field.end, c + 1);
      take(field);
    }
    return FieldEnd::row;
  }

  /// Reads plain numbers from column c on. Returns the first column that is not one, or the number of columns.
  std::size_t next_column(std::size_t c) {
    if (c == columns_.size()) return c;
    const RowPlace place = pass_numbers({scanner_.at(), row_begin_, c, batch_.n_rows}, scanner_.at());
    return place.row > batch_.n_rows ? columns_.size() : place.column;
  }

  void take(const CsvField& field) {
    const TextColumn& column = columns_[field_.column];
    if (field.bad_byte != BadByte::none) return complain(complaint_of_byte(field.bad_byte));
    if (column.reading == FieldType::skipped) return;
    if (column.reading == FieldType::texts) return take_text(field);
    const values::NumberReading reading = fields_.number(field.text);
    batch_.columns[field_.column].numbers[batch_.n_rows] = reading.value;
    if (reading.form == values::NumberReading::Form::word)
      return batch_.columns[field_.column].note_word(batch_.n_rows, values::trimmed(field.text));
    const bool is_good = reading.demand().empty();
    if (!is_good && !values::is_utf8(field.text)) return complain(complaint_of_utf8(column, text_of(field)));
    if (column.reading == FieldType::undecided) return note(field, reading);
    if (!is_good) complain(fields_.complaint_of_number(column, field.text, reading));
  }

  /// Records the evidence of a field for an undecided column. A nan and a number beyond the range of a double are
  /// stored as infinity: they too decide that the column has numbers, and the row is then read again.
  void note(const CsvField& field, const values::NumberReading& reading) {
    BatchColumn& column = batch_.columns[field_.column];
    if (reading.form == values::NumberReading::Form::no_number)
      column.note_text(batch_.n_rows, kind_of(field.text));
    else if (std::isnan(reading.value) && !fields_.is_missing(text_of(field)))
      column.numbers[batch_.n_rows] = std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] BatchColumn::TextKind kind_of(std::string_view text) const {
    if (fields_.may_have_thousands(text)) return BatchColumn::TextKind::thousands;
    return fields_.has_other_decimal(text) ? BatchColumn::TextKind::other_decimal : BatchColumn::TextKind::plain;
  }

  /// A bare field loses its surrounding blanks.
  static std::string_view text_of(const CsvField& field) {
    return field.is_quoted ? field.text : values::trimmed(field.text);
  }

  void take_text(const CsvField& field) {
    const std::string_view text = text_of(field);
    if (!values::is_utf8(text)) return complain(complaint_of_utf8(columns_[field_.column], text));
    std::string_view& taken = batch_.columns[field_.column].texts[batch_.n_rows];
    if (fields_.is_missing(text))
      taken = {};
    else
      taken = field.has_doubled_quotes ? batch_.made_texts.emplace_back(with_single_quotes(text)) : text;
  }

  /// Only the first complaint about the fields of a row is kept.
  void complain(std::string_view words) {
    if (!complaint_) complaint_ = {field_.line, offset(field_.begin), columns_[field_.column].name, std::string(words)};
  }

  FieldEnd end_ragged(FieldEnd end, std::size_t n_fields) {
    for (; end == FieldEnd::delimiter; ++n_fields) {
      field_ = {.begin = scanner_.at(), .line = scanner_.n_lines(), .column = columns_.size()};
      end = scanner_.next().end;
      if (end >= FieldEnd::incomplete) return end_wrongly(end);
    }
    complaint_ = {
        row_line_, offset(row_begin_), "",
        fmt::format("a row must have {}, like the first row; got {}. Quote a field that contains {}, or leave "
                    "such rows out with --on-bad-row skip.",
                    values::counted(columns_.size(), "field"), n_fields, with_article(delimiter_))};
    return end;
  }

  /// If the quotes are invalid, the row ends with its line.
  FieldEnd end_wrongly(FieldEnd end) {
    if (end == FieldEnd::incomplete) return end;
    const char* const place = end == FieldEnd::after_quote ? scanner_.at() : field_.begin;
    const std::size_t line = end == FieldEnd::open_quote ? field_.line : scanner_.n_lines();
    const std::string name = field_.column < columns_.size() ? columns_[field_.column].name : "";
    complaint_ = {line, offset(place), name, complaint_of_end(end, delimiter_, {place, piece_.limit})};
    if (end == FieldEnd::open_quote) return end;
    if (!scanner_.pass_line()) return FieldEnd::incomplete;
    batch_.lost_quotes = true;
    return FieldEnd::row;
  }

  /// The current field.
  struct Place {
    const char* begin = nullptr;
    std::size_t line = 0;
    std::size_t column = 0;
  };

  const TextPiece& piece_;
  char delimiter_;
  values::DecimalPoint decimal_;
  const FieldReader& fields_;
  std::span<const TextColumn> columns_;
  RowBatch& batch_;
  CsvScanner scanner_;
  std::vector<std::uint8_t> is_quick_;
  const char* blank_until_ = nullptr;
  const char* row_begin_ = nullptr;
  std::size_t row_line_ = 0;
  std::size_t first_column_ = 0;
  Place field_;
  std::optional<Complaint> complaint_;
};

/// Usually there is no quote, and finding that out is faster than counting.
bool has_odd_quotes(std::string_view text) {
  const std::size_t first = text.find('"');
  return first != std::string_view::npos && std::ranges::count(text.substr(first), '"') % 2 == 1;
}

/// Returns the position after the first line end outside quotes, starting at `place`; `is_open` says whether a quote is
/// open there.
std::size_t row_end(std::string_view text, std::size_t place, bool is_open) {
  for (; place < text.size(); ++place) {
    if (text[place] == '"') is_open = !is_open;
    if (text[place] == '\n' && !is_open) return place + 1;
  }
  return text.size();
}

/// Cuts at line ends with an even number of quotes before them. This is exact, because bare fields contain no quotes.
std::vector<std::size_t> cuts(std::string_view text, std::size_t distance) {
  std::vector<std::size_t> found;
  std::size_t counted = 0;
  for (std::size_t place = distance; place < text.size(); place = counted + distance) {
    counted = row_end(text, place, has_odd_quotes(text.substr(counted, place - counted)));
    if (counted < text.size()) found.push_back(counted);
  }
  return found;
}

}  // namespace

std::string with_article(char delimiter) {
  switch (delimiter) {
    case ',':
      return "a comma";
    case ';':
      return "a semicolon";
    case '\t':
      return "a tab";
    default:
      return fmt::format("a '{}'", values::excerpt({&delimiter, 1}));
  }
}

std::string with_single_quotes(std::string_view text) {
  std::string single;
  single.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    single.push_back(text[i]);
    if (text[i] == '"') ++i;
  }
  return single;
}

std::string complaint_of_end(FieldEnd end, char delimiter, std::string_view rest) {
  const auto shown = [&] { return values::excerpt(rest.substr(0, rest.find('\n'))); };
  switch (end) {
    case FieldEnd::stray_quote:
      return fmt::format(
          "quotes must enclose a whole field, or be doubled inside a quoted one; got '{}'. Quote the field and double "
          "the quotes in it.",
          shown());
    case FieldEnd::after_quote:
      return fmt::format(
          "a closing quote must be followed by {} or a line end; got '{}'. Double quotes inside a quoted field.",
          with_article(delimiter), values::excerpt(rest.substr(0, 1)));
    default:
      return fmt::format(
          "a field that begins with a quote must end with one; the file ends after '{}'. Close the quote, and "
          "double quotes inside the field.",
          shown());
  }
}

std::string_view complaint_of_byte(BadByte bad_byte) {
  if (bad_byte == BadByte::lone_cr) return "lines must end with LF or CRLF; got a lone CR. Convert the line ends.";
  return "must be text without NUL bytes; got one. Save the file as UTF-8, not UTF-16 or binary.";
}

RowFormat csv_rows(char delimiter, const FieldReader& fields, bool skip_bad_rows) {
  const auto read = [=](const TextPiece& piece, std::span<const TextColumn> columns, RowBatch& batch) {
    const auto n_bytes = static_cast<std::size_t>(piece.end - piece.begin);
    batch.clear(columns, n_bytes / columns.size() + 1);
    PieceReader(piece, delimiter, fields, columns, batch).read(skip_bad_rows);
  };
  return {.cuts = cuts, .read = read};
}

}  // namespace pidforest::reader
