// SPDX-License-Identifier: Apache-2.0
#include "schema/level_names.h"

#include <algorithm>

#include "schema/codec.h"
#include "schema/hierarchy.h"
#include "values/time.h"

namespace pidforest::schema {

bool LevelNames::apply_to(const ColumnSchema& schema, std::optional<Derivation> derivation) {
  if (schema.kind == Kind::time) return derivation == Derivation::day_of_week || derivation == Derivation::month;
  return schema.kind == Kind::boolean || is_of_levels(schema);
}

LevelNames::LevelNames(const ColumnSchema& schema, std::optional<Derivation> derivation) {
  if (schema.kind == Kind::time)
    names_ = derivation == Derivation::month
                 ? std::vector<std::string>(values::month_names.begin(), values::month_names.end())
                 : std::vector<std::string>(values::weekday_names.begin(), values::weekday_names.end());
  else if (schema.kind == Kind::boolean)
    names_ = {"false", "true"};
  else
    names_ = schema.levels;
  if (schema.kind == Kind::category && !schema.parents.empty()) add_branches(schema);
  for (std::uint32_t i = static_cast<std::uint32_t>(nodes_.size()); i < names_.size(); ++i)
    nodes_.push_back({i, i + 1, i});
  // A root without a name comes last and cannot be found by name.
  for (std::uint32_t node = 0; node < nodes_.size(); ++node)
    if (node < size() || !name(node).empty()) nodes_by_name_.emplace(name(node), node);
}

void LevelNames::add_branches(const ColumnSchema& schema) {
  const Hierarchy hierarchy = make_hierarchy(schema);
  for (std::size_t i = 0; i < hierarchy.codes.size(); ++i) names_[hierarchy.codes[i]] = schema.levels[i];
  branch_names_ = hierarchy.branch_names;
  const auto n_levels = static_cast<std::uint32_t>(size());
  for (std::uint32_t node = 0; node < hierarchy.parents.size(); ++node)
    nodes_.push_back({node < n_levels ? node : n_levels, node < n_levels ? node + 1 : 0, hierarchy.parents[node]});
  for (const Node& node : nodes_) {
    Node& above = nodes_[node.above];
    above.begin = std::min(above.begin, node.begin);
    above.end = std::max(above.end, node.end);
  }
}

std::string_view LevelNames::name(std::size_t node) const {
  return node < size() ? names_[node] : branch_names_[node - size()];
}

std::vector<std::string> LevelNames::names_of(const LevelSet& levels) const {
  std::vector<std::uint32_t> n_before{0};
  for (const bool is_in : levels) n_before.push_back(n_before.back() + (is_in ? 1 : 0));
  const auto has_name = [&](std::size_t node) { return node < size() || !name(node).empty(); };
  const auto is_whole = [&](std::size_t i) {
    const Node& node = nodes_[i];
    return has_name(i) && n_before[node.end] - n_before[node.begin] == node.end - node.begin;
  };
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (is_whole(i) && (nodes_[i].above == i || !is_whole(nodes_[i].above))) found.push_back(i);
  std::ranges::sort(found, {}, [&](std::size_t i) { return nodes_[i].begin; });
  std::vector<std::string> names;
  for (const std::size_t i : found) names.emplace_back(name(i));
  return names;
}

bool LevelNames::add(std::string_view name, LevelSet& levels) const {
  const auto found = nodes_by_name_.find(name);
  if (found == nodes_by_name_.end()) return false;
  const Node& node = nodes_[found->second];
  std::fill(levels.begin() + node.begin, levels.begin() + node.end, true);
  return true;
}

bool LevelNames::is_branch(std::string_view name) const {
  const auto found = nodes_by_name_.find(name);
  return found != nodes_by_name_.end() && found->second >= size();
}

}  // namespace pidforest::schema
