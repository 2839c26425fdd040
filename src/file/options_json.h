// SPDX-License-Identifier: Apache-2.0
// Options as JSON: an object with a key per declared option.
#pragma once

#include <string>
#include <string_view>

#include "pidforest/options.h"

namespace pidforest::file {

/// Every option in the order of its declaration: numbers as numbers, words as texts. Equal options have equal text.
std::string to_json(const Options& options);

/// Reads it back. An option that is not there has its default. Throws InvalidInput or InvalidOption for what is no such
/// document, for a key that is no option, and for a value that is not allowed.
Options parse_options(std::string_view json);

}  // namespace pidforest::file
