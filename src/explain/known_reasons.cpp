// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/explain.h.
#include <fmt/format.h>

#include "explain/condition.h"
#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "values/json.h"

namespace pidforest {

namespace {

using values::Json;
using values::JsonKind;

/// The conditions of a rule that is an array of them, or an object that has one.
std::vector<Condition> read_rule(const Json& rule) {
  const auto inner = rule.kind() == JsonKind::object ? rule.children().find("conditions") : std::optional(rule);
  if (!inner) throw InvalidInput("must have \"conditions\".");
  std::vector<Condition> conditions = explain::read_conditions(*inner);
  if (conditions.empty()) throw InvalidInput("must have at least one condition; without one it would match all rows.");
  return conditions;
}

}  // namespace

KnownReasons::KnownReasons(const Schema& schema, std::string_view json) {
  constexpr std::size_t deepest = 8;
  const values::JsonDocument document = values::parse_json({"rules", json, deepest});
  const Json rules(document);
  if (rules.kind() != JsonKind::array)
    throw InvalidInput(fmt::format("must be an array of rules; got {}.", describe(rules)));
  for (const values::JsonChild& rule : rules.children()) try {
      rules_.emplace_back(schema, read_rule(rule.value));
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("rule {}: {}", rules_.size() + 1, error.what()));
    }
}

std::vector<bool> KnownReasons::matches(const Table& table) const {
  std::vector<bool> any(table.n_rows(), false);
  for (const RowFilter& rule : rules_) {
    const std::vector<bool> inside = rule.matches(table);
    for (std::size_t i = 0; i < inside.size(); ++i) any[i] = any[i] || inside[i];
  }
  return any;
}

}  // namespace pidforest
