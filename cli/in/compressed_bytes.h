// SPDX-License-Identifier: Apache-2.0
// The compressed bytes that a decoder has not used yet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pidforest/reader.h"

namespace pidforest::cli {

/// A buffer of compressed bytes that counts the bytes used so far.
class CompressedBytes {
 public:
  /// Messages call the file `name` and its bytes "`format` data".
  CompressedBytes(ByteSource source, std::string name, std::string_view format)
      : source_(std::move(source)), name_(std::move(name)), format_(format) {}

  /// The buffered bytes. Reads more if there are none; empty at the end.
  std::span<char> buffered();
  void use(std::size_t n) {
    begin_ += n;
    n_used_ += n;
  }
  /// Uses the next `n` bytes and returns them. Throws InvalidInput at the end.
  std::string take(std::size_t n);

  /// Both throw InvalidInput with the number of the next byte.
  [[noreturn]] void refuse_damaged(std::string_view why) const;
  [[noreturn]] void refuse_cut() const;
  /// Throws InvalidInput about data that are whole but cannot be read: "NAME " and the words.
  [[noreturn]] void refuse(std::string_view words) const;

 private:
  ByteSource source_;
  std::string name_;
  std::string_view format_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 18);
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t n_used_ = 0;
};

}  // namespace pidforest::cli
