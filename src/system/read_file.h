// SPDX-License-Identifier: Apache-2.0
// Reads files into memory, no more of them than needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "pidforest/reader.h"

namespace pidforest::system {

/// Appends bytes of the source until there are `size` bytes or the source ends. Memory grows with the bytes read, not
/// with `size`. Throws what the source throws.
void read_up_to(const ByteSource& source, std::uint64_t size, std::string& bytes);

/// Reads the first `n_first` bytes of a file, or all if it has fewer, asks `size_of` for the size of the file, and
/// continues up to its end or one byte beyond that size, which is enough to tell that the file is longer. Throws
/// FileError if it cannot be opened or read, and what `size_of` throws.
std::string read_file(const std::string& path, std::size_t n_first,
                      const std::function<std::uint64_t(std::string_view first_bytes)>& size_of);

/// Whether the path leads to a file of any kind. Throws FileError if the path cannot be followed.
bool exists(const std::string& path);

/// The size of a regular file; nullopt for a pipe or a device, or if it is not known.
std::optional<std::uint64_t> file_size(const std::string& path);

}  // namespace pidforest::system
