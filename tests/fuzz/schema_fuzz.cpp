// SPDX-License-Identifier: Apache-2.0
// Schemas as JSON: any bytes must be rejected with InvalidInput, or parse to a schema that survives a round trip.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pidforest/error.h"
#include "pidforest/schema.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const pidforest::Schema schema = pidforest::parse_schema({reinterpret_cast<const char*>(data), size});
    if (pidforest::parse_schema(pidforest::to_json(schema)) != schema) std::abort();
  } catch (const pidforest::InvalidInput&) {
    return 0;
  }
  return 0;
}
