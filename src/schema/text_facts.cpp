// SPDX-License-Identifier: Apache-2.0
#include "schema/text_facts.h"

#include <algorithm>

#include "table/value.h"
#include "values/time.h"
#include "values/utf8.h"

namespace pidforest::schema {

void TextFacts::add(const Column& column, std::size_t n_rows) {
  std::string_view last;
  Form last_form = Form::missing;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::string_view text = column.text(row);
    if (text.empty()) {
      ++n_missing_;
      continue;
    }
    if (text != last) last_form = form_of(column, row);
    last = text;
    ++n_present_;
    ++n_of_form_[static_cast<std::size_t>(last_form)];
  }
}

TextFacts::Form TextFacts::form_of(const Column& column, std::size_t row) {
  if (has_too_many_) return learn(column, row);
  const std::string_view text = column.text(row);
  if (const auto found = forms_.find(text); found != forms_.end()) return found->second;
  const Form form = learn(column, row);
  forms_.emplace(text, form);
  has_too_many_ = forms_.size() > most_levels;
  if (has_too_many_) forms_ = {};
  return form;
}

TextFacts::Form TextFacts::learn(const Column& column, std::size_t row) {
  const std::string_view text = column.text(row);
  if (!values::is_utf8(text))
    table::refuse(column, row, {.demand = "must be text in UTF-8", .remedy = "Convert the table to UTF-8."});
  const Form form = values::read_number(text, column.decimal).form;
  if (form == Form::no_number && first_no_number_.empty()) {
    first_no_number_ = text;
    first_no_number_row_ = column.first_row + row;
  }
  if (are_all_booleans_) {
    const std::optional<bool> word = values::read_boolean(text);
    are_all_booleans_ = word.has_value();
    any_true_ |= word.value_or(false);
    any_false_ |= !word.value_or(true);
  }
  learn_time(text);
  if (least_text_.empty() || text < least_text_) least_text_ = text;
  return form;
}

/// A text that is a time with the year first is a time in every order.
void TextFacts::learn_time(std::string_view text) {
  const auto test = [&](DateOrder order) {
    bool& are_times = are_times_[static_cast<std::size_t>(order)];
    are_times = are_times && values::parse_time(text, order).has_value();
    return are_times;
  };
  if (test(DateOrder::year_first)) return;
  test(DateOrder::day_first);
  test(DateOrder::month_first);
}

std::optional<DateOrder> TextFacts::date_order() const {
  if (are_times(DateOrder::year_first)) return DateOrder::year_first;
  const bool day_first = are_times(DateOrder::day_first);
  if (day_first == are_times(DateOrder::month_first)) return std::nullopt;
  return day_first ? DateOrder::day_first : DateOrder::month_first;
}

Column TextFacts::first_no_number(const std::string& name) {
  first_no_number_view_ = first_no_number_;
  Column column = Column::of_texts(name, &first_no_number_view_);
  column.first_row = first_no_number_row_;
  return column;
}

std::optional<std::size_t> TextFacts::n_levels() const {
  if (has_too_many_) return std::nullopt;
  return forms_.size();
}

std::vector<std::string> TextFacts::levels() const {
  std::vector<std::string> sorted;
  sorted.reserve(forms_.size());
  for (const auto& [text, form] : forms_) sorted.push_back(text);
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace pidforest::schema
