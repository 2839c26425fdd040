// SPDX-License-Identifier: Apache-2.0
// The schema that the type of an array implies for its column.
#pragma once

#include <optional>
#include <string>

#include "arrow/array_part.h"
#include "pidforest/schema.h"

namespace pidforest::arrow {

/// For times of day: hours since midnight.
ColumnSchema meaning_of_clock(std::string name);
/// For durations: seconds.
ColumnSchema meaning_of_durations(std::string name);
/// Returns nullopt without a zone; inference then decides.
std::optional<ColumnSchema> meaning_of_times(std::string name, std::string zone);

/// An ordered dictionary makes a statement about its levels, so all of them are declared. Without an order, codes are
/// just a storage format, and the levels are the values that occur in the rows. Returns nullopt for times.
std::optional<ColumnSchema> meaning_of_codes(std::string name, const CodedLevels& levels, bool are_ordered);

}  // namespace pidforest::arrow
