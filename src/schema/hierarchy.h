// SPDX-License-Identifier: Apache-2.0
// A category's levels in branches: the order in which the levels of every branch lie side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pidforest/schema.h"

namespace pidforest::schema {

/// Levels first, then branches, each after all that is below it; the last is the whole.
struct Hierarchy {
  /// The code of each level, in the order of the schema's levels.
  std::vector<std::uint32_t> codes;
  /// The branch above each level and branch; the whole is its own.
  std::vector<std::uint32_t> parents;
  /// Of the branches beyond the levels. The whole has the name of the only branch without a parent, or "" above
  /// several.
  std::vector<std::string> branch_names;
};

/// Walks the branches depth first, children in the order in which the schema's levels first mention them; branches that
/// hold no level are left out. Throws InvalidInput for a level without a parent and for one that is a branch.
Hierarchy make_hierarchy(const ColumnSchema& schema);

/// What is below a branch but no branch itself, in the order of `parents`.
std::vector<std::string> leaves_of(const ColumnSchema& schema);

}  // namespace pidforest::schema
