// SPDX-License-Identifier: Apache-2.0
// The buffered part of a byte stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "pidforest/reader.h"

namespace pidforest::reader {

class ByteWindow {
 public:
  explicit ByteWindow(ByteSource source) : source_(std::move(source)) {}

  /// The buffered bytes. If no more bytes follow, they end with a line end. The `lookahead` bytes after them are zero.
  [[nodiscard]] std::string_view text() const { return {bytes_.get() + begin_, end_ - begin_}; }
  [[nodiscard]] bool is_final() const { return is_final_; }
  /// Position of the text in the stream.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::uint64_t n_bytes_read() const { return n_bytes_read_; }

  /// Drops the first `n` bytes of the text. They stay readable until the next `fill`.
  void drop(std::size_t n) {
    begin_ += n;
    position_ += n;
  }

  /// Reads until `size` bytes are buffered or the stream ends. Before every read it calls the function, which may throw
  /// to cancel.
  void fill(std::size_t size, const std::function<void()>& check_cancelled);

 private:
  void make_room(std::size_t size);

  ByteSource source_;
  std::unique_ptr<char[]> bytes_;  // NOLINT(modernize-avoid-c-arrays): a vector would be filled before it is read into
  std::size_t n_bytes_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t n_bytes_read_ = 0;
  bool is_final_ = false;
};

}  // namespace pidforest::reader
