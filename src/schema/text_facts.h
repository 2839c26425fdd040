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
#include <utility>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "schema/schema_words.h"
#include "schema/time_facts.h"
#include "table/value.h"
#include "values/missing_words.h"
#include "values/number_form.h"
#include "values/read_text.h"

namespace pidforest::schema {

/// Allows lookup by string_view without a copy.
struct TextHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): a name of the standard library
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

/// The first of the texts that were added, in any order; empty if there is none.
struct FirstText {
  std::string text = {};
  std::size_t row = 0;

  void add(std::string_view other, std::size_t other_row) {
    if (other.empty() || (!text.empty() && row <= other_row)) return;
    text = other;
    row = other_row;
  }
  void merge(const FirstText& other) { add(other.text, other.row); }
};

class TextFacts {
 public:
  using Form = values::NumberReading::Form;
  /// Upper limit on the number of distinct texts that are counted, so that memory is bounded.
  static constexpr std::size_t most_levels = std::size_t{1} << 20;

  /// Plain values, which can be written as bytes.
  struct Found {
    std::size_t n_missing = 0;
    std::size_t n_present = 0;
    std::array<std::size_t, 7> n_of_form{};
    /// How the numbers are written.
    values::NumberForms written = {};
    char decimal = '.';
    /// The words that mean "missing", by their form.
    values::MissingWords words = {};
    /// The first text that is not a plain number, and the first that is not a number as people write it either.
    FirstText first_no_number = {};
    FirstText first_misfit = {};
    bool are_all_booleans = true;
    bool any_true = false;
    bool any_false = false;
    /// By the order of day and month.
    std::array<bool, date_order_names.size()> are_times{true, true, true, true, true, true};
    /// A time that has been read with the year first is not repeated for the other orders.
    std::array<WrittenTimes, date_order_names.size()> times = {};
    std::string least_text = {};
    /// The distinct texts, unless there are too many.
    std::unordered_map<std::string, Form, TextHash, std::equal_to<>> forms = {};
    bool has_too_many = false;
  };

  TextFacts() = default;
  explicit TextFacts(Found found) : found_(std::move(found)) {}

  /// Throws InvalidInput for a text that is not UTF-8, which could not be named in a schema.
  void add(const Column& column, std::size_t n_rows);
  /// Adds other rows of the column.
  void merge(const TextFacts& other);

  [[nodiscard]] const Found& found() const { return found_; }
  [[nodiscard]] std::size_t n_missing() const { return found_.n_missing; }
  [[nodiscard]] std::size_t n_present() const { return found_.n_present; }
  /// The number of present texts that read as a number of this form. Form::missing counts blanks and "nan".
  [[nodiscard]] std::size_t n_of(Form form) const { return found_.n_of_form[static_cast<std::size_t>(form)]; }
  /// The form of the numbers, if all texts are numbers and have one in common.
  [[nodiscard]] std::optional<values::NumberForm> written_form() const;
  /// Throws InvalidInput that names the first value that is not a number, of which there is one.
  [[noreturn]] void refuse_first_no_number(const std::string& name, const table::Refusal& refusal) const;

  /// True if all texts are words for true or false, and both occur.
  [[nodiscard]] bool are_booleans() const { return found_.are_all_booleans && found_.any_true && found_.any_false; }
  /// True if all texts that do not mean "missing" are times, and there is one.
  [[nodiscard]] bool are_times(DateOrder order) const;
  /// The times, if all texts are times in this order.
  [[nodiscard]] WrittenTimes times(DateOrder order) const;
  /// The order of day and month in which all texts are times: the year first if that suffices, or the only order that
  /// fits. nullopt if none or two fit.
  [[nodiscard]] std::optional<DateOrder> date_order() const;
  /// The smallest text, by bytes.
  [[nodiscard]] const std::string& least_text() const { return found_.least_text; }

  /// nullopt if there are more than `most_levels`.
  [[nodiscard]] std::optional<std::size_t> n_levels() const;
  /// The distinct texts, sorted by bytes.
  [[nodiscard]] std::vector<std::string> levels() const;

 private:
  /// Returns the form of a text, which is computed only if the text is new.
  Form form_of(const Column& column, std::size_t row);
  Form learn(const Column& column, std::size_t row);
  Form number_form(std::string_view text, char decimal);
  void note_no_number(const Column& column, std::size_t row, Form form);
  void learn_time(std::string_view text);
  void keep_bound();

  Found found_;
};

}  // namespace pidforest::schema
