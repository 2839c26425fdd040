// SPDX-License-Identifier: Apache-2.0
// The stretch of a stream of bytes that is at hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "pidforest/reader.h"

namespace pidforest::reader {

class ByteWindow {
 public:
  explicit ByteWindow(ByteSource source) : source_(std::move(source)) {}

  /// What is at hand. Ends with a line end if no more is to come; behind it `lookahead` bytes are zero.
  [[nodiscard]] std::string_view text() const { return {bytes_.data() + begin_, end_ - begin_}; }
  [[nodiscard]] bool is_final() const { return is_final_; }
  /// Where the text lies in the stream.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::uint64_t n_bytes_read() const { return n_bytes_read_; }

  /// Drops the first `n` bytes of the text, which stay readable until `fill`.
  void drop(std::size_t n) {
    begin_ += n;
    position_ += n;
  }

  /// Reads until `size` bytes are at hand or no more come; calls `breathe` before every read.
  void fill(std::size_t size, const std::function<void()>& breathe);

 private:
  void make_room(std::size_t size);

  ByteSource source_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t n_bytes_read_ = 0;
  bool is_final_ = false;
};

}  // namespace pidforest::reader
