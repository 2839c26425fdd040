// SPDX-License-Identifier: Apache-2.0
// The names of an axis' cells or codes and of their branches: describes sets of levels in as few words as possible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pidforest/schema.h"

namespace pidforest::schema {

/// Level i is in the set if element i is true.
using LevelSet = std::vector<bool>;

class LevelNames {
 public:
  /// True if the values of the column, or of the axis derived from it, have names.
  static bool apply_to(const ColumnSchema& schema, std::optional<Derivation> derivation);

  /// `apply_to` must be true and the schema complete.
  LevelNames(const ColumnSchema& schema, std::optional<Derivation> derivation);
  ~LevelNames() = default;
  LevelNames(const LevelNames&) = delete;
  LevelNames& operator=(const LevelNames&) = delete;

  /// The names of the levels, in the order of their codes.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

  /// Returns the levels and the largest complete branches that make up a set, in the order of codes.
  [[nodiscard]] std::vector<std::string> names_of(const LevelSet& levels) const;
  /// Adds a level, or all levels of a branch. Returns false for an unknown name.
  bool add(std::string_view name, LevelSet& levels) const;
  [[nodiscard]] bool is_branch(std::string_view name) const;

 private:
  /// The range of codes of a level or branch; `above` is its parent, and the root is its own parent.
  struct Node {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t above = 0;
  };

  void add_branches(const ColumnSchema& schema);
  [[nodiscard]] std::string_view name(std::size_t node) const;

  std::vector<std::string> names_;
  /// As in Hierarchy: levels first, then branches, each after all of its descendants. Only levels if there are no
  /// branches.
  std::vector<Node> nodes_;
  std::vector<std::string> branch_names_;
  std::unordered_map<std::string_view, std::uint32_t> nodes_by_name_;
};

}  // namespace pidforest::schema
