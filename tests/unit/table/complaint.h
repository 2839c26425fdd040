// SPDX-License-Identifier: Apache-2.0
// What is said of input that is refused.
#pragma once

#include <string>

#include "pidforest/error.h"
#include "pidforest/table.h"

namespace pidforest {

template <class Act>
std::string complaint(const Act& act) {
  try {
    act();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no complaint";
}

/// Of reading all rows.
inline std::string complaint_of(const Batches& batches) {
  return complaint([&] { batches.for_each([](const Table&) {}); });
}

}  // namespace pidforest
