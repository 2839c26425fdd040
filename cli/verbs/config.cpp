// SPDX-License-Identifier: Apache-2.0
// The verb `config`. Prints a file of flags to edit, for --config.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "flags/config_file.h"
#include "flags/unknown_words.h"
#include "out/output_file.h"
#include "pidforest/error.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

void add_config(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("config", "Print a file of flags to edit, for --config");
  const auto name = std::make_shared<std::string>();
  verb->add_option("COMMAND", *name, "the command; by default the file has a section for each")->type_name("COMMAND");
  verb->footer(
      "Example:\n  pidforest config detect > pidforest.toml\n  pidforest detect examples/fleet.csv --config "
      "pidforest.toml");
  verb->callback([&app, name] {
    const auto named = app.get_subcommands([&](const CLI::App* one) { return one->get_name() == *name; });
    if (!name->empty() && named.empty()) throw InvalidOption(unknown_verb_words(app, *name));
    write_stdout(example_config(app, *name));
  });
}

}  // namespace pidforest::cli
