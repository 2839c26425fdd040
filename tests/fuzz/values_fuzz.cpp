// SPDX-License-Identifier: Apache-2.0
// Single values as text: numbers as people write them, times as logs write them, patterns of names.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pidforest/schema.h"
#include "values/name_pattern.h"
#include "values/number_form.h"
#include "values/read_text.h"
#include "values/time.h"
#include "values/time_text.h"

namespace {

using namespace pidforest;

void expect(bool holds) {
  if (!holds) std::abort();
}

/// The form of one number reads it, and is a form again by its example.
void check_number(std::string_view text) {
  const auto written = values::split_number(text);
  if (!written) return;
  values::NumberForms forms;
  forms.add(*written);
  for (const char decimal : {'.', ','}) {
    const auto form = forms.form(decimal);
    if (!form) continue;
    const values::NumberReading reading = form->read(text);
    expect(reading.form != values::NumberReading::Form::no_number);
    const auto again = values::NumberForm::parse(form->example());
    expect(again && again->example() == form->example());
    if (std::isfinite(reading.value)) expect(!form->words(reading.value, 6).empty());
  }
}

/// A time is written out and read back.
void check_time(std::string_view text) {
  for (const DateOrder order : {DateOrder::year_first, DateOrder::day_first, DateOrder::month_first, DateOrder::no_date,
                                DateOrder::no_year, DateOrder::no_day}) {
    const auto time = values::parse_time(text, order);
    if (!time) continue;
    const std::string words = values::date_time_text(time->clock, 'T', values::Fractions::exact);
    const auto again = values::parse_time(words, DateOrder::year_first);
    expect(again && again->clock == time->clock);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)values::read_number(text);
  (void)values::read_number(text, ',');
  (void)values::read_boolean(text);
  check_number(text);
  check_time(text);
  const std::size_t half = text.find('\n');
  if (half != std::string_view::npos) (void)values::matches_pattern(text.substr(0, half), text.substr(half + 1));
  expect(values::matches_pattern(text, text));
  return 0;
}
