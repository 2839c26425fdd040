// SPDX-License-Identifier: Apache-2.0
// Conditions as JSON: any bytes must be rejected with InvalidInput, or parse to conditions that survive a round trip.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pidforest/error.h"
#include "pidforest/explain.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto conditions = pidforest::parse_conditions({reinterpret_cast<const char*>(data), size});
    if (pidforest::parse_conditions(pidforest::to_json(conditions)) != conditions) std::abort();
  } catch (const pidforest::InvalidInput&) {
    return 0;
  }
  return 0;
}
