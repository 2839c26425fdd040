// SPDX-License-Identifier: Apache-2.0
// Reads a text as a number, as true or false, or as a word.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace pidforest::values {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Returns the text without surrounding blanks.
std::string_view trimmed(std::string_view text);

/// True if the text equals the word, ignoring case.
bool is_word(std::string_view text, std::string_view word);

/// Wording of the error for a number that a double cannot hold.
inline constexpr std::string_view demand_for_range = "must be in the range of a double, 5e-324 to 1.8e308 in magnitude";
inline constexpr std::string_view demand_for_integers =
    "must be an integer that a double represents exactly, such as all up to 9007199254740992";

struct NumberReading {
  /// `out_of_range` and `rounded` are numbers that a double cannot hold; `rounded` ones are integers. `word` is a word
  /// that means "missing"; `written` is a number as people write it, such as $1,234, which only a NumberForm reads.
  enum class Form : std::uint8_t { number, missing, out_of_range, rounded, no_number, word, written };

  Form form = Form::missing;
  /// NaN unless `form` is `number`.
  double value = std::numeric_limits<double>::quiet_NaN();

  /// True for blanks, nan, and the words that mean "missing".
  [[nodiscard]] bool is_missing() const { return form == Form::missing || form == Form::word; }
  [[nodiscard]] bool is_beyond_double() const { return form == Form::out_of_range || form == Form::rounded; }
  /// The requirement that the text fails: "must be a number". Empty for a number or a missing value.
  [[nodiscard]] std::string_view demand() const;
};

/// Reads a decimal or scientific number; surrounding blanks and a leading plus are allowed. Blank, "nan" and "NaN" mean
/// missing; so does a word such as NA, as a form of its own.
NumberReading read_number(std::string_view text);
/// Reads a number with this decimal separator, '.' or ','; the other one is not allowed in a number.
NumberReading read_number(std::string_view text, char decimal);

/// Reads true, false, t, f, yes, no, y or n, ignoring case and surrounding blanks.
std::optional<bool> read_boolean(std::string_view text);

}  // namespace pidforest::values
