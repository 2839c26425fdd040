// SPDX-License-Identifier: Apache-2.0
// A condition in words, with and without the name of its column.
#pragma once

#include <string>

#include "pidforest/explain.h"
#include "pidforest/schema.h"

namespace pidforest::explain {

/// "amount > 9000 euro", "country = BR", "age is missing".
std::string words_of(const Condition& condition, const ColumnSchema& column);

/// Where the rows lie that satisfy a condition, to follow "rows" or "rows are": "above 42.6", "between 03:00 and
/// 05:00", "in {AR, BR}". Empty for one level or one number, where the row's own value says all, and for missing
/// values.
std::string place_of(const Condition& condition, const ColumnSchema& column);

}  // namespace pidforest::explain
