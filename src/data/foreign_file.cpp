// SPDX-License-Identifier: Apache-2.0
#include "data/foreign_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/read_text.h"

namespace pidforest::data {

namespace {

using std::string_view_literals::operator""sv;

struct Signature {
  std::string_view bytes;
  std::string_view kind;
  std::string_view remedy;
};

constexpr auto signatures = std::to_array<Signature>({
    {"\x1F\x8B"sv, "a gzip file", "Unpack it with gunzip."},
    {"\x28\xB5\x2F\xFD"sv, "a zstd file", "Unpack it with unzstd."},
    {"\xFD\x37zXZ\0"sv, "an xz file", "Unpack it with unxz."},
    {"BZh"sv, "a bzip2 file", "Unpack it with bunzip2."},
    {"PK\x03\x04"sv, "a zip file, as Excel's .xlsx are", "Unpack it, or save the sheet as CSV."},
    {"\xD0\xCF\x11\xE0"sv, "an old Office file, as Excel's .xls are", "Save the sheet as CSV."},
    {"\x89PIDF"sv, "a pidforest model file", "Give the table to read: pidforest score MODEL FILE."},
    {"PAR1"sv, "a Parquet file", "Convert it to CSV."},
    {"ARROW1"sv, "an Arrow file", "Convert it to CSV."},
    {"%PDF-"sv, "a PDF", "Export its table as CSV."},
    {"SQLite format 3\0"sv, "an SQLite database", "Export the table: sqlite3 -csv -header FILE 'select ...'."},
    {"\xFF\xFE"sv, "text in UTF-16", "Save it as UTF-8."},
    {"\xFE\xFF"sv, "text in UTF-16", "Save it as UTF-8."},
});

/// Letters of UTF-16 without a byte order mark: every other byte is zero.
bool looks_like_utf16(std::string_view begin) {
  if (begin.size() < 4) return false;
  const bool is_little = begin[0] != 0 && begin[1] == 0 && begin[2] != 0 && begin[3] == 0;
  const bool is_big = begin[0] == 0 && begin[1] != 0 && begin[2] == 0 && begin[3] != 0;
  return is_little || is_big;
}

bool looks_like_html(std::string_view begin) {
  begin.remove_prefix(std::min(begin.find_first_not_of(" \t\r\n"), begin.size()));
  return is_word(begin.substr(0, 9), "<!doctype") || is_word(begin.substr(0, 5), "<html");
}

std::string message(std::string_view kind, std::string_view remedy) {
  return fmt::format("the file must be a table of text; it is {}. {}", kind, remedy);
}

}  // namespace

std::string foreign_file(std::string_view begin) {
  for (const Signature& signature : signatures)
    if (begin.starts_with(signature.bytes)) return message(signature.kind, signature.remedy);
  if (looks_like_utf16(begin)) return message("text in UTF-16", "Save it as UTF-8.");
  if (looks_like_html(begin)) return message("an HTML page", "Download the file itself, not the page about it.");
  return "";
}

}  // namespace pidforest::data
