// SPDX-License-Identifier: Apache-2.0
// Finds duplicate texts using little memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace pidforest::values {

/// Returns the index of the first of n texts that equals an earlier one. `text_of(i)` returns text i. Memory: four
/// bytes per text.
template <class TextOf>
std::optional<std::size_t> first_repeat(std::size_t n, const TextOf& text_of) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const int comparison = std::string_view(text_of(a)).compare(text_of(b));
    return comparison != 0 ? comparison < 0 : a < b;
  });
  std::size_t first = n;
  for (std::size_t i = 1; i < n; ++i)
    if (order[i] < first && std::string_view(text_of(order[i - 1])) == text_of(order[i])) first = order[i];
  return first == n ? std::nullopt : std::optional(first);
}

}  // namespace pidforest::values
