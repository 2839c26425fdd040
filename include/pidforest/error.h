// SPDX-License-Identifier: Apache-2.0
// The exceptions of the library: one class per kind of mistake, so that a caller can tell them apart.
//
//   try {
//     pidforest::Options options;
//     pidforest::set_option(options, "max_depth", "0");
//   } catch (const pidforest::InvalidOption& error) {
//     std::cout << error.what();  // prints max_depth must be a whole number between 1 and 64; got 0.
//   }
#pragma once

#include <stdexcept>
#include <string>

namespace [[gnu::visibility("default")]] pidforest {

/// The base of every exception that this library throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option is out of its range, or two options contradict each other.
class InvalidOption : public Error {
 public:
  using Error::Error;
};

/// The data cannot be used: it is empty or infinite, a column is missing, or a text stands where a number belongs.
class InvalidInput : public Error {
 public:
  using Error::Error;
};

/// A model file is damaged, forged, of a later format, or not a model file; the message says which.
class BadFile : public Error {
 public:
  using Error::Error;
};

/// A file cannot be opened, read or written; the message says which file and why.
class FileError : public Error {
 public:
  /// `code` is the errno of the failed call, or 0 if none failed.
  explicit FileError(const std::string& message, int code = 0) : Error(message), code_(code) {}
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  int code_;
};

/// The caller raised `Run::cancel`. The call has changed nothing.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

}  // namespace pidforest
