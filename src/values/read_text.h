// SPDX-License-Identifier: Apache-2.0
// What a text says as a number, as true or false, or as a word.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace pidforest::values {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Without the blanks around it.
std::string_view trimmed(std::string_view text);

/// Whether a text is the word, letters of either case being the same.
bool is_word(std::string_view text, std::string_view word);

/// What is demanded of a number that a double cannot hold.
inline constexpr std::string_view demand_for_range = "must be in the range of a double, 5e-324 to 1.8e308 in size";
inline constexpr std::string_view demand_for_integers =
    "must be an integer that a double holds exactly, as all up to 9007199254740992 are";

struct NumberReading {
  /// `out_of_range` and `rounded` are numbers that a double cannot hold; the latter are integers.
  enum class Form : std::uint8_t { number, missing, out_of_range, rounded, no_number };

  Form form = Form::missing;
  /// NaN unless it is a number.
  double value = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] bool is_beyond_double() const { return form == Form::out_of_range || form == Form::rounded; }
  /// What the text should have been: "must be a number". Empty if it is a number or missing.
  [[nodiscard]] std::string_view demand() const;
};

/// Decimal or scientific; blanks around it and a leading plus are allowed. Blank, "nan" and "NaN" are missing.
NumberReading read_number(std::string_view text);

/// true, false, t, f, yes, no, y and n in any case, with blanks around them.
std::optional<bool> read_boolean(std::string_view text);

}  // namespace pidforest::values
