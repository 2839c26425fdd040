// SPDX-License-Identifier: Apache-2.0
// Options as JSON: an object with one key per declared option.
#pragma once

#include <string>
#include <string_view>

#include "pidforest/options.h"

namespace pidforest::file {

/// Writes options in the order of declaration: numbers as numbers, words as texts. Equal options give equal text. Options
/// that format 1.1 did not have are left out if the forest is as it was without them.
std::string to_json(const Options& options);

/// Whether format 1.1 can express the options.
bool are_before_1_2(const Options& options);

/// The inverse of to_json. An option that older files lack has the value that leaves their models as they were. Throws InvalidInput or InvalidOption for any other
/// document, for an unknown option, and for a value that is not allowed.
Options parse_options(std::string_view json);

}  // namespace pidforest::file
