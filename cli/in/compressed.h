// SPDX-License-Identifier: Apache-2.0
// Compressed bytes in, the bytes that were compressed out: gzip and zstd.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pidforest::cli {

/// Fills the room from its beginning and says how much of it; 0 is the end.
using ReadBytes = std::function<std::size_t(std::span<char>)>;

enum class Compression : unsigned char { none, gzip, zstd };

/// "gzip" or "zstd".
std::string_view name_of(Compression compression);

/// ".gz" or ".zst".
std::string_view suffix_of(Compression compression);

/// What a name ends with says.
Compression compression_by_name(std::string_view name);

/// What the first bytes say; four are enough.
Compression compression_by_content(std::string_view first_bytes);

/// Reads what `compressed` holds, one member or frame after the other. `name` is what messages call the file. Throws
/// InvalidInput with the byte where the data are damaged or cut short.
ReadBytes decompressed(Compression compression, ReadBytes compressed, std::string name);

}  // namespace pidforest::cli
