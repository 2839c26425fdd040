// SPDX-License-Identifier: Apache-2.0
// The values of all declared flags of a verb, whether they were given or not.
#pragma once

#include <map>
#include <string>

#include "flags/cli11.h"

namespace pidforest::cli {

/// By the name of the flag ("--top"; "FILE" for an argument), its value as text. A flag without a value is "on" if it
/// was given; a flag that is neither given nor has a default is empty. Call it after parsing.
std::map<std::string, std::string> flag_values(CLI::App& verb);

}  // namespace pidforest::cli
