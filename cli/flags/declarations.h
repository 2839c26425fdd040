// SPDX-License-Identifier: Apache-2.0
// What the command line offers, as it was declared: what completion and the manual page are made from.
//
// The type of a flag says what may follow: FILE or MODEL is the name of a file, words in small letters stand for
// themselves ("auto|none"), other capitals for what nobody can list ("N", "COL").
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pidforest::cli {

struct DeclaredFlag {
  /// "--top", "-o,--output"; of a positional its name: "FILE".
  std::vector<std::string> names;
  bool is_positional;
  bool is_required;
  /// Empty for a flag that takes no value.
  std::string type;
  std::string help;
  std::string group;

  /// The words that may follow.
  [[nodiscard]] std::vector<std::string> words() const;
  [[nodiscard]] bool takes_file() const;
};

struct DeclaredVerb {
  std::string name;
  std::string help;
  /// What its help ends with.
  std::string footer;
  std::vector<DeclaredFlag> flags;
};

/// The verbs in their order, each with its flags in theirs.
std::vector<DeclaredVerb> declared_verbs(const CLI::App& app);

/// The command itself as if it were a verb: its name, flags and footer.
DeclaredVerb declared_command(const CLI::App& app);

}  // namespace pidforest::cli
