// SPDX-License-Identifier: Apache-2.0
// Conditions as people write them: any bytes must be rejected with InvalidInput, or choose rows of a table.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/explain.h"

namespace {

using namespace pidforest;

Schema schema() {
  Schema schema;
  schema.columns = {{.name = "x", .kind = Kind::continuous},
                    {.name = "size", .kind = Kind::ordinal, .levels = {"S", "M", "L"}},
                    {.name = "place", .kind = Kind::category, .levels = {"A", "B and C", "1"}},
                    {.name = "at", .kind = Kind::time, .derive = {Derivation::epoch}, .zone = "UTC"},
                    {.name = "hour", .kind = Kind::cyclic, .period = 24},
                    {.name = "is on", .kind = Kind::boolean}};
  return schema;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view words(reinterpret_cast<const char*>(data), size);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::array<double, 3> numbers{1, 23.5, nan};
  const std::array<std::string_view, 3> sizes{"S", "L", {}};
  const std::array<std::string_view, 3> places{"A", "unseen", {}};
  const std::array<std::string_view, 3> times{"2026-11-16", "2026-11-16 08:30", {}};
  const std::array<std::string_view, 3> booleans{"true", "no", {}};
  const Table table(3, {{"x", numbers.data()},
                        {"hour", numbers.data()},
                        Column::of_texts("size", sizes.data()),
                        Column::of_texts("place", places.data()),
                        Column::of_texts("at", times.data()),
                        Column::of_texts("is on", booleans.data())});
  try {
    const std::vector<std::string> columns = columns_in_words(words);
    const std::vector<bool> matches = RowFilter::of_words(schema(), words).matches(table);
    if (columns.empty() || matches.size() != 3) std::abort();
  } catch (const InvalidInput&) {
    return 0;
  }
  return 0;
}
