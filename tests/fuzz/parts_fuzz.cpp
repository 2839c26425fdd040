// SPDX-License-Identifier: Apache-2.0
// Parts of a fit: any bytes must be rejected with BadFile, or be a part that survives a round trip and can be used.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "fixed_checksums.h"
#include "fuzz/schema_values.h"
#include "pidforest/distributed.h"
#include "pidforest/error.h"

namespace {

using pidforest::Facts;
using pidforest::GrownForest;
using pidforest::Marks;
using pidforest::Survey;

template <class Part>
std::optional<Part> loaded(const std::string& bytes) {
  try {
    return Part::from_bytes(bytes);
  } catch (const pidforest::BadFile&) {
    return std::nullopt;
  }
}

/// Calls a function that may refuse what it is given.
template <class Use>
void attempt(const Use& use) {
  try {
    use();
  } catch (const pidforest::InvalidInput&) {
    return;
  }
}

void use(const Facts& facts) {
  Facts twice = facts;
  twice.merge(facts);
  if (Facts::from_bytes(facts.to_bytes()).n_rows() != facts.n_rows()) std::abort();
  attempt([&] { (void)pidforest::to_json(twice.schema()); });
}

void use(const Survey& survey) {
  const std::string bytes = survey.to_bytes();
  if (Survey::from_bytes(bytes).to_bytes() != bytes) std::abort();
  attempt([&] {
    if (survey.n_added() < 1000) (void)GrownForest::grow(survey, {.threads = 1}).to_bytes();
  });
  attempt([&] { Survey(survey).merge(survey); });
}

void use(const Marks& marks) {
  const std::string bytes = marks.to_bytes();
  Marks twice = marks;
  twice.merge(marks);
  if (twice.to_bytes() != bytes || Marks::from_bytes(bytes).to_bytes() != bytes) std::abort();
}

void use(const GrownForest& forest) {
  const std::string bytes = forest.to_bytes();
  if (GrownForest::from_bytes(bytes).to_bytes() != bytes) std::abort();
  attempt([&] {
    const pidforest::fuzz::SchemaValues values(forest.schema());
    if (forest.needs_marks())
      use(forest.marks(values.table(), 0, {.threads = 1}));
    else
      (void)forest.count(values.table(), {.threads = 1});
  });
}

template <class Part>
void try_as(const std::string& bytes) {
  if (const std::optional<Part> part = loaded<Part>(bytes)) use(*part);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = pidforest::with_fixed_checksums({reinterpret_cast<const char*>(data), size});
  try_as<Facts>(bytes);
  try_as<Survey>(bytes);
  try_as<Marks>(bytes);
  try_as<GrownForest>(bytes);
  return 0;
}
