// SPDX-License-Identifier: Apache-2.0
// Pieces of columns in layouts that only Arrow has: bits, decimals, and texts by offsets or views.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "arrow/array_part.h"

namespace pidforest::arrow {

/// Numbers that are all missing.
ArrayPart part_of_nothing();
/// Booleans: row i has bit offset + i, counting from the lowest bit of each byte.
ArrayPart part_of_bits(const std::uint8_t* bits, std::size_t offset, const MissingRows& missing);

/// Signed little-endian integers of `n_bytes` bytes, each divided by ten to the power of `scale`.
struct Decimals {
  const std::byte* first = nullptr;
  std::size_t n_bytes = 0;
  int scale = 0;
};
/// Each value becomes the nearest double.
ArrayPart part_of_decimals(const Decimals& decimals, const MissingRows& missing);

/// Text i is in `bytes` from offset i up to but not including offset i + 1. `offsets` need not be aligned.
ArrayPart part_of_texts(const std::int32_t* offsets, const char* bytes, const MissingRows& missing);
ArrayPart part_of_texts(const std::int64_t* offsets, const char* bytes, const MissingRows& missing);

/// Sixteen bytes per text: its size, and then the text itself if it is short, otherwise a buffer number and an offset
/// in that buffer.
struct TextViews {
  const std::byte* first = nullptr;
  std::span<const void* const> buffers = {};
  /// The sizes of the buffers, in bytes.
  std::span<const std::int64_t> sizes = {};
};
ArrayPart part_of_text_views(const TextViews& views, const MissingRows& missing);

}  // namespace pidforest::arrow
