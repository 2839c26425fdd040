// SPDX-License-Identifier: Apache-2.0
// The messages of rejected input.
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

/// The message of reading all rows.
inline std::string complaint_of(const Batches& batches) {
  return complaint([&] { batches.for_each([](const Table&) {}); });
}

}  // namespace pidforest
