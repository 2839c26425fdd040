// SPDX-License-Identifier: Apache-2.0
// Reads values from bytes in the order in which they were appended, never past the end.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "file/little_endian.h"
#include "pidforest/error.h"

namespace pidforest::file {

/// All errors are thrown as BadFile.
class ByteReader {
 public:
  /// `section` names the bytes in messages. Both arguments must outlive the reader.
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
