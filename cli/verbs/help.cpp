// SPDX-License-Identifier: Apache-2.0
// The verb `help`. Prints the help of the command, or of one of its verbs.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "flags/unknown_words.h"
#include "out/output_file.h"
#include "pidforest/error.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

std::string help_of(CLI::App& app, const std::string& name) {
  // App::help would print the help of the verb that was parsed, which is `help`.
  if (name.empty()) return app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
  const auto named = app.get_subcommands([&](const CLI::App* verb) { return verb->get_name() == name; });
  if (named.empty()) throw InvalidOption(unknown_verb_words(app, name));
  return named.front()->help(app.get_name());
}

}  // namespace

void add_help(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("help", "Print the help of a command");
  const auto name = std::make_shared<std::string>();
  verb->add_option("COMMAND", *name, "the command; by default all of them are listed")->type_name("COMMAND");
  verb->footer("Example:\n  pidforest help detect");
  verb->callback([&app, name] { write_stdout(help_of(app, *name)); });
}

}  // namespace pidforest::cli
