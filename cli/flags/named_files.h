// SPDX-License-Identifier: Apache-2.0
// The files that the flags of a verb name, and the check that no output destroys an input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pidforest::cli {

/// A file and the flag or argument that names it. An empty path: the flag is not given. "-" is standard input or
/// output.
struct NamedFile {
  std::string_view flag;
  std::string path;
};

/// All files of a verb. Every verb that writes a file checks them here before it opens the first one.
struct VerbFiles {
  std::vector<NamedFile> inputs = {};
  /// Written completely or not at all.
  std::vector<NamedFile> outputs = {};
  /// Written piece by piece, as a stream does.
  std::vector<NamedFile> growing = {};

  /// Throws InvalidOption if two inputs are standard input, or if an output is an input or another output, whatever
  /// links lead to it; FileError if an output cannot be written. Changes no file.
  void check() const;
};

}  // namespace pidforest::cli
