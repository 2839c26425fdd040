// SPDX-License-Identifier: Apache-2.0
// What the type of an array says of its column's meaning.
#pragma once

#include <optional>
#include <string>

#include "arrow/array_part.h"
#include "pidforest/schema.h"

namespace pidforest::arrow {

/// Hours since midnight.
ColumnSchema meaning_of_clock(std::string name);
/// Seconds.
ColumnSchema meaning_of_durations(std::string name);
/// Nothing without a zone: then it is for inference to say.
std::optional<ColumnSchema> meaning_of_times(std::string name, std::string zone);

/// An order is a statement about the levels, which are all declared then. Without one codes are just a way to write
/// values down: the levels are those that rows hold. Nothing for times.
std::optional<ColumnSchema> meaning_of_codes(std::string name, const CodedLevels& levels, bool are_ordered);

}  // namespace pidforest::arrow
