// SPDX-License-Identifier: Apache-2.0
// Facts about the texts of a column that inference needs, collected one batch at a time.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "values/read_text.h"

namespace pidforest::schema {

/// Allows lookup by string_view without a copy.
struct TextHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): a name of the standard library
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

class TextFacts {
 public:
  using Form = values::NumberReading::Form;
  /// Upper limit on the number of distinct texts that are counted, so that memory is bounded.
  static constexpr std::size_t most_levels = std::size_t{1} << 20;

  /// Throws InvalidInput for a text that is not UTF-8, which could not be named in a schema.
  void add(const Column& column, std::size_t n_rows);

  [[nodiscard]] std::size_t n_missing() const { return n_missing_; }
  [[nodiscard]] std::size_t n_present() const { return n_present_; }
  /// The number of present texts that read as a number of this form. Form::missing counts blanks and "nan".
  [[nodiscard]] std::size_t n_of(Form form) const { return n_of_form_[static_cast<std::size_t>(form)]; }
  /// Returns the first value that is not a number as a one-row column that views this object; empty if there is none.
  [[nodiscard]] Column first_no_number(const std::string& name);

  /// True if all texts are words for true or false, and both occur.
  [[nodiscard]] bool are_booleans() const { return are_all_booleans_ && any_true_ && any_false_; }
  [[nodiscard]] bool are_times(DateOrder order) const { return are_times_[static_cast<std::size_t>(order)]; }
  /// The order of day and month in which all texts are times: the year first if that suffices, or the only order that
  /// fits. nullopt if none or two fit.
  [[nodiscard]] std::optional<DateOrder> date_order() const;
  /// The smallest text, by bytes.
  [[nodiscard]] const std::string& least_text() const { return least_text_; }

  /// nullopt if there are more than `most_levels`.
  [[nodiscard]] std::optional<std::size_t> n_levels() const;
  /// The distinct texts, sorted by bytes.
  [[nodiscard]] std::vector<std::string> levels() const;

 private:
  /// Returns the form of a text, which is computed only if the text is new.
  Form form_of(const Column& column, std::size_t row);
  Form learn(const Column& column, std::size_t row);
  void learn_time(std::string_view text);

  std::size_t n_missing_ = 0;
  std::size_t n_present_ = 0;
  std::array<std::size_t, 5> n_of_form_{};
  std::string first_no_number_;
  std::string_view first_no_number_view_;
  std::size_t first_no_number_row_ = 0;
  bool are_all_booleans_ = true;
  bool any_true_ = false;
  bool any_false_ = false;
  std::array<bool, 3> are_times_{true, true, true};
  std::string least_text_;
  std::unordered_map<std::string, Form, TextHash, std::equal_to<>> forms_;
  bool has_too_many_ = false;
};

}  // namespace pidforest::schema
