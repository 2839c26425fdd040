// SPDX-License-Identifier: Apache-2.0
// The words that mean "missing" by themselves among numbers or times, such as NA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pidforest::values {

/// A set of these words, however their letters are written.
class MissingWords {
 public:
  /// The place of a word in the list of all, or `none`. The text has no surrounding blanks.
  static std::size_t place_of(std::string_view text);
  static constexpr std::size_t none = ~std::size_t{0};
  static bool contain(std::string_view text) { return place_of(text) != none; }

  MissingWords() = default;
  explicit MissingWords(std::uint16_t bits);
  /// Adds one of the words.
  void add(std::string_view word) { bits_ |= static_cast<std::uint16_t>(1U << place_of(word)); }
  void merge(MissingWords other) { bits_ |= other.bits_; }

  [[nodiscard]] bool empty() const { return bits_ == 0; }
  /// Bit i stands for the word at place i.
  [[nodiscard]] std::uint16_t bits() const { return bits_; }
  /// "NA", or "NA and null": for messages.
  [[nodiscard]] std::string text() const;

 private:
  std::uint16_t bits_ = 0;
};

}  // namespace pidforest::values
