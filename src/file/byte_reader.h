// SPDX-License-Identifier: Apache-2.0
// Reads what was appended to bytes, in the same order, and never beyond their end.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "file/little_endian.h"
#include "pidforest/error.h"

namespace pidforest::file {

/// What it throws is BadFile.
class ByteReader {
 public:
  /// `section` is the name of what the bytes are, for messages. Views both.
  ByteReader(std::string_view bytes, std::string_view section) : bytes_(bytes), section_(section) {}

  template <class T>
  T take() {
    return little_endian<T>(take_bytes(sizeof(T)));
  }
  std::string_view take_text() { return take_bytes(take<std::uint64_t>()); }
  [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }

 private:
  std::string_view take_bytes(std::uint64_t n) {
    if (n > bytes_.size()) throw BadFile(fmt::format("its section '{}' ends too early.", section_));
    const std::string_view taken = bytes_.substr(0, n);
    bytes_.remove_prefix(n);
    return taken;
  }

  std::string_view bytes_;
  std::string_view section_;
};

}  // namespace pidforest::file
