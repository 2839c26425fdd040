// SPDX-License-Identifier: Apache-2.0
// The flag that names a file of known reasons.
#pragma once

#include <string>

#include "flags/cli11.h"
#include "pidforest/explain.h"
#include "pidforest/options.h"
#include "pidforest/schema.h"

namespace pidforest::cli {

/// Reads a file of rules for the schema of a model; there are none if `path` is empty. Throws FileError, or
/// InvalidInput that names the file and the rule.
KnownReasons read_known_reasons(const std::string& path, const Schema& schema, const Run& run);

/// Adds --suppress to a verb; `file` must live as long as it does.
void add_suppress_flag(CLI::App& verb, std::string& file);

}  // namespace pidforest::cli
