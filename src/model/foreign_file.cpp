// SPDX-License-Identifier: Apache-2.0
#include "model/foreign_file.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pidforest {

namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view beginning;
  std::string_view kind;
};

constexpr std::array<Signature, 16> signatures{{
    {"\x89PIDF"sv, "seems to be a model file that was changed on its way, as if it were text"sv},
    {"\x80\x02"sv, "seems to be a Python pickle"sv},
    {"\x80\x03"sv, "seems to be a Python pickle"sv},
    {"\x80\x04"sv, "seems to be a Python pickle"sv},
    {"\x80\x05"sv, "seems to be a Python pickle"sv},
    {"PK\x03\x04"sv, "seems to be a zip archive"sv},
    {"PK\x05\x06"sv, "seems to be a zip archive"sv},
    {"\x1F\x8B"sv, "seems to be compressed with gzip; decompress it first"sv},
    {"\x28\xB5\x2F\xFD"sv, "seems to be compressed with zstd; decompress it first"sv},
    {"BZh"sv, "seems to be compressed with bzip2; decompress it first"sv},
    {"\xFD\x37zXZ"sv, "seems to be compressed with xz; decompress it first"sv},
    {"PAR1"sv, "seems to be a Parquet file"sv},
    {"ARROW1"sv, "seems to be an Arrow file"sv},
    {"\x89HDF"sv, "seems to be an HDF5 file"sv},
    {"%PDF"sv, "seems to be a PDF document"sv},
    {"\x93NUMPY"sv, "seems to be a NumPy array"sv},
}};

bool is_text(std::string_view bytes) {
  return std::ranges::none_of(
      bytes, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r'; });
}

std::string_view kind_of_text(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "holds nothing but white space";
  if (text[first] == '{' || text[first] == '[') return "seems to be JSON";
  if (text[first] == '<') return "seems to be HTML or XML";
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.find_first_of(",;\t") == std::string_view::npos ? "seems to be text"
                                                              : "seems to be a table of text, such as CSV";
}

}  // namespace

std::string seeming_kind(std::string_view first_bytes) {
  if (first_bytes.empty()) return "is empty";
  for (const auto& [beginning, kind] : signatures)
    if (first_bytes.starts_with(beginning)) return std::string(kind);
  return std::string(is_text(first_bytes) ? kind_of_text(first_bytes)
                                          : "is of another kind or damaged at its beginning");
}

}  // namespace pidforest
