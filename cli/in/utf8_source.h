// SPDX-License-Identifier: Apache-2.0
// Text of any common encoding as UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pidforest/reader.h"

namespace pidforest::cli {

enum class Encoding : unsigned char {
  automatic,     ///< UTF-8, in which bytes that are not UTF-8 are Windows-1252; UTF-16 if the first bytes say so
  utf8,          ///< passed on as it is
  utf16,         ///< little endian unless a byte order mark says big endian
  windows_1252,  ///< Latin-1 with more characters
};

/// "auto", "utf-8", "utf-16" or "latin-1". Throws InvalidOption for another word.
Encoding parse_encoding(std::string_view word);

class Utf8Source {
 public:
  Utf8Source(ByteSource source, Encoding encoding);

  /// The next bytes of UTF-8; 0 is the end.
  std::size_t read(std::span<char> room);

  /// What was converted, in words for people; empty if nothing was that `encoding` did not declare.
  [[nodiscard]] std::string note() const;

 private:
  std::size_t read_valid(std::span<char> room);
  std::size_t drain(std::span<char> room);
  void take_more();
  /// Converts as much of `raw_` as is complete; at the end of the input all of it.
  void convert(bool is_at_end);
  std::size_t convert_mixed(std::string_view raw, bool is_at_end);
  std::size_t convert_utf16(std::string_view raw, bool is_at_end);
  std::size_t convert_windows(std::string_view raw);
  /// Decides what automatic means, and skips the byte order mark of UTF-16. Files that are no text stay as they are.
  void look_at_the_beginning();

  ByteSource source_;
  Encoding declared_;
  Encoding encoding_;
  bool is_big_endian_ = false;
  bool has_begun_ = false;
  /// Bytes that were read and not converted.
  std::string raw_;
  /// Text that was converted and not read.
  std::string text_;
  std::uint64_t n_passed_ = 0;
  std::uint64_t n_not_utf8_ = 0;
  std::uint64_t first_not_utf8_ = 0;
};

}  // namespace pidforest::cli
