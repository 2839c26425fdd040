// SPDX-License-Identifier: Apache-2.0
// Completion scripts for shells, generated from the declared flags.
#pragma once

#include <string>
#include <vector>

#include "flags/declarations.h"

namespace pidforest::cli {

std::string bash_completion(const DeclaredVerb& command, const std::vector<DeclaredVerb>& verbs);
std::string zsh_completion(const DeclaredVerb& command, const std::vector<DeclaredVerb>& verbs);
std::string fish_completion(const DeclaredVerb& command, const std::vector<DeclaredVerb>& verbs);

}  // namespace pidforest::cli
