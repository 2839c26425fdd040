// SPDX-License-Identifier: Apache-2.0
#include "reader/file_kind.h"

#include <algorithm>
#include <array>

#include "values/read_text.h"

namespace pidforest::reader {

namespace {

using std::string_view_literals::operator""sv;

constexpr auto kinds = std::to_array<FileKind>({
    {"\x1F\x8B"sv, "a gzip file", "Unpack it with gunzip."},
    {"\x28\xB5\x2F\xFD"sv, "a zstd file", "Unpack it with unzstd."},
    {"\xFD\x37zXZ\0"sv, "an xz file", "Unpack it with unxz."},
    {"BZh"sv, "a bzip2 file", "Unpack it with bunzip2."},
    {"PK\x03\x04"sv, "a zip file", "Unpack it, or name it .zip if it has one member."},
    {"PK\x05\x06"sv, "an empty zip file", "Give the table file itself."},
    {"\xD0\xCF\x11\xE0"sv, "an old Office file, such as Excel's .xls", "Save the sheet as CSV."},
    {"\x89PIDF"sv, "a pidforest model file", "Give the table to read: pidforest score MODEL FILE."},
    {"PAR1"sv, "a Parquet file", "Convert it to CSV."},
    {"ARROW1"sv, "an Arrow file", "Convert it to CSV."},
    {"\x89HDF"sv, "an HDF5 file", "Convert it to CSV."},
    {"\x93NUMPY"sv, "a NumPy array", "Convert it to CSV."},
    {"\x80\x02"sv, "a Python pickle", "Save the table as CSV."},
    {"\x80\x03"sv, "a Python pickle", "Save the table as CSV."},
    {"\x80\x04"sv, "a Python pickle", "Save the table as CSV."},
    {"\x80\x05"sv, "a Python pickle", "Save the table as CSV."},
    {"%PDF-"sv, "a PDF", "Export its table as CSV."},
    {"SQLite format 3\0"sv, "an SQLite database", "Export the table: sqlite3 -csv -header FILE 'select ...'."},
    {"\xFF\xFE"sv, "text in UTF-16", "Save it as UTF-8."},
    {"\xFE\xFF"sv, "text in UTF-16", "Save it as UTF-8."},
});

/// UTF-16 without a byte order mark: every other byte of Latin letters is zero.
bool looks_like_utf16(std::string_view begin) {
  if (begin.size() < 4) return false;
  const bool is_little = begin[0] != 0 && begin[1] == 0 && begin[2] != 0 && begin[3] == 0;
  const bool is_big = begin[0] == 0 && begin[1] != 0 && begin[2] == 0 && begin[3] != 0;
  return is_little || is_big;
}

/// A zip file whose first member is one of a workbook.
bool looks_like_workbook(std::string_view begin) {
  constexpr std::size_t header_size = 30;
  if (!begin.starts_with("PK\x03\x04") || begin.size() < header_size) return false;
  const std::string_view name = begin.substr(header_size);
  return name.starts_with("[Content_Types].xml") || name.starts_with("xl/") || name.starts_with("_rels/") ||
         name.starts_with("docProps/");
}

std::string_view without_blanks_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool looks_like_html(std::string_view begin) {
  begin = without_blanks_before(begin);
  return values::is_word(begin.substr(0, 9), "<!doctype") || values::is_word(begin.substr(0, 5), "<html");
}

bool is_text(std::string_view bytes) {
  return std::ranges::none_of(
      bytes, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r'; });
}

}  // namespace

FileKind kind_of_file(std::string_view begin) {
  if (looks_like_workbook(begin))
    return {"", "an Excel workbook", "Save its sheet as CSV: libreoffice --headless --convert-to csv FILE."};
  const auto found = std::ranges::find_if(kinds, [&](const FileKind& kind) { return begin.starts_with(kind.bytes); });
  if (found != kinds.end()) return *found;
  if (looks_like_utf16(begin)) return {"", "text in UTF-16", "Save it as UTF-8."};
  if (looks_like_html(begin)) return {"", "an HTML page", "Download the file itself, not the page about it."};
  return {};
}

std::string_view kind_of_text(std::string_view begin) {
  if (!is_text(begin)) return "";
  if (begin.starts_with("\xEF\xBB\xBF")) begin.remove_prefix(3);
  begin = without_blanks_before(begin);
  if (begin.empty()) return "only white space";
  if (begin[0] == '{' || begin[0] == '[') return "JSON";
  const std::string_view line = begin.substr(0, begin.find('\n'));
  return line.find_first_of(",;\t|") == std::string_view::npos ? "text" : "a text table, such as CSV";
}

}  // namespace pidforest::reader
