// SPDX-License-Identifier: Apache-2.0
// A whole file in memory, but never more of it than its beginning promises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pidforest::system {

/// Reads the first `n_first` bytes of a file, or all if it has fewer, asks `size_of` how long the file must be, and
/// reads on until its end or one byte beyond that size: enough to tell that it is longer. Throws FileError if it cannot
/// be opened or read, and what `size_of` throws.
std::string read_file(const std::string& path, std::size_t n_first,
                      const std::function<std::uint64_t(std::string_view first_bytes)>& size_of);

}  // namespace pidforest::system
