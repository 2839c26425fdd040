// SPDX-License-Identifier: Apache-2.0
// Options as JSON: an object with one key per declared option.
#pragma once

#include <string>
#include <string_view>

#include "pidforest/options.h"

namespace pidforest::file {

/// Writes the options in the order of declaration: numbers as numbers, words as texts. Options that came with version
/// 1.2 are left out if they are off. Equal options give equal text.
std::string to_json(const Options& options);
/// Whether the text has an option or a value that came with version 1.2.
bool has_later_options(const Options& options);

/// The inverse of to_json. A missing option has its default, or is off if it came with version 1.2. Throws InvalidInput
/// or InvalidOption for any other document, for an unknown option, and for a value that is not allowed.
Options parse_options(std::string_view json);

}  // namespace pidforest::file
