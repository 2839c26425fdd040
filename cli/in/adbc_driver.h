// SPDX-License-Identifier: Apache-2.0
// Loads the library of an ADBC driver and calls its functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "in/adbc_abi.h"

namespace pidforest::cli {

class LoadedDriver {
 public:
  /// Loads the library `file`, a path or a name that the system's loader searches for, and calls the first of the
  /// `entries` that it exports. The library stays loaded until the process ends, because drivers leave threads behind.
  /// Throws FileError if it cannot be loaded or is no ADBC driver.
  LoadedDriver(const std::string& file, const std::vector<std::string>& entries);
  ~LoadedDriver();
  LoadedDriver(const LoadedDriver&) = delete;
  LoadedDriver& operator=(const LoadedDriver&) = delete;
  LoadedDriver(LoadedDriver&&) = delete;
  LoadedDriver& operator=(LoadedDriver&&) = delete;

  /// Drivers want to write to them.
  [[nodiscard]] adbc::AdbcDriver& functions() { return functions_; }

 private:
  adbc::AdbcDriver functions_ = {};
};

/// Whether the system's loader finds and loads a library.
bool is_loadable(const std::string& file);

/// An error struct for one call of a driver.
class AdbcCall {
 public:
  AdbcCall() = default;
  ~AdbcCall();
  AdbcCall(const AdbcCall&) = delete;
  AdbcCall& operator=(const AdbcCall&) = delete;
  AdbcCall(AdbcCall&&) = delete;
  AdbcCall& operator=(AdbcCall&&) = delete;

  [[nodiscard]] adbc::AdbcError* error() { return &error_; }
  /// The driver's message on one line, at most 600 bytes of it.
  [[nodiscard]] std::string message() const;
  /// Does nothing for the status `ok`. Throws Failure otherwise: "the database cannot <deed>: <message>".
  template <class Failure>
  void check(adbc::Status status, std::string_view deed) const {
    if (status != adbc::ok) throw Failure(words_of(deed));
  }

 private:
  [[nodiscard]] std::string words_of(std::string_view deed) const;

  adbc::AdbcError error_ = {};
};

/// Throws FileError that names the function.
[[noreturn]] void refuse_missing_function(std::string_view deed);

/// Calls a function of a driver, which may be missing from an incomplete one. Throws Failure if it fails: InvalidInput
/// for a query, FileError where the database cannot be opened or written.
template <class Failure, class Function, class... Arguments>
void call(std::string_view deed, Function function, Arguments... arguments) {
  if (function == nullptr) refuse_missing_function(deed);
  AdbcCall call;
  call.template check<Failure>(function(arguments..., call.error()), deed);
}

}  // namespace pidforest::cli
