// SPDX-License-Identifier: Apache-2.0
#include "flags/flag_values.h"

#include <CLI/CLI.hpp>

namespace pidforest::cli {

namespace {

std::string value_of(CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return option.count() > 0 ? "on" : "";
  // CLI11 makes this text from the bound variable, which has the given value by now.
  option.capture_default_str();
  return option.get_default_str();
}

}  // namespace

std::map<std::string, std::string> flag_values(CLI::App& verb) {
  std::map<std::string, std::string> values;
  for (CLI::Option* option : verb.get_options()) values[option->get_name()] = value_of(*option);
  return values;
}

}  // namespace pidforest::cli
