// SPDX-License-Identifier: Apache-2.0
// Names with wildcards, and the check that names are there.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace pidforest::values {

/// Whether the name has a wildcard: * stands for any characters, ? for one.
inline bool is_pattern(std::string_view name) { return name.find_first_of("*?") != std::string_view::npos; }

/// Whether the name is equal to the pattern, or matches its wildcards. Takes time in proportion to the product of both
/// lengths at most.
bool matches_pattern(std::string_view pattern, std::string_view name);

/// Whether any of the patterns matches.
inline bool matches_any(const std::vector<std::string>& patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [&](const std::string& one) { return matches_pattern(one, name); });
}

/// Throws InvalidInput for the first of the names or patterns that none of the names is, with the nearest one: "the
/// file has no column 'x', which is to be ignored; its columns are a, b." `table` is "the file", `why` "is to be
/// ignored".
void check_names(std::string_view table, const std::vector<std::string>& names,
                 const std::vector<std::string>& asked_for, std::string_view why);

}  // namespace pidforest::values
