// SPDX-License-Identifier: Apache-2.0
#include "flags/suppression.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "in/input_file.h"
#include "pidforest/error.h"

namespace pidforest::cli {

KnownReasons read_known_reasons(const std::string& path, const Schema& schema, const Run& run) {
  if (path.empty()) return {};
  const std::string json = read_input(path, run);
  try {
    return {schema, json};
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", path, error.what()));
  }
}

void add_suppress_flag(CLI::App& verb, std::string& file) {
  verb.add_option("--suppress", file,
                  "JSON file with an array of witnesses or conditions; anomalies that match one of them are suppressed")
      ->type_name("FILE");
}

}  // namespace pidforest::cli
