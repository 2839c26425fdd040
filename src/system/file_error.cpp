// SPDX-License-Identifier: Apache-2.0
#include "system/file_error.h"

#include <fmt/format.h>

#include <system_error>

namespace pidforest::system {

FileError file_error(std::string_view what, const std::string& path, int error) {
  return FileError(fmt::format("cannot {} '{}': {}.", what, path, std::generic_category().message(error)), error);
}

}  // namespace pidforest::system
