// SPDX-License-Identifier: Apache-2.0
#include "values/nearest_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "values/excerpt.h"

namespace pidforest::values {

namespace {

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The fewest characters to insert, delete or replace that make one word the other.
std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t replaced = diagonal + (lower_case(one[i]) == lower_case(other[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t most_edits = 2;
  constexpr std::size_t longest = 64;
  constexpr std::size_t farthest = longest + 1;
  if (known.empty() || word.size() > longest) return "";
  const auto distance = [&](const std::string& one) {
    return one.size() > word.size() + most_edits ? farthest : edit_distance(word, one);
  };
  const std::string& nearest = *std::ranges::min_element(known, {}, distance);
  const std::size_t n_letters = word.size() - std::min(word.size(), word.find_first_not_of('-'));
  // A word of one letter has no letter in common with one that is an edit away.
  const std::size_t most = n_letters == 1 ? 0 : std::min(most_edits, (n_letters + 1) / 2);
  return distance(nearest) <= most ? fmt::format(" Did you mean {}?", excerpt(nearest)) : "";
}

}  // namespace pidforest::values
