// SPDX-License-Identifier: Apache-2.0
#include "reader/csv_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "pidforest/error.h"
#include "reader/csv_rows.h"
#include "reader/csv_scanner.h"
#include "values/excerpt.h"
#include "values/read_text.h"
#include "values/utf8.h"

namespace pidforest::reader {

namespace {

/// Returns the candidate that occurs most often outside quotes; the first of equals, and the first of all if none
/// occurs.
char most_frequent(std::string_view row, std::string_view candidates) {
  std::array<std::size_t, 256> n_found{};
  bool is_quoted = false;
  for (const char c : row) {
    if (c == '"') is_quoted = !is_quoted;
    if (c == '\n' && !is_quoted) break;
    if (!is_quoted) ++n_found[static_cast<unsigned char>(c)];
  }
  return *std::ranges::max_element(candidates, {}, [&](char c) { return n_found[static_cast<unsigned char>(c)]; });
}

/// Reads the names one by one and rejects the first invalid one.
class HeaderReader {
 public:
  HeaderReader(const TextPiece& piece, char delimiter, bool has_names, std::uint64_t first_byte)
      : piece_(piece),
        delimiter_(delimiter),
        has_names_(has_names),
        first_byte_(first_byte),
        scanner_(piece, delimiter) {}

  std::optional<CsvHeader> read() {
    CsvHeader header{.delimiter = delimiter_};
    for (FieldEnd end = FieldEnd::delimiter; end != FieldEnd::row;) {
      begin_ = scanner_.at();
      line_ = scanner_.n_lines();
      const CsvField field = scanner_.next();
      end = field.end;
      if (end == FieldEnd::incomplete) return std::nullopt;
      check(field);
      const std::size_t number = header.names.size() + 1;
      header.names.push_back(has_names_ ? checked_name(field, number) : fmt::format("column{}", number));
    }
    if (!has_names_) return header;
    header.n_bytes = static_cast<std::size_t>(scanner_.at() - piece_.begin);
    header.n_lines = scanner_.n_lines();
    return header;
  }

 private:
  void check(const CsvField& field) const {
    if (field.bad_byte != BadByte::none) refuse(std::string(complaint_of_byte(field.bad_byte)));
    if (field.end <= FieldEnd::row) return;
    const char* const place = field.end == FieldEnd::after_quote ? scanner_.at() : begin_;
    refuse(complaint_of_end(field.end, delimiter_, {place, piece_.limit}));
  }

  std::string checked_name(const CsvField& field, std::size_t number) {
    const std::string_view text = values::trimmed(field.text);
    const std::string name = field.is_quoted ? with_single_quotes(text) : std::string(text);
    if (name.empty())
      refuse(
          fmt::format("every column must have a name; column {} has none. Name it in the header row, or use "
                      "--no-header if the first row is data.",
                      number));
    if (!values::is_utf8(name))
      refuse(fmt::format("column names must be UTF-8; got '{}'. Save the file as UTF-8.", values::excerpt(name)));
    if (!seen_.insert(name).second)
      refuse(
          fmt::format("column names must differ; got '{}' twice. Rename one of the two, or use --no-header if the "
                      "first row is data.",
                      values::excerpt(name)));
    return name;
  }

  [[noreturn]] void refuse(const std::string& words) const {
    const Complaint complaint{line_, static_cast<std::size_t>(begin_ - piece_.begin), "", words};
    throw InvalidInput(message_of(complaint, 0, first_byte_));
  }

  TextPiece piece_;
  char delimiter_;
  bool has_names_;
  std::uint64_t first_byte_;
  CsvScanner scanner_;
  std::unordered_set<std::string> seen_;
  const char* begin_ = nullptr;
  std::size_t line_ = 0;
};

}  // namespace

void check_format(const TextFormat& format) {
  if (format.decimal != '.' && format.decimal != ',')
    throw InvalidOption(
        fmt::format("decimal must be '.' or ','; got '{}'.", values::excerpt(std::string_view(&format.decimal, 1))));
  if (!format.delimiter) return;
  const char c = *format.delimiter;
  constexpr std::string_view allowed = ",;\t |:!#$%&*/<=>?@^_~";
  if (allowed.find(c) == std::string_view::npos)
    throw InvalidOption(fmt::format(
        "delimiter must be a comma, a semicolon, a tab, a space or one of {}; got '{}'. Letters, digits, signs, quotes "
        "and points can be part of a field.",
        allowed.substr(4), values::excerpt(std::string_view(&c, 1))));
  if (c == format.decimal) throw InvalidOption(fmt::format("delimiter and decimal must differ; both are '{}'.", c));
}

std::optional<CsvHeader> read_csv_header(const TextPiece& piece, const TextFormat& format, std::uint64_t first_byte) {
  const std::string_view candidates = format.decimal == ',' ? ";\t|" : ",\t;|";
  const char delimiter = format.delimiter ? *format.delimiter : most_frequent({piece.begin, piece.limit}, candidates);
  return HeaderReader(piece, delimiter, format.has_header, first_byte).read();
}

}  // namespace pidforest::reader
