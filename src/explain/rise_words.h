// SPDX-License-Identifier: Apache-2.0
// Rises in words: "latency rose by 120 ms within 10 min", and the names of columns for people.
#pragma once

#include <optional>
#include <string>

#include "explain/end_words.h"
#include "pidforest/schema.h"

namespace pidforest::explain {

/// The name of a column on one line, cut if it is long. A column of windows adds words to the name of its metric, and
/// is cut later.
std::string name_in_words(const ColumnSchema& column);

/// A row's own rise: "latency rose by 120 ms within 10 min", "latency fell by 3 ms within 10 min". `value` is the
/// number in words. Nullopt for a column that holds no rises, and for a value that is no number.
std::optional<std::string> own_rise(const ColumnSchema& column, const std::string& value);

/// A range of rises: "latency rose by more than 100 ms within 10 min". Nullopt for a column that holds no rises, and
/// for a range of both rises and falls.
std::optional<std::string> words_of_rises(const EndWords& ends, const ColumnSchema& column);

}  // namespace pidforest::explain
