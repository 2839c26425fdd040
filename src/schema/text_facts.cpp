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
      ++found_.n_missing;
      continue;
    }
    if (text != last) last_form = form_of(column, row);
    last = text;
    ++found_.n_present;
    ++found_.n_of_form[static_cast<std::size_t>(last_form)];
  }
}

TextFacts::Form TextFacts::form_of(const Column& column, std::size_t row) {
  if (found_.has_too_many) return learn(column, row);
  const std::string_view text = column.text(row);
  if (const auto known = found_.forms.find(text); known != found_.forms.end()) {
    if (known->second == Form::no_number) note_no_number(column, row);
    return known->second;
  }
  const Form form = learn(column, row);
  found_.forms.emplace(text, form);
  keep_bound();
  return form;
}

void TextFacts::keep_bound() {
  if (found_.forms.size() <= most_levels) return;
  found_.has_too_many = true;
  found_.forms = {};
}

TextFacts::Form TextFacts::learn(const Column& column, std::size_t row) {
  const std::string_view text = column.text(row);
  if (!values::is_utf8(text))
    table::refuse(column, row, {.demand = "must be text in UTF-8", .remedy = "Convert the table to UTF-8."});
  const Form form = values::read_number(text, column.decimal).form;
  if (form == Form::no_number) note_no_number(column, row);
  if (form == Form::word) found_.words.add(values::trimmed(text));
  if (found_.are_all_booleans) {
    const std::optional<bool> word = values::read_boolean(text);
    found_.are_all_booleans = word.has_value();
    found_.any_true |= word.value_or(false);
    found_.any_false |= !word.value_or(true);
  }
  if (form == Form::word || form == Form::missing) return form;
  learn_time(text);
  if (found_.least_text.empty() || text < found_.least_text) found_.least_text = text;
  return form;
}

/// Rows may come in any order.
void TextFacts::note_no_number(const Column& column, std::size_t row) {
  const std::size_t number = column.first_row + row;
  if (!found_.first_no_number.empty() && found_.first_no_number_row <= number) return;
  found_.first_no_number = column.text(row);
  found_.first_no_number_row = number;
}

/// A text that is a time with the year first is that time in every order.
void TextFacts::learn_time(std::string_view text) {
  const auto read = [&](DateOrder order) {
    bool& are_times = found_.are_times[static_cast<std::size_t>(order)];
    const std::optional<values::WrittenTime> time = are_times ? values::parse_time(text, order) : std::nullopt;
    are_times = time.has_value();
    if (time) found_.times[static_cast<std::size_t>(order)].add(*time, Resolution::microsecond);
    return are_times;
  };
  if (read(DateOrder::year_first)) return;
  read(DateOrder::day_first);
  read(DateOrder::month_first);
}

bool TextFacts::are_times(DateOrder order) const {
  return found_.are_times[static_cast<std::size_t>(order)] && !times(order).by_utc.are_empty();
}

WrittenTimes TextFacts::times(DateOrder order) const {
  WrittenTimes times = found_.times[static_cast<std::size_t>(order)];
  if (order != DateOrder::year_first) times.merge(found_.times[static_cast<std::size_t>(DateOrder::year_first)]);
  return times;
}

void TextFacts::merge(const TextFacts& other) {
  const Found& more = other.found_;
  found_.n_missing += more.n_missing;
  found_.n_present += more.n_present;
  for (std::size_t form = 0; form < more.n_of_form.size(); ++form) found_.n_of_form[form] += more.n_of_form[form];
  if (!more.first_no_number.empty() &&
      (found_.first_no_number.empty() || more.first_no_number_row < found_.first_no_number_row)) {
    found_.first_no_number = more.first_no_number;
    found_.first_no_number_row = more.first_no_number_row;
  }
  found_.words.merge(more.words);
  found_.are_all_booleans = found_.are_all_booleans && more.are_all_booleans;
  found_.any_true |= more.any_true;
  found_.any_false |= more.any_false;
  for (std::size_t order = 0; order < more.times.size(); ++order) {
    found_.are_times[order] = found_.are_times[order] && more.are_times[order];
    found_.times[order].merge(more.times[order]);
  }
  if (found_.least_text.empty() || (!more.least_text.empty() && more.least_text < found_.least_text))
    found_.least_text = more.least_text;
  found_.has_too_many |= more.has_too_many;
  if (found_.has_too_many)
    found_.forms = {};
  else
    found_.forms.insert(more.forms.begin(), more.forms.end());
  keep_bound();
}

std::optional<DateOrder> TextFacts::date_order() const {
  if (are_times(DateOrder::year_first)) return DateOrder::year_first;
  const bool day_first = are_times(DateOrder::day_first);
  if (day_first == are_times(DateOrder::month_first)) return std::nullopt;
  return day_first ? DateOrder::day_first : DateOrder::month_first;
}

void TextFacts::refuse_first_no_number(const std::string& name, const table::Refusal& refusal) const {
  const std::string_view text = found_.first_no_number;
  Column column = Column::of_texts(name, &text);
  column.first_row = found_.first_no_number_row;
  table::refuse(column, 0, refusal);
}

std::optional<std::size_t> TextFacts::n_levels() const {
  if (found_.has_too_many) return std::nullopt;
  return found_.forms.size();
}

std::vector<std::string> TextFacts::levels() const {
  std::vector<std::string> sorted;
  sorted.reserve(found_.forms.size());
  for (const auto& [text, form] : found_.forms) sorted.push_back(text);
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace pidforest::schema
