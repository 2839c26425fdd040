// SPDX-License-Identifier: Apache-2.0
#include "schema/hierarchy.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "pidforest/error.h"
#include "values/excerpt.h"

namespace pidforest::schema {

namespace {

/// The levels of a hierarchy and the branches above them. Nodes are numbered by first appearance.
class Branches {
 public:
  explicit Branches(const ColumnSchema& schema) {
    above_.reserve(schema.parents.size());
    for (const auto& [below, above] : schema.parents) above_.emplace(below, above);
    for (const std::string& level : schema.levels) {
      if (!above_.contains(level))
        throw InvalidInput(
            fmt::format("column '{}': every level must have a parent; got none for '{}'. Add it to parents.",
                        values::excerpt(schema.name), values::excerpt(level)));
      levels_.push_back(mention(level));
    }
    join_tops();
  }

  [[nodiscard]] const std::vector<std::uint32_t>& levels() const { return levels_; }
  [[nodiscard]] const std::vector<std::uint32_t>& children(std::uint32_t node) const { return children_[node]; }
  [[nodiscard]] std::string_view name(std::uint32_t node) const { return names_[node]; }
  [[nodiscard]] std::uint32_t whole() const { return whole_; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  /// Adds a level and those of its ancestors that are new. Returns the level's node.
  std::uint32_t mention(std::string_view level) {
    const auto [first, first_is_new] = ids_.emplace(level, size());
    if (!first_is_new) return first->second;
    const std::uint32_t level_node = add(level);
    for (std::uint32_t node = level_node;;) {
      const auto above = above_.find(names_[node]);
      if (above == above_.end()) {
        tops_.push_back(node);
        return level_node;
      }
      const auto [parent, is_new] = ids_.emplace(above->second, size());
      const std::uint32_t parent_node = is_new ? add(above->second) : parent->second;
      children_[parent_node].push_back(node);
      if (!is_new) return level_node;
      node = parent_node;
    }
  }

  std::uint32_t add(std::string_view name) {
    names_.push_back(name);
    children_.emplace_back();
    return static_cast<std::uint32_t>(names_.size() - 1);
  }

  void join_tops() {
    whole_ = tops_.size() == 1 ? tops_.front() : add("");
    if (tops_.size() != 1) children_[whole_] = tops_;
  }

  std::unordered_map<std::string_view, std::string_view> above_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
  std::vector<std::string_view> names_;
  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<std::uint32_t> levels_;
  std::vector<std::uint32_t> tops_;
  std::uint32_t whole_ = 0;
};

/// Returns the root and all nodes below it, each after all of its descendants.
std::vector<std::uint32_t> children_first(const Branches& branches) {
  struct Step {
    std::uint32_t node;
    std::size_t n_children_done;
  };
  std::vector<std::uint32_t> order;
  std::vector<Step> path{{branches.whole(), 0}};
  while (!path.empty()) {
    auto& [node, n_done] = path.back();
    if (n_done == branches.children(node).size()) {
      order.push_back(node);
      path.pop_back();
    } else {
      path.push_back({branches.children(node)[n_done++], 0});
    }
  }
  return order;
}

/// Returns the position of every node: the levels first, in the given order, then the branches.
std::vector<std::uint32_t> places_of(const Branches& branches, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> places(branches.size());
  std::uint32_t next = 0;
  for (const bool are_branches : {false, true})
    for (const std::uint32_t node : order)
      if (branches.children(node).empty() != are_branches) places[node] = next++;
  return places;
}

/// Throws InvalidInput for a level that is a branch, that is repeated, or that a cycle keeps apart from the root.
void check_levels(const ColumnSchema& schema, const Branches& branches, const std::vector<std::uint32_t>& order) {
  std::unordered_set<std::uint32_t> reached(order.begin(), order.end());
  for (const std::uint32_t level : branches.levels())
    if (!branches.children(level).empty() || reached.erase(level) == 0)
      throw InvalidInput(fmt::format("column '{}': a level must be named once and must not be a branch; got '{}'.",
                                     values::excerpt(schema.name), values::excerpt(branches.name(level))));
}

}  // namespace

Hierarchy make_hierarchy(const ColumnSchema& schema) {
  if (schema.levels.empty()) return {};
  const Branches branches(schema);
  const std::vector<std::uint32_t> order = children_first(branches);
  check_levels(schema, branches, order);
  const std::vector<std::uint32_t> places = places_of(branches, order);
  Hierarchy hierarchy;
  for (const std::uint32_t level : branches.levels()) hierarchy.codes.push_back(places[level]);
  hierarchy.parents.resize(order.size());
  hierarchy.parents.back() = places[branches.whole()];
  for (const std::uint32_t node : order) {
    for (const std::uint32_t child : branches.children(node)) hierarchy.parents[places[child]] = places[node];
    if (!branches.children(node).empty()) hierarchy.branch_names.emplace_back(branches.name(node));
  }
  return hierarchy;
}

std::vector<std::string> leaves_of(const ColumnSchema& schema) {
  std::unordered_set<std::string_view> branches;
  for (const auto& [below, above] : schema.parents) branches.insert(above);
  std::vector<std::string> leaves;
  for (const auto& [below, above] : schema.parents)
    if (!branches.contains(below)) leaves.push_back(below);
  return leaves;
}

}  // namespace pidforest::schema
