// SPDX-License-Identifier: Apache-2.0
#include "parts/facts_bytes.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "file/little_endian.h"
#include "pidforest/error.h"
#include "values/utf8.h"

namespace pidforest::parts {

using file::append_little_endian;
using file::append_text;
using file::ByteReader;
using schema::ColumnFacts;
using schema::TextFacts;
using schema::TimeFacts;
using schema::WrittenTimes;

namespace {

constexpr std::uint8_t last_form = 6;
constexpr std::uint8_t last_resolution = static_cast<std::uint8_t>(Resolution::microsecond);
/// Times and cells beyond this many microseconds are not in the years 1 to 9999.
constexpr std::int64_t farthest = std::int64_t{1} << 60;

void append_flag(std::string& bytes, bool flag) { append_little_endian<std::uint8_t>(bytes, flag ? 1 : 0); }
void append_size(std::string& bytes, std::size_t size) { append_little_endian<std::uint64_t>(bytes, size); }
void append_signed(std::string& bytes, std::int64_t number) {
  append_little_endian(bytes, static_cast<std::uint64_t>(number));
}

bool take_flag(ByteReader& bytes) {
  const auto flag = bytes.take<std::uint8_t>();
  if (flag > 1) throw BadFile(fmt::format("a flag must be 0 or 1; got {}.", flag));
  return flag == 1;
}
std::int64_t take_signed(ByteReader& bytes) { return static_cast<std::int64_t>(bytes.take<std::uint64_t>()); }
std::string take_utf8(ByteReader& bytes) {
  const std::string_view text = bytes.take_text();
  if (!values::is_utf8(text)) throw BadFile("its texts must be in UTF-8.");
  return std::string(text);
}

void append_times(std::string& bytes, const TimeFacts& facts) {
  append_flag(bytes, !facts.are_empty());
  if (facts.are_empty()) return;
  append_signed(bytes, facts.first);
  append_signed(bytes, facts.last);
  append_little_endian(bytes, static_cast<std::uint8_t>(facts.resolution));
  for (const std::int64_t cell : facts.least_cells) append_signed(bytes, cell);
  for (const std::int64_t cell : facts.greatest_cells) append_signed(bytes, cell);
}

TimeFacts take_times(ByteReader& bytes) {
  TimeFacts facts;
  if (!take_flag(bytes)) return facts;
  facts.first = take_signed(bytes);
  facts.last = take_signed(bytes);
  const auto resolution = bytes.take<std::uint8_t>();
  if (facts.first > facts.last || facts.first < -farthest || facts.last > farthest || resolution > last_resolution)
    throw BadFile("its times must be in the years 1 to 9999, the first before the last.");
  facts.resolution = static_cast<Resolution>(resolution);
  for (std::int64_t& cell : facts.least_cells) cell = take_signed(bytes);
  for (std::int64_t& cell : facts.greatest_cells) cell = take_signed(bytes);
  return facts;
}

void append_written(std::string& bytes, const WrittenTimes& written) {
  append_flag(bytes, !written.by_utc.are_empty());
  if (written.by_utc.are_empty()) return;
  append_flag(bytes, written.offset.has_value());
  append_signed(bytes, written.offset.value_or(0));
  append_flag(bytes, written.any_without);
  append_flag(bytes, written.offsets_differ);
  append_times(bytes, written.by_clock);
  append_times(bytes, written.by_utc);
}

WrittenTimes take_written(ByteReader& bytes) {
  constexpr std::int64_t one_day = 24L * 60;
  WrittenTimes written;
  if (!take_flag(bytes)) return written;
  const bool has_offset = take_flag(bytes);
  const std::int64_t offset = take_signed(bytes);
  if (offset < -one_day || offset > one_day) throw BadFile("an offset from UTC must be at most one day.");
  if (has_offset) written.offset = static_cast<int>(offset);
  written.any_without = take_flag(bytes);
  written.offsets_differ = take_flag(bytes);
  written.by_clock = take_times(bytes);
  written.by_utc = take_times(bytes);
  return written;
}

void append_first(std::string& bytes, const schema::FirstText& first) {
  append_text(bytes, first.text);
  append_size(bytes, first.row);
}

schema::FirstText take_first(ByteReader& bytes) {
  std::string text = take_utf8(bytes);
  return {.text = std::move(text), .row = bytes.take<std::uint64_t>()};
}

void append_forms(std::string& bytes, const values::NumberForms::Found& forms) {
  append_little_endian(bytes, forms.conventions);
  for (const std::uint64_t set : {forms.units, forms.currencies_before, forms.currencies_after})
    append_size(bytes, set);
  for (const bool any : {forms.any_parentheses, forms.any_tight_before, forms.any_tight_after,
                         forms.any_without_currency, forms.any_without_unit})
    append_flag(bytes, any);
}

values::NumberForms take_forms(ByteReader& bytes) {
  values::NumberForms::Found forms;
  forms.conventions = bytes.take<std::uint8_t>();
  for (std::uint64_t* set : {&forms.units, &forms.currencies_before, &forms.currencies_after})
    *set = bytes.take<std::uint64_t>();
  for (bool* any : {&forms.any_parentheses, &forms.any_tight_before, &forms.any_tight_after,
                    &forms.any_without_currency, &forms.any_without_unit})
    *any = take_flag(bytes);
  if (!values::NumberForms::is_possible(forms)) throw BadFile("its numbers must have known units and currencies.");
  return values::NumberForms(forms);
}

void append_texts(std::string& bytes, const TextFacts::Found& texts) {
  const bool is_empty = texts.n_missing == 0 && texts.n_present == 0;
  append_flag(bytes, !is_empty);
  if (is_empty) return;
  append_size(bytes, texts.n_missing);
  append_size(bytes, texts.n_present);
  for (const std::size_t n : texts.n_of_form) append_size(bytes, n);
  append_little_endian<std::uint16_t>(bytes, texts.words.bits());
  append_forms(bytes, texts.written.found());
  append_little_endian(bytes, static_cast<std::uint8_t>(texts.decimal));
  append_first(bytes, texts.first_no_number);
  append_first(bytes, texts.first_misfit);
  append_flag(bytes, texts.are_all_booleans);
  append_flag(bytes, texts.any_true);
  append_flag(bytes, texts.any_false);
  for (const bool are_times : texts.are_times) append_flag(bytes, are_times);
  for (const WrittenTimes& written : texts.times) append_written(bytes, written);
  append_text(bytes, texts.least_text);
  append_flag(bytes, texts.has_too_many);
  append_size(bytes, texts.forms.size());
  for (const auto& [text, form] : texts.forms) {
    append_text(bytes, text);
    append_little_endian(bytes, static_cast<std::uint8_t>(form));
  }
}

TextFacts take_texts(ByteReader& bytes) {
  TextFacts::Found texts;
  if (!take_flag(bytes)) return {};
  texts.n_missing = bytes.take<std::uint64_t>();
  texts.n_present = bytes.take<std::uint64_t>();
  for (std::size_t& n : texts.n_of_form) n = bytes.take<std::uint64_t>();
  texts.words = values::MissingWords(bytes.take<std::uint16_t>());
  texts.written = take_forms(bytes);
  texts.decimal = bytes.take<std::uint8_t>() == ',' ? ',' : '.';
  texts.first_no_number = take_first(bytes);
  texts.first_misfit = take_first(bytes);
  texts.are_all_booleans = take_flag(bytes);
  texts.any_true = take_flag(bytes);
  texts.any_false = take_flag(bytes);
  for (bool& are_times : texts.are_times) are_times = take_flag(bytes);
  for (WrittenTimes& written : texts.times) written = take_written(bytes);
  texts.least_text = take_utf8(bytes);
  texts.has_too_many = take_flag(bytes);
  const auto n_forms = bytes.take<std::uint64_t>();
  for (std::uint64_t i = 0; i < n_forms; ++i) {
    std::string text = take_utf8(bytes);
    const auto form = bytes.take<std::uint8_t>();
    if (form > last_form) throw BadFile(fmt::format("the form of a text must be at most {}; got {}.", last_form, form));
    if (!texts.forms.emplace(std::move(text), static_cast<TextFacts::Form>(form)).second)
      throw BadFile("its texts must differ.");
  }
  return TextFacts(std::move(texts));
}

}  // namespace

void append_facts(std::string& bytes, const ColumnFacts::Found& facts) {
  append_size(bytes, facts.n_rows);
  append_size(bytes, facts.n_missing);
  append_texts(bytes, facts.texts.found());
  append_times(bytes, facts.times);
  append_written(bytes, facts.written);
  append_size(bytes, facts.levels.size());
  for (const std::string& level : facts.levels) append_text(bytes, level);
  append_size(bytes, facts.numbers.size());
  for (const double number : facts.numbers) append_little_endian(bytes, number);
  append_flag(bytes, facts.are_numbers);
  append_flag(bytes, facts.refused.has_value());
  if (!facts.refused) return;
  append_size(bytes, facts.refused->row);
  append_text(bytes, facts.refused->message);
}

ColumnFacts::Found take_facts(ByteReader& bytes) {
  ColumnFacts::Found facts;
  facts.n_rows = bytes.take<std::uint64_t>();
  facts.n_missing = bytes.take<std::uint64_t>();
  facts.texts = take_texts(bytes);
  facts.times = take_times(bytes);
  facts.written = take_written(bytes);
  const auto n_levels = bytes.take<std::uint64_t>();
  for (std::uint64_t i = 0; i < n_levels; ++i) facts.levels.insert(take_utf8(bytes));
  const auto n_numbers = bytes.take<std::uint64_t>();
  for (std::uint64_t i = 0; i < n_numbers; ++i) {
    const auto number = bytes.take<double>();
    if (!std::isfinite(number)) throw BadFile("its numbers must be finite.");
    facts.numbers.insert(number + 0.0);
  }
  facts.are_numbers = take_flag(bytes);
  if (!take_flag(bytes)) return facts;
  const auto row = bytes.take<std::uint64_t>();
  facts.refused = {row, take_utf8(bytes)};
  return facts;
}

}  // namespace pidforest::parts
