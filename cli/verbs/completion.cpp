// SPDX-License-Identifier: Apache-2.0
// The verb `completion`. Prints a script that teaches a shell the verbs, flags and words.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "flags/completion_scripts.h"
#include "flags/declarations.h"
#include "out/output_file.h"
#include "pidforest/error.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

std::string script_for(const std::string& shell, const CLI::App& app) {
  if (shell == "bash") return bash_completion(declared_command(app), declared_verbs(app));
  if (shell == "zsh") return zsh_completion(declared_command(app), declared_verbs(app));
  if (shell == "fish") return fish_completion(declared_command(app), declared_verbs(app));
  throw InvalidOption(fmt::format("SHELL must be one of bash, zsh, fish; got {}.", shell));
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("completion", "Print a completion script for a shell");
  const auto shell = std::make_shared<std::string>();
  verb->add_option("SHELL", *shell, "shell to print the script for")->type_name("bash|zsh|fish")->required();
  verb->footer(
      "For this session, in bash or zsh: source <(pidforest completion bash)\n"
      "Permanently: cmake --install copies it to where the shells look.\n\n"
      "Example:\n  pidforest completion bash");
  verb->callback([shell, &app] { write_stdout(script_for(*shell, app)); });
}

}  // namespace pidforest::cli
