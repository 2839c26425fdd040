// SPDX-License-Identifier: Apache-2.0
// What the texts of a column have in common, learnt a batch at a time: all that inference asks of them.
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

/// Texts are found by their contents, without a copy.
struct TextHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): a name of the standard library
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

class TextFacts {
 public:
  using Form = values::NumberReading::Form;
  /// More different texts than this are not told apart, so that memory is bounded.
  static constexpr std::size_t most_levels = std::size_t{1} << 20;

  /// Throws InvalidInput for a text that is no UTF-8, which could not be named in a schema.
  void add(const Column& column, std::size_t n_rows);

  [[nodiscard]] std::size_t n_missing() const { return n_missing_; }
  [[nodiscard]] std::size_t n_present() const { return n_present_; }
  /// How many of those present read as a number of the form; for blanks and "nan" that is missing.
  [[nodiscard]] std::size_t n_of(Form form) const { return n_of_form_[static_cast<std::size_t>(form)]; }
  /// The first value that is no number, as a column of its own; empty if there is none. Views this.
  [[nodiscard]] Column first_no_number(const std::string& name);

  /// Words for true and for false, and nothing else.
  [[nodiscard]] bool are_booleans() const { return are_all_booleans_ && any_true_ && any_false_; }
  [[nodiscard]] bool are_times(DateOrder order) const { return are_times_[static_cast<std::size_t>(order)]; }
  /// By bytes.
  [[nodiscard]] const std::string& least_text() const { return least_text_; }

  /// Nothing if there are too many.
  [[nodiscard]] std::optional<std::size_t> n_levels() const;
  /// The different texts, sorted by bytes.
  [[nodiscard]] std::vector<std::string> levels() const;

 private:
  /// The form of a text, learnt if it is new.
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
