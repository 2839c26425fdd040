// SPDX-License-Identifier: Apache-2.0
// The Parquet files that a name on the command line means.
#pragma once

#include <string>
#include <vector>

namespace pidforest::cli {

/// A file; a folder, which means its .parquet files and those of its partitions, folders such as year=2026; or a
/// pattern with * ? [ that means all files it matches. In the order of their names. Throws FileError if there is no
/// such file.
std::vector<std::string> parquet_files(const std::string& name);

/// The name as a pattern of DuckDB that matches only this name.
std::string as_pattern(const std::string& name);

}  // namespace pidforest::cli
