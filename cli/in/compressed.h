// SPDX-License-Identifier: Apache-2.0
// Decompresses gzip and zstd data.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pidforest::cli {

/// Fills the buffer from its beginning and returns the number of bytes; 0 at the end.
using ReadBytes = std::function<std::size_t(std::span<char>)>;

enum class Compression : unsigned char { none, gzip, zstd };

/// "gzip" or "zstd".
std::string_view name_of(Compression compression);

/// ".gz" or ".zst".
std::string_view suffix_of(Compression compression);

/// The compression that a file name ends with.
Compression compression_by_name(std::string_view name);

/// The compression that the first bytes show; four bytes are enough.
Compression compression_by_content(std::string_view first_bytes);

/// Decompresses all members or frames of `compressed`, one after the other. Messages call the file `name`. Throws
/// InvalidInput with the byte at which the data is damaged or truncated.
ReadBytes decompressed(Compression compression, ReadBytes compressed, std::string name);

}  // namespace pidforest::cli
