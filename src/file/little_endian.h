// SPDX-License-Identifier: Apache-2.0
// Numbers as little-endian bytes on every machine; arrays of numbers as views of the bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pidforest::file {

/// The unsigned integer type with the size of T.
template <class T>
using BitsOf = std::conditional_t<std::is_same_v<T, double>, std::uint64_t, T>;

template <class T>
void append_little_endian(std::string& bytes, T number) {
  const auto bits = std::bit_cast<BitsOf<T>>(number);
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(bits >> (8 * i) & 0xFFU);
}

/// Reads the number at the start of `bytes`, which must be long enough.
template <class T>
T little_endian(std::string_view bytes) {
  BitsOf<T> bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bits = static_cast<BitsOf<T>>(bits | static_cast<BitsOf<T>>(static_cast<unsigned char>(bytes[i])) << (8 * i));
  return std::bit_cast<T>(bits);
}

/// Appends a text as its length and its bytes.
inline void append_text(std::string& bytes, std::string_view text) {
  append_little_endian(bytes, static_cast<std::uint64_t>(text.size()));
  bytes += text;
}

/// A view of an array of numbers within a file.
template <class T>
class LittleEndianArray {
 public:
  LittleEndianArray() = default;
  explicit LittleEndianArray(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t size() const { return bytes_.size() / sizeof(T); }
  T operator[](std::size_t i) const { return little_endian<T>(bytes_.substr(i * sizeof(T), sizeof(T))); }
  /// A copy of the numbers from `begin` up to but not including `end`.
  [[nodiscard]] std::vector<T> copy(std::size_t begin, std::size_t end) const {
    std::vector<T> numbers;
    numbers.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i) numbers.push_back((*this)[i]);
    return numbers;
  }

 private:
  std::string_view bytes_;
};

}  // namespace pidforest::file
