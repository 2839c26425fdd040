// SPDX-License-Identifier: Apache-2.0
// Model files: any bytes must be rejected with BadFile, or be a model that scores and survives a round trip.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "fixed_checksums.h"
#include "fuzz/schema_values.h"
#include "pidforest/error.h"
#include "pidforest/model.h"

namespace {

void score(const pidforest::Model& model) {
  try {
    const pidforest::fuzz::SchemaValues values(model.schema());
    const auto scores = model.score(values.table(), {.threads = 1});
    for (std::size_t row = 0; row < scores.size(); row += 5)
      if (model.score(values.table().rows(row, row + 1), {.threads = 1})[0] != scores[row]) std::abort();
  } catch (const pidforest::InvalidInput&) {
    return;  // the values do not fit the schema
  }
}

std::optional<pidforest::Model> loaded(const std::string& bytes) {
  try {
    return pidforest::Model::from_bytes(bytes);
  } catch (const pidforest::BadFile&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::optional<pidforest::Model> model = loaded(pidforest::with_fixed_checksums(bytes));
  if (!model) return 0;
  if (!(pidforest::Model::from_bytes(model->to_bytes()) == *model)) std::abort();
  score(*model);
  return 0;
}
