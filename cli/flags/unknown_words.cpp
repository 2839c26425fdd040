// SPDX-License-Identifier: Apache-2.0
#include "flags/unknown_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "flags/declarations.h"
#include "values/nearest_word.h"

namespace pidforest::cli {

namespace {

std::vector<std::string> flags_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const DeclaredFlag& flag : declared_command(verb).flags)
    if (!flag.is_positional) names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

}  // namespace

std::string unknown_verb_words(const CLI::App& app, const std::string& word) {
  std::vector<std::string> verbs;
  for (const DeclaredVerb& verb : declared_verbs(app)) verbs.push_back(verb.name);
  return fmt::format("the command must be one of {}; got {}.{} See --help.", fmt::join(verbs, ", "),
                     word.empty() ? "nothing" : word, values::did_you_mean(word, verbs));
}

std::string unknown_argument_words(const CLI::App& app) {
  const bool is_of_command = !app.remaining().empty() || app.get_subcommands().empty();
  const CLI::App& verb = is_of_command ? app : *app.get_subcommands().front();
  const std::vector<std::string> left = verb.remaining();
  const auto flag = std::ranges::find_if(left, [](const std::string& word) { return word.starts_with('-'); });
  return fmt::format("{} does not take the argument{} {}.{} See --help.", verb.get_name(), left.size() == 1 ? "" : "s",
                     fmt::join(left, " "),
                     flag == left.end() ? "" : values::did_you_mean(flag->substr(0, flag->find('=')), flags_of(verb)));
}

}  // namespace pidforest::cli
