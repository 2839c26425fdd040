// SPDX-License-Identifier: Apache-2.0
// What the library throws: one class per kind of mistake, so that a caller can tell them apart.
#pragma once

#include <stdexcept>
#include <string>

namespace pidforest {

/// The base of everything this library throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option is out of its range, or options contradict each other.
class InvalidOption : public Error {
 public:
  using Error::Error;
};

/// The data cannot be used as asked: empty, infinite, a column is lacking, text where a number belongs.
class InvalidInput : public Error {
 public:
  using Error::Error;
};

/// A model file is damaged, forged, of a later format, or no model file at all; the message says which.
class BadFile : public Error {
 public:
  using Error::Error;
};

/// A file cannot be opened, read or written; the message says which and why.
class FileError : public Error {
 public:
  using Error::Error;
};

/// The caller's cancel flag was raised; nothing was changed.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

}  // namespace pidforest
