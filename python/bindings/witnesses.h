// SPDX-License-Identifier: Apache-2.0
// Witnesses as Python sees them: by number, in words, as JSON and as SQL.
#pragma once

#include <string>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/schema.h"

namespace pidforest::python {

/// Raises ValueError for an unknown name.
SqlDialect dialect_of(const std::string& name);

struct Witnesses {
  Schema schema;
  std::vector<Witness> list;
  /// The words of each if it is the reason of a single row; else empty.
  std::vector<std::string> reasons = {};
};

}  // namespace pidforest::python
