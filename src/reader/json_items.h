// SPDX-License-Identifier: Apache-2.0
// Turns the bytes of a JSON array into as many bytes of JSON lines, one line per item, while they are read. Bytes of
// anything else pass unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pidforest/reader.h"

namespace pidforest::reader {

class JsonItems {
 public:
  /// What the first bytes are.
  enum class Kind : std::uint8_t { unknown, csv, lines, array };

  /// `form` is json_lines, or any.
  JsonItems(ByteSource source, TextFormat::Form form) : source_(std::move(source)), form_(form) {}

  /// Reads like the source, up to a text after the end of the array.
  std::size_t read(std::span<char> room);

  /// At the end: says that the array does not end, or that a text follows its end. Otherwise empty.
  [[nodiscard]] const std::string& mistake() const { return mistake_; }

  /// Known after the first read.
  [[nodiscard]] Kind kind() const { return kind_; }

  /// Stands for a line end within an item or between items, so that lines of the file can still be counted.
  static constexpr char line_end = '\r';

 private:
  void begin();
  std::size_t turn(std::span<char> bytes);
  char turn_in_text(char c);
  char turn_outside(char c);

  ByteSource source_;
  TextFormat::Form form_;
  Kind kind_ = Kind::unknown;
  /// Bytes that `begin` has read.
  std::string first_;
  std::size_t depth_ = 0;
  bool is_in_text_ = false;
  bool is_escaped_ = false;
  bool is_over_ = false;
  std::uint64_t n_lines_ = 0;
  std::string mistake_;
};

}  // namespace pidforest::reader
