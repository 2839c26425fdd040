// SPDX-License-Identifier: Apache-2.0
// What public Marks consist of.
#pragma once

#include <cstdint>

#include "pidforest/distributed.h"
#include "reasons/mark_sets.h"

namespace pidforest {

struct Marks::State {
  /// The checksum of the forest whose marks they are.
  std::uint32_t forest = 0;
  reasons::MarkSets sets = {};
};

}  // namespace pidforest
