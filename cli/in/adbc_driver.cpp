// SPDX-License-Identifier: Apache-2.0
#include "in/adbc_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

constexpr std::size_t longest_message = 600;

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, longest_message)) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (line.ends_with(' ') || line.ends_with('.')) line.pop_back();
  return line;
}

std::string loader_message() {
  const char* message = dlerror();
  return on_one_line(message == nullptr ? "the loader gives no reason" : message);
}

adbc::AdbcInitialize entry_of(void* library, const std::string& file, const std::vector<std::string>& entries) {
  for (const std::string& entry : entries)
    if (void* found = dlsym(library, entry.c_str())) return reinterpret_cast<adbc::AdbcInitialize>(found);
  throw FileError(fmt::format("'{}' is not an ADBC driver for this database: it has none of the functions {}.", file,
                              fmt::join(entries, ", ")));
}

}  // namespace

/// Drivers of the version 1.0.0 refuse the later version.
LoadedDriver::LoadedDriver(const std::string& file, const std::vector<std::string>& entries) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw FileError(fmt::format("cannot load the driver '{}': {}.", file, loader_message()));
  const adbc::AdbcInitialize initialize = entry_of(library, file, entries);
  AdbcCall later;
  if (initialize(adbc::version_1_1_0, &functions_, later.error()) == adbc::ok) return;
  functions_ = {};
  AdbcCall first;
  if (initialize(adbc::version_1_0_0, &functions_, first.error()) != adbc::ok)
    throw FileError(fmt::format("the driver '{}' cannot be started: {}.", file, first.message()));
}

LoadedDriver::~LoadedDriver() {
  AdbcCall last;
  if (functions_.release != nullptr) functions_.release(&functions_, last.error());
}

bool is_loadable(const std::string& file) { return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr; }

AdbcCall::~AdbcCall() {
  if (error_.release != nullptr) error_.release(&error_);
}

std::string AdbcCall::message() const {
  const std::string line = on_one_line(error_.message == nullptr ? "" : error_.message);
  return line.empty() ? "it gives no reason" : line;
}

std::string AdbcCall::words_of(std::string_view deed) const {
  const std::string why = message();
  return fmt::format("the database cannot {}: {}{}", deed, why, why.ends_with('?') ? "" : ".");
}

void refuse_missing_function(std::string_view deed) {
  throw FileError(
      fmt::format("the driver of the database cannot {}: it lacks the function. Use a newer driver.", deed));
}

}  // namespace pidforest::cli
