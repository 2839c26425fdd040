// SPDX-License-Identifier: Apache-2.0
// Corrects the size and the checksums of a changed model file, so that the change itself is tested.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "file/crc32c.h"
#include "file/little_endian.h"
#include "file/sections.h"

namespace pidforest {

/// See docs/file_format.md for the layout.
inline std::string with_fixed_checksums(std::string bytes) {
  constexpr std::size_t entry_size = 40;
  if (bytes.size() < file::header_size) return bytes;
  const auto put = [&](std::size_t at, auto number) {
    std::string text;
    file::append_little_endian(text, number);
    bytes.replace(at, text.size(), text);
  };
  const auto part = [&](std::uint64_t at, std::uint64_t size) {
    return at > bytes.size() ? std::string_view() : std::string_view(bytes).substr(at, size);
  };
  const std::size_t n_sections = std::min<std::size_t>(file::little_endian<std::uint32_t>(part(12, 4)),
                                                       (bytes.size() - file::header_size) / entry_size);
  for (std::size_t entry = file::header_size; entry < file::header_size + n_sections * entry_size; entry += entry_size)
    put(entry + 32, file::crc32c(part(file::little_endian<std::uint64_t>(part(entry + 16, 8)),
                                      file::little_endian<std::uint64_t>(part(entry + 24, 8)))));
  put(16, static_cast<std::uint64_t>(bytes.size()));
  put(24, file::crc32c(part(file::header_size, n_sections * entry_size)));
  put(28, file::crc32c(part(0, 28)));
  return bytes;
}

}  // namespace pidforest
