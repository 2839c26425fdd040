// SPDX-License-Identifier: Apache-2.0
#include "schema/text_facts.h"

#include <algorithm>

#include "table/value.h"
#include "values/time.h"
#include "values/utf8.h"

namespace pidforest::schema {

void TextFacts::add(const Column& column, std::size_t n_rows) {
  found_.decimal = column.decimal;
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
    note_no_number(column, row, known->second);
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
  const Form form = number_form(text, column.decimal);
  note_no_number(column, row, form);
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

/// The form of a text as a number; records how it is written.
TextFacts::Form TextFacts::number_form(std::string_view text, char decimal) {
  const Form form = values::read_number(text, decimal).form;
  if (form != Form::number && form != Form::no_number) return form;
  const std::optional<values::WrittenNumber> written = values::split_number(text);
  if (written) found_.written.add(*written);
  return form == Form::no_number && written ? Form::written : form;
}

void TextFacts::note_no_number(const Column& column, std::size_t row, Form form) {
  if (form == Form::no_number || form == Form::written)
    found_.first_no_number.add(column.text(row), column.first_row + row);
  if (form == Form::no_number) found_.first_misfit.add(column.text(row), column.first_row + row);
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
  constexpr std::array partial{DateOrder::no_date, DateOrder::no_year, DateOrder::no_day};
  if (read(DateOrder::year_first)) {
    for (const DateOrder order : partial) found_.are_times[static_cast<std::size_t>(order)] = false;
    return;
  }
  read(DateOrder::day_first);
  read(DateOrder::month_first);
  for (const DateOrder order : partial) read(order);
}

bool TextFacts::are_times(DateOrder order) const {
  return found_.are_times[static_cast<std::size_t>(order)] && !times(order).by_utc.are_empty();
}

WrittenTimes TextFacts::times(DateOrder order) const {
  WrittenTimes times = found_.times[static_cast<std::size_t>(order)];
  if (order == DateOrder::day_first || order == DateOrder::month_first)
    times.merge(found_.times[static_cast<std::size_t>(DateOrder::year_first)]);
  return times;
}

void TextFacts::merge(const TextFacts& other) {
  const Found& more = other.found_;
  found_.n_missing += more.n_missing;
  found_.n_present += more.n_present;
  for (std::size_t form = 0; form < more.n_of_form.size(); ++form) found_.n_of_form[form] += more.n_of_form[form];
  found_.first_no_number.merge(more.first_no_number);
  found_.first_misfit.merge(more.first_misfit);
  found_.written.merge(more.written);
  if (more.n_present > 0) found_.decimal = more.decimal;
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
  for (const DateOrder order : {DateOrder::no_date, DateOrder::no_year, DateOrder::no_day})
    if (are_times(order)) return order;
  const bool day_first = are_times(DateOrder::day_first);
  if (day_first == are_times(DateOrder::month_first)) return std::nullopt;
  return day_first ? DateOrder::day_first : DateOrder::month_first;
}

void TextFacts::refuse_first_no_number(const std::string& name, const table::Refusal& refusal) const {
  const std::string_view text = found_.first_no_number.text;
  Column column = Column::of_texts(name, &text);
  column.first_row = found_.first_no_number.row;
  table::refuse(column, 0, refusal);
}

std::optional<values::NumberForm> TextFacts::written_form() const {
  const bool are_numbers =
      n_of(Form::written) > 0 && n_of(Form::no_number) + n_of(Form::out_of_range) + n_of(Form::rounded) == 0;
  return are_numbers ? found_.written.form(found_.decimal) : std::nullopt;
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
