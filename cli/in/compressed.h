// SPDX-License-Identifier: Apache-2.0
// Decompresses gzip and zstd data.
#pragma once

#include <string>
#include <string_view>

#include "pidforest/reader.h"

namespace pidforest::cli {

enum class Compression : unsigned char { none, gzip, zstd };

/// "gzip" or "zstd".
std::string_view name_of(Compression compression);

/// ".gz" or ".zst".
std::string_view suffix_of(Compression compression);

/// The compression that the end of a file name says.
Compression compression_by_name(std::string_view name);

/// The compression that the first bytes say; four bytes are enough.
Compression compression_by_content(std::string_view first_bytes);

/// Decompresses the bytes of `compressed`, one member or frame after the other. Messages call the file `name`. The
/// source throws InvalidInput with the offset of the byte where the data are damaged or truncated.
ByteSource decompressed(Compression compression, ByteSource compressed, std::string name);

}  // namespace pidforest::cli
