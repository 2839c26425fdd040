// SPDX-License-Identifier: Apache-2.0
// A single value of a column: whether it is missing, its number, and the error that rejects it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pidforest/table.h"

namespace pidforest::table {

/// True for NaN, an empty text and `Column::missing_time`.
bool is_missing(const Column& column, std::size_t row);
/// True if the first `n_rows` values are all missing.
bool are_missing(const Column& column, std::size_t n_rows);

/// Returns a value of a number, boolean or text column as a number; NaN if it is missing. Throws InvalidInput for a
/// text that is not a number.
double number_at(const Column& column, std::size_t row);

/// The value as quoted in error messages.
std::string shown(const Column& column, std::size_t row);

/// The value as shown to people: a number as in values/number_words.h, a fractional one with six digits, the start of a
/// text, a time by its own clock, or "missing".
std::string value_words(const Column& column, std::size_t row);

/// A value that names a row: like value_words, but a number is not rounded or grouped.
std::string name_words(const Column& column, std::size_t row);

/// The key of the series that a row belongs to: the whole value as text; empty if it is missing.
std::string key_of(const Column& column, std::size_t row);

struct Refusal {
  /// For example "must be a number".
  std::string_view demand;
  /// A sentence; may be empty.
  std::string_view remedy;
};

/// Throws InvalidInput: "row 17, column 'amount': must be a number; got 'n/a'. ...". Rows are counted from 1.
[[noreturn]] void refuse(const Column& column, std::size_t row, const Refusal& refusal);

}  // namespace pidforest::table
