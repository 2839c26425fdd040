// SPDX-License-Identifier: Apache-2.0
// The levels of a category arranged in branches, ordered so that the levels of every branch are side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pidforest/schema.h"

namespace pidforest::schema {

/// The nodes are the levels, then the branches, each after all of its descendants; the last is the root.
struct Hierarchy {
  /// The code of each level, in the order of the schema's levels.
  std::vector<std::uint32_t> codes;
  /// The parent of each level and branch; the root is its own parent.
  std::vector<std::uint32_t> parents;
  /// The names of the branches, without the levels. The root has the name of the only branch without a parent, or ""
  /// above several such branches.
  std::vector<std::string> branch_names;
};

/// Walks the branches depth first, children in the order in which the schema's levels first mention them. Branches
/// without levels are left out. Throws InvalidInput for a level without a parent and for a level that is a branch.
Hierarchy make_hierarchy(const ColumnSchema& schema);

/// Returns the names that have a parent but no children, in the order of `parents`.
std::vector<std::string> leaves_of(const ColumnSchema& schema);

}  // namespace pidforest::schema
