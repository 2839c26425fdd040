// SPDX-License-Identifier: Apache-2.0
// Complaints about words of the command line that are no verb or flag, with the nearest one that is.
#pragma once

#include <string>

#include "flags/cli11.h"

namespace pidforest::cli {

/// Lists the verbs. An empty word stands for a missing one.
std::string unknown_verb_words(const CLI::App& app, const std::string& word);

/// Names the arguments that the verb, or else the command itself, has not taken, in the order of the command line.
std::string unknown_argument_words(const CLI::App& app);

}  // namespace pidforest::cli
