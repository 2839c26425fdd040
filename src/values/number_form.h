// SPDX-License-Identifier: Apache-2.0
// Numbers as people write them: 1,234.5, 1.234,5, $1,234, (12.50), 5 %, 12MB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "values/read_text.h"

namespace pidforest::values {

/// A text split into a number and what is around it. The number may have separators of thousands.
struct WrittenNumber {
  static constexpr std::size_t none = ~std::size_t{0};

  bool is_negative = false;
  bool has_parentheses = false;
  /// Places in the lists of currencies and units.
  std::size_t currency_before = none;
  std::size_t currency_after = none;
  std::size_t unit = none;
  /// Between the number and what stands before or after it.
  bool has_blank_before = false;
  bool has_blank_after = false;
  /// Digits and separators; every kind of blank is a plain one.
  std::string digits = {};
};

/// Returns nullopt for a text that is not such a number.
std::optional<WrittenNumber> split_number(std::string_view text);

/// True if the text has this separator of thousands, and would be a number with it: 1,234 or 1,234,567.
bool has_thousands(std::string_view text, char separator);

/// How the texts of a column write its numbers.
class NumberForm {
 public:
  /// `example` is the number 1234.5 in this form; several units are separated by |, the smallest first, and the numbers
  /// count that one. Returns nullopt for another text.
  static std::optional<NumberForm> parse(std::string_view example);
  [[nodiscard]] std::string example() const;

  /// `missing` and `word` as read_number. A number without a unit must be 0 if the form has units of bytes, seconds and
  /// so on.
  [[nodiscard]] NumberReading read(std::string_view text) const;
  /// Rounded to significant digits.
  [[nodiscard]] std::string words(double number, int n_digits) const;

 private:
  friend class NumberForms;

  /// The convention of its separators, or another one with the same decimal separator; `none` if none fits.
  [[nodiscard]] std::size_t convention_of(const WrittenNumber& number) const;
  [[nodiscard]] bool has_ends_of(const WrittenNumber& number) const;

  std::size_t convention_ = 0;
  std::size_t currency_before_ = WrittenNumber::none;
  std::size_t currency_after_ = WrittenNumber::none;
  /// In order of their size. `none` among units of counts is a number without a unit.
  std::vector<std::size_t> units_ = {};
  bool has_blank_before_ = false;
  bool has_blank_after_ = false;
  bool has_parentheses_ = false;
};

/// The forms that fit all numbers of a column. Facts about pieces of the column merge in any order.
class NumberForms {
 public:
  /// Plain values, which can be written as bytes.
  struct Found {
    /// Bit i is set if convention i of separators fits.
    std::uint8_t conventions = 0x7F;
    std::uint64_t units = 0;
    std::uint64_t currencies_before = 0;
    std::uint64_t currencies_after = 0;
    bool any_parentheses = false;
    bool any_tight_before = false;
    bool any_tight_after = false;
    /// Whether a number other than 0 lacks them.
    bool any_without_currency = false;
    bool any_without_unit = false;

    bool operator==(const Found&) const = default;
  };

  NumberForms() = default;
  explicit NumberForms(const Found& found) : found_(found) {}

  void add(const WrittenNumber& number);
  void merge(const NumberForms& other);
  [[nodiscard]] const Found& found() const { return found_; }
  /// False for a convention, a unit or a currency that there is not.
  static bool is_possible(const Found& found);

  /// The form that all numbers have; where separators can be read in two ways, by this decimal separator. Returns
  /// nullopt if they have no form in common.
  [[nodiscard]] std::optional<NumberForm> form(char decimal) const;

 private:
  Found found_;
};

}  // namespace pidforest::values
