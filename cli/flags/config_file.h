// SPDX-License-Identifier: Apache-2.0
// Flags from a file: --config pidforest.toml, in which every flag is a key.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "flags/cli11.h"

namespace pidforest::cli {

/// Adds --config to a verb; `file` must live as long as it does. ConfiguredWords reads it before the command line is
/// parsed.
void add_config_flag(CLI::App& verb, std::string& file);

/// The words of a command line, with those that the file of --config adds.
class ConfiguredWords {
 public:
  /// `words` begin with the verb. Flags that they have are not taken from the file. Throws FileError, and InvalidOption
  /// for a key or section that is not a flag or verb, with the line.
  ConfiguredWords(const CLI::App& app, std::vector<std::string> words);

  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }
  /// The complaint, with the file and line of the flag that it names, if that comes from the file.
  [[nodiscard]] std::string with_place(const std::string& complaint) const;

 private:
  struct Added {
    std::string flag;
    std::size_t line;
  };

  std::string path_;
  std::vector<std::string> words_;
  std::vector<Added> added_;
};

/// A file with a comment for each flag of the verbs that take --config; `verb` chooses one of them.
std::string example_config(CLI::App& app, const std::string& verb);

}  // namespace pidforest::cli
