// SPDX-License-Identifier: Apache-2.0
// Reads a schema from a file, and describes an inferred schema to the user.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pidforest/options.h"
#include "pidforest/schema.h"

namespace pidforest::cli {

/// Throws FileError, or InvalidInput that begins with the name of the file.
Schema read_schema(const std::string& path, const Run& run);

/// `names` are names or patterns.
Schema without_columns(Schema schema, const std::vector<std::string>& names);

/// The columns that become axes.
std::size_t n_used(const Schema& schema);

/// One line for each column that is not simply continuous, with the reason; a few at most, and how many more there are.
/// `file` is the name of the table as the user gave it.
std::vector<std::string> notes_of(const Schema& schema, const std::string& file);

/// "a, b, c", or the first few and how many more there are.
std::string list_of(const std::vector<std::string>& names);

}  // namespace pidforest::cli
