// SPDX-License-Identifier: Apache-2.0
#include "flags/suppression.h"

#include <fmt/format.h>

#include "in/input_file.h"
#include "pidforest/error.h"

namespace pidforest::cli {

KnownReasons read_known_reasons(const std::string& path, const Schema& schema, const Run& run) {
  if (path.empty()) return {};
  const std::string json = read_file(path, run);
  try {
    return {schema, json};
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", path, error.what()));
  }
}

void add_suppress_flag(CLI::App& verb, std::string& file) {
  verb.add_option("--suppress", file,
                  "a JSON file of reasons that are known, an array of witnesses or conditions; rows that one holds are "
                  "no anomalies")
      ->type_name("FILE");
}

}  // namespace pidforest::cli
