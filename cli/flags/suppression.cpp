// SPDX-License-Identifier: Apache-2.0
#include "flags/suppression.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "in/input_file.h"
#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

Json read_rules(const std::string& path, const Run& run) {
  Json rules;
  try {
    rules = Json::parse(read_input(path, run));
  } catch (const Json::exception& error) {
    throw InvalidInput(fmt::format("{}: must be JSON; {}.", path, error.what()));
  }
  if (!rules.is_array())
    throw InvalidInput(fmt::format("{}: must be an array of rules; got {}.", path, rules.type_name()));
  return rules;
}

/// A rule is an array of conditions, or an object with the key "conditions", such as a witness.
const Json& conditions_of(const Json& rule) {
  if (!rule.is_object()) return rule;
  if (!rule.contains("conditions")) throw InvalidInput("must have \"conditions\".");
  return rule["conditions"];
}

}  // namespace

Suppression::Suppression(const std::string& path, const Schema& schema, const Run& run) {
  if (path.empty()) return;
  for (const Json& rule : read_rules(path, run)) try {
      const std::vector<Condition> conditions = parse_conditions(conditions_of(rule).dump());
      if (conditions.empty())
        throw InvalidInput("must have at least one condition; without one it would match all rows.");
      rules_.emplace_back(schema, conditions);
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{}: rule {}: {}", path, rules_.size() + 1, error.what()));
    }
}

std::vector<bool> Suppression::matches(const Table& batch) const {
  std::vector<bool> any(batch.n_rows(), false);
  for (const RowFilter& rule : rules_) {
    const std::vector<bool> inside = rule.matches(batch);
    for (std::size_t i = 0; i < inside.size(); ++i) any[i] = any[i] || inside[i];
  }
  return any;
}

void add_suppress_flag(CLI::App& verb, std::string& file) {
  verb.add_option("--suppress", file,
                  "JSON file with an array of witnesses or conditions; anomalies that match one of them are suppressed")
      ->type_name("FILE");
}

}  // namespace pidforest::cli
