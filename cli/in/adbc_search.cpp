// SPDX-License-Identifier: Apache-2.0
#include "in/adbc_search.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "in/input_file.h"
#include "in/manifest.h"
#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

/// The names of an entry function, with that of the manifest first if it has one.
std::vector<std::string> entries_of(DatabaseKind kind, const std::string& own = "") {
  std::vector<std::string> entries;
  if (!own.empty()) entries.push_back(own);
  if (kind == DatabaseKind::duckdb) entries.emplace_back("duckdb_adbc_init");
  if (kind == DatabaseKind::sqlite) entries.emplace_back("AdbcDriverSqliteInit");
  if (kind == DatabaseKind::postgresql) entries.emplace_back("AdbcDriverPostgresqlInit");
  entries.emplace_back("AdbcDriverInit");
  return entries;
}

std::string usual_library(DatabaseKind kind) {
  return kind == DatabaseKind::duckdb ? "libduckdb.so" : fmt::format("libadbc_driver_{}.so", name_of(kind));
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The folders that may have manifests, in the order of the ADBC specification.
std::vector<std::string> manifest_folders() {
  std::vector<std::string> folders;
  std::istringstream given(environment("ADBC_DRIVER_PATH"));
  for (std::string folder; std::getline(given, folder, ':');)
    if (!folder.empty()) folders.push_back(folder);
  for (const char* of_python : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const std::string base = environment(of_python); !base.empty()) folders.push_back(base + "/etc/adbc/drivers");
  if (const std::string base = environment("XDG_CONFIG_HOME"); !base.empty())
    folders.push_back(base + "/adbc/drivers");
  else if (const std::string home = environment("HOME"); !home.empty())
    folders.push_back(home + "/.config/adbc/drivers");
  folders.emplace_back("/etc/adbc/drivers");
  return folders;
}

std::optional<std::string> found_manifest(DatabaseKind kind) {
  for (const std::string& folder : manifest_folders()) {
    std::string file = fmt::format("{}/{}.toml", folder, name_of(kind));
    if (access(file.c_str(), R_OK) == 0) return file;
  }
  return std::nullopt;
}

DriverLibrary library_of(DatabaseKind kind, const std::string& file) {
  return file.ends_with(".toml") ? read_manifest(file, kind) : DriverLibrary{file, entries_of(kind)};
}

std::unique_ptr<LoadedDriver> loaded(const DriverLibrary& library) {
  return std::make_unique<LoadedDriver>(library.file, library.entries);
}

std::string_view what_to_install(DatabaseKind kind) {
  switch (kind) {
    case DatabaseKind::duckdb:
      return "libduckdb.so of DuckDB";
    case DatabaseKind::sqlite:
      return "the ADBC driver for SQLite (PyPI adbc-driver-sqlite, conda libadbc-driver-sqlite)";
    default:
      return "the ADBC driver for PostgreSQL (PyPI adbc-driver-postgresql, conda libadbc-driver-postgresql)";
  }
}

[[noreturn]] void refuse_missing(DatabaseKind kind) {
  throw FileError(fmt::format(
      "no driver for {0} is installed. Install {1}: `scripts/bootstrap sources` does it in a clone, and `dbc install "
      "{0}` anywhere. Or name its library with --driver FILE or in {2}.",
      name_of(kind), what_to_install(kind), driver_variable(kind)));
}

}  // namespace

std::string driver_variable(DatabaseKind kind) {
  switch (kind) {
    case DatabaseKind::duckdb:
      return "PIDFOREST_DUCKDB_DRIVER";
    case DatabaseKind::sqlite:
      return "PIDFOREST_SQLITE_DRIVER";
    default:
      return "PIDFOREST_POSTGRESQL_DRIVER";
  }
}

DriverLibrary read_manifest(const std::string& file, DatabaseKind kind) {
  const Run run;
  const ManifestEntries found = parse_manifest(read_input(file, run));
  if (found.library.empty())
    throw FileError(fmt::format("the driver manifest '{}' must name a library in Driver.shared for {}; it does not.",
                                file, this_platform()));
  return {.file = found.library, .entries = entries_of(kind, found.entry)};
}

/// The loader's own message would not say what to install, so a library that is not there is not tried.
std::unique_ptr<LoadedDriver> load_driver(DatabaseKind kind, const std::string& given) {
  if (!given.empty()) return loaded(library_of(kind, given));
  if (const std::string named = environment(driver_variable(kind).c_str()); !named.empty())
    return loaded(library_of(kind, named));
  if (const auto manifest = found_manifest(kind)) return loaded(read_manifest(*manifest, kind));
  if (!is_loadable(usual_library(kind))) refuse_missing(kind);
  return loaded({usual_library(kind), entries_of(kind)});
}

}  // namespace pidforest::cli
