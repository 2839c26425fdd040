// SPDX-License-Identifier: Apache-2.0
#include "flags/declarations.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

namespace pidforest::cli {

namespace {

std::vector<std::string> parts_of(const std::string& type) {
  std::vector<std::string> parts;
  std::istringstream rest(type);
  for (std::string part; std::getline(rest, part, '|');) parts.push_back(part);
  return parts;
}

bool is_word(const std::string& part) {
  return std::ranges::all_of(part, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

DeclaredFlag declared(const CLI::Option& option) {
  DeclaredFlag flag{.names = {},
                    .is_positional = option.get_positional(),
                    .is_required = option.get_required(),
                    .type = option.get_items_expected_max() == 0 ? "" : option.get_type_name(),
                    .help = option.get_description(),
                    .group = option.get_group()};
  if (flag.is_positional) flag.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  return flag;
}

}  // namespace

std::vector<std::string> DeclaredFlag::words() const {
  std::vector<std::string> words = parts_of(type);
  std::erase_if(words, [](const std::string& part) { return !is_word(part); });
  return words;
}

bool DeclaredFlag::takes_file() const {
  return std::ranges::any_of(
      parts_of(type), [](const std::string& part) { return part == "FILE" || part == "MODEL" || part == "PATH"; });
}

DeclaredVerb declared_command(const CLI::App& app) {
  DeclaredVerb verb{.name = app.get_name(), .help = app.get_description(), .footer = app.get_footer(), .flags = {}};
  for (const CLI::Option* option : app.get_options()) verb.flags.push_back(declared(*option));
  return verb;
}

std::vector<DeclaredVerb> declared_verbs(const CLI::App& app) {
  std::vector<DeclaredVerb> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(declared_command(*verb));
  return verbs;
}

}  // namespace pidforest::cli
