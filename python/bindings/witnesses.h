// SPDX-License-Identifier: Apache-2.0
// Witnesses as Python sees them: by number, in words, JSON and SQL.
#pragma once

#include <vector>

#include "pidforest/explanation.h"
#include "pidforest/schema.h"

namespace pidforest::python {

struct Witnesses {
  Schema schema;
  std::vector<Witness> list;
};

}  // namespace pidforest::python
