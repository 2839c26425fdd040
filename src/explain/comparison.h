// SPDX-License-Identifier: Apache-2.0
// Conditions as people write them: `temperature > 30 and machine in {A, B} and note is not missing`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/schema.h"

namespace pidforest::explain {

/// One part between two "and".
struct Comparison {
  enum class Form : std::uint8_t { equal, less, at_most, more, at_least, among, missing };

  std::string column = {};
  Form form = Form::missing;
  /// As written, without quotes; none for `missing`, one or more for `among`.
  std::vector<std::string> values = {};
  /// The opposite holds. A missing value satisfies no comparison and not its opposite either.
  bool is_negated = false;
};

/// Throws InvalidInput that quotes the place.
std::vector<Comparison> parse_comparisons(std::string_view words);

/// Conditions on the column of which one must hold, or none if the comparison is negated. Throws InvalidInput if the
/// values do not fit the column, or the schema does not use it.
std::vector<Condition> conditions_of(const Comparison& comparison, const Schema& schema);

}  // namespace pidforest::explain
