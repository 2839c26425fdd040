// SPDX-License-Identifier: Apache-2.0
// The buffered events of a stream's warm-up as bytes: columns of numbers, texts and times, unchanged.
#pragma once

#include <string>
#include <string_view>

#include "pidforest/table.h"

namespace pidforest::stream {

std::string bytes_of_held(const TableStore& held);

/// Throws BadFile.
TableStore read_held(std::string_view all);

}  // namespace pidforest::stream
