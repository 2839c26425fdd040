// SPDX-License-Identifier: Apache-2.0
// Decompresses gzip, zstd, xz and bzip2 data, and zip archives with one member.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pidforest/reader.h"

namespace pidforest::cli {

enum class Compression : unsigned char { none, gzip, zstd, xz, bzip2, zip };

/// "gzip", "zstd", "xz", "bzip2", "zip".
std::string_view name_of(Compression compression);

/// ".gz", ".zst", ".xz", ".bz2", ".zip".
std::string_view suffix_of(Compression compression);

/// The command that decompresses its standard input: "gzip -d".
std::string_view command_of(Compression compression);

/// The compression that the end of a file name says.
Compression compression_by_name(std::string_view name);

/// The number of bytes that `compression_by_content` looks at.
inline constexpr std::size_t n_first_bytes = 4;

/// The compression that the first bytes say.
Compression compression_by_content(std::string_view first_bytes);

/// Decompresses the bytes of `compressed`, one member or frame after the other. Messages call the file `name`. The
/// source throws InvalidInput with the offset of the byte where the data are damaged or truncated.
ByteSource decompressed(Compression compression, ByteSource compressed, std::string name);

}  // namespace pidforest::cli
