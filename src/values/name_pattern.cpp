// SPDX-License-Identifier: Apache-2.0
#include "values/name_pattern.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <unordered_set>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/nearest_word.h"

namespace pidforest::values {

bool matches_pattern(std::string_view pattern, std::string_view name) {
  if (pattern == name) return true;
  // Where the last * stands, and where the text begins that it does not take yet.
  std::size_t star = std::string_view::npos;
  std::size_t after_star = 0;
  std::size_t p = 0;
  std::size_t n = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

void check_names(std::string_view table, const std::vector<std::string>& names,
                 const std::vector<std::string>& asked_for, std::string_view why) {
  const std::unordered_set<std::string_view> there(names.begin(), names.end());
  for (const std::string& name : asked_for) {
    if (there.contains(name)) continue;
    const bool has_wildcard = is_pattern(name);
    if (has_wildcard && std::ranges::any_of(names, [&](const std::string& one) { return matches_pattern(name, one); }))
      continue;
    throw InvalidInput(fmt::format("{} has no column {}'{}', which {}; its columns are {}.{}", table,
                                   has_wildcard ? "that matches " : "", excerpt(name), why,
                                   excerpt(fmt::format("{}", fmt::join(names, ", ")), 200),
                                   has_wildcard ? "" : did_you_mean(name, names)));
  }
}

}  // namespace pidforest::values
