// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "pidforest/error.h"

namespace pidforest::system {

/// "cannot open 'm.pidf': No such file or directory.", with the errno of the failed call.
FileError file_error(std::string_view what, const std::string& path, int error);

}  // namespace pidforest::system
