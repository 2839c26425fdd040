// SPDX-License-Identifier: Apache-2.0
// Finds the library of an ADBC driver.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "in/adbc_driver.h"
#include "in/database_address.h"

namespace pidforest::cli {

/// The library of a driver and the names of its entry function, the likeliest first.
struct DriverLibrary {
  std::string file;
  std::vector<std::string> entries;
};

/// "PIDFOREST_DUCKDB_DRIVER": the environment variable that names the driver of such databases.
std::string driver_variable(DatabaseKind kind);

/// Reads a driver manifest, the TOML file that describes an installed driver. Throws FileError if it cannot be read, or
/// names no library for this machine.
DriverLibrary read_manifest(const std::string& file, DatabaseKind kind);

/// Loads the driver of such databases: `given` (a library or a manifest), or else the one that the environment variable
/// names, or else the first manifest of the ADBC search path, or else a library that the loader finds by its usual
/// name. Throws FileError that says what to install.
std::unique_ptr<LoadedDriver> load_driver(DatabaseKind kind, const std::string& given);

}  // namespace pidforest::cli
