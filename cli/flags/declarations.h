// SPDX-License-Identifier: Apache-2.0
// The declared verbs and flags of the command line. Completion scripts and the manual page are generated from them.
//
// The type of a flag describes its value: FILE, MODEL and PATH are file names, lower-case words are literal values
// ("auto|none"), other capitals are free values ("N", "COL").
#pragma once

#include <string>
#include <vector>

#include "flags/cli11.h"

namespace pidforest::cli {

struct DeclaredFlag {
  /// "--top", "-o,--output"; for a positional argument its name: "FILE".
  std::vector<std::string> names;
  bool is_positional;
  bool is_required;
  /// Empty for a flag that takes no value.
  std::string type;
  std::string help;
  std::string group;

  /// The literal words that the flag accepts.
  [[nodiscard]] std::vector<std::string> words() const;
  [[nodiscard]] bool takes_file() const;
};

struct DeclaredVerb {
  std::string name;
  std::string help;
  /// The end of its help text.
  std::string footer;
  std::vector<DeclaredFlag> flags;
};

/// The verbs and their flags, in the order of declaration.
std::vector<DeclaredVerb> declared_verbs(const CLI::App& app);

/// The command itself as if it were a verb: its name, flags and footer.
DeclaredVerb declared_command(const CLI::App& app);

}  // namespace pidforest::cli
