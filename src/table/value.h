// SPDX-License-Identifier: Apache-2.0
// One value of a column: whether it is missing, which number it is, and how it is refused.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pidforest/table.h"

namespace pidforest::table {

/// NaN, a text without characters, `Column::missing_time`.
bool is_missing(const Column& column, std::size_t row);
/// Whether the first `n_rows` values are.
bool are_missing(const Column& column, std::size_t n_rows);

/// The value of a column of numbers, booleans or texts as a number; NaN if it is missing. Throws InvalidInput for a
/// text that is no number.
double number_at(const Column& column, std::size_t row);

/// The value as a message quotes it.
std::string shown(const Column& column, std::size_t row);

/// The value for people: six digits of a number that is not whole, the start of a text, a time of the clock that it is
/// of, "missing".
std::string value_words(const Column& column, std::size_t row);

struct Refusal {
  /// "must be a number"
  std::string_view demand;
  /// A sentence, or nothing.
  std::string_view remedy;
};

/// Throws InvalidInput: "row 17, column 'amount': must be a number; got 'n/a'. ..."; rows are counted from 1.
[[noreturn]] void refuse(const Column& column, std::size_t row, const Refusal& refusal);

}  // namespace pidforest::table
