// SPDX-License-Identifier: Apache-2.0
#include "values/missing_words.h"

#include <array>

#include "values/read_text.h"

namespace pidforest::values {

namespace {

constexpr std::array<std::string_view, 11> all{"NA",   "N/A",  "#N/A", "<NA>", "NaN", "NaT",
                                               "null", "None", "-",    "--",   "?"};
constexpr std::size_t longest = 4;

}  // namespace

std::size_t MissingWords::place_of(std::string_view text) {
  if (text.empty() || text.size() > longest) return none;
  for (std::size_t place = 0; place < all.size(); ++place)
    if (is_word(text, all[place])) return place;
  return none;
}

MissingWords::MissingWords(std::uint16_t bits) : bits_(bits & ((1U << all.size()) - 1)) {}

std::string MissingWords::text() const {
  std::string words;
  for (std::uint32_t left = bits_, place = 0; left != 0; left >>= 1U, ++place) {
    if ((left & 1U) == 0) continue;
    if (!words.empty()) words += left == 1 ? " and " : ", ";
    words += all[place];
  }
  return words;
}

}  // namespace pidforest::values
