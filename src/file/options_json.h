// SPDX-License-Identifier: Apache-2.0
// Options as JSON: an object with one key per declared option.
#pragma once

#include <string>
#include <string_view>

#include "pidforest/options.h"

namespace pidforest::file {

/// Writes every option in the order of declaration: numbers as numbers, words as texts. Equal options give equal text.
std::string to_json(const Options& options);

/// The inverse of to_json. A missing option has its default. Throws InvalidInput or InvalidOption for any other
/// document, for an unknown option, and for a value that is not allowed.
Options parse_options(std::string_view json);

}  // namespace pidforest::file
