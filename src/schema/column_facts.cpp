// SPDX-License-Identifier: Apache-2.0
#include "schema/column_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "pidforest/error.h"
#include "table/value.h"
#include "values/read_text.h"
#include "values/utf8.h"

namespace pidforest::schema {

namespace {

using Form = values::NumberReading::Form;

/// A hierarchy may take its levels from its parents.
bool has_levels(const ColumnSchema& schema) {
  return !schema.levels.empty() || schema.range.has_value() || !schema.parents.empty();
}

/// Throws InvalidInput if the codec does not allow the value, or, for a category, if the level is not declared.
void check_encoding(const Codec& codec, const ColumnSchema& schema, const Column& column, std::size_t begin,
                    std::span<double> out) {
  codec.encode(0, column, begin, out);
  if (schema.kind != Kind::category) return;
  const auto unseen = std::ranges::find(out, static_cast<double>(schema.levels.size()));
  if (unseen != out.end()) refuse_level(schema, column, begin + static_cast<std::size_t>(unseen - out.begin()));
}

}  // namespace

ColumnFacts::Wanted ColumnFacts::wanted_for(const ColumnSchema* declared, ColumnType type) {
  if (declared == nullptr) {
    if (type == ColumnType::text) return Wanted::text_facts;
    return type == ColumnType::time ? Wanted::times : Wanted::n_missing;
  }
  switch (declared->kind) {
    case Kind::ignored:
      return Wanted::nothing;
    case Kind::time:
      return type == ColumnType::text && declared->zone.empty() ? Wanted::written_times : Wanted::times;
    case Kind::continuous:
      return type == ColumnType::text ? Wanted::encoding : Wanted::nothing;
    case Kind::category:
      return has_levels(*declared) ? Wanted::encoding : Wanted::levels;
    case Kind::ordinal:
      return has_levels(*declared) ? Wanted::encoding : Wanted::numbers;
    default:
      return Wanted::encoding;
  }
}

ColumnFacts::ColumnFacts(const ColumnSchema* declared, const Column& column)
    : name_(column.name), type_(column.type), wanted_(wanted_for(declared, column.type)) {
  if (declared == nullptr) {
    if (wanted_ == Wanted::times) reader_ = std::make_shared<const TimeReader>(ColumnSchema());
    return;
  }
  const bool levels_come_later = !declared->parents.empty() && declared->levels.empty();
  if (!levels_come_later) check_type(*declared, column, "");
  declared_ = std::make_shared<const ColumnSchema>(*declared);
  if (wanted_ == Wanted::times) reader_ = std::make_shared<const TimeReader>(*declared_);
  if (wanted_ != Wanted::encoding) return;
  declared_ = std::make_shared<const ColumnSchema>(complete_column(*declared, type_, {}));
  check_type(*declared_, column, "");
  codec_ = std::make_shared<const Codec>(make_codec(*declared_));
}

void ColumnFacts::add_missing(std::size_t n_rows, std::size_t n_missing) {
  found_.n_rows += n_rows;
  found_.n_missing += n_missing;
}

void ColumnFacts::add(const Column& column, std::size_t n_rows) {
  found_.n_rows += n_rows;
  if (wanted_ == Wanted::nothing) return;
  if (wanted_ == Wanted::text_facts) return add_texts(column, n_rows);
  if (wanted_ == Wanted::encoding) return add_encoded(column, n_rows);
  std::size_t row = 0;
  try {
    for (; row < n_rows; ++row) add_value(column, row);
  } catch (const InvalidInput& error) {
    refuse(column.first_row + row, error.what());
  }
}

void ColumnFacts::add_texts(const Column& column, std::size_t n_rows) {
  const std::size_t n_before = found_.texts.n_missing() + found_.texts.n_present();
  try {
    found_.texts.add(column, n_rows);
  } catch (const InvalidInput& error) {
    refuse(column.first_row + found_.texts.n_missing() + found_.texts.n_present() - n_before, error.what());
  }
}

void ColumnFacts::add_encoded(const Column& column, std::size_t n_rows) {
  constexpr std::size_t block = 4096;
  std::array<double, block> values;
  const auto check = [&](std::size_t begin, std::size_t n) {
    check_encoding(*codec_, *declared_, column, begin, std::span(values).first(n));
  };
  std::size_t begin = 0;
  try {
    for (; begin < n_rows; begin += block) check(begin, std::min(block, n_rows - begin));
  } catch (const InvalidInput&) {
    try {
      for (; begin < n_rows; ++begin) check(begin, 1);
    } catch (const InvalidInput& error) {
      refuse(column.first_row + begin, error.what());
    }
  }
}

void ColumnFacts::add_value(const Column& column, std::size_t row) {
  if (wanted_ == Wanted::n_missing) {
    found_.n_missing += table::is_missing(column, row) ? 1 : 0;
  } else if (wanted_ == Wanted::times) {
    const std::int64_t utc = reader_->utc(column, row);
    if (utc == Column::missing_time)
      ++found_.n_missing;
    else if (utc != found_.times.last)  // repeated times are frequent
      found_.times.add(utc, reader_->local(utc),
                       declared_ ? declared_->resolution.value_or(Resolution::microsecond) : Resolution::microsecond);
  } else if (wanted_ == Wanted::written_times) {
    if (table::is_missing(column, row)) return;
    const auto written = values::parse_time(column.text(row), declared_->date_order);
    if (!written && means_no_time(column.text(row))) return;
    if (!written) refuse_time_text(column, row, declared_->date_order);
    found_.written.add(*written, declared_->resolution.value_or(Resolution::microsecond));
  } else if (wanted_ == Wanted::levels && column.type == ColumnType::text) {
    const std::string_view text = column.text(row);
    if (text.empty() || found_.levels.contains(text)) return;
    if (!values::is_utf8(text))
      table::refuse(column, row, {.demand = "must be text in UTF-8", .remedy = "Convert the table to UTF-8."});
    found_.levels.emplace(text);
  } else {
    add_number(column, row);
  }
}

void ColumnFacts::add_number(const Column& column, std::size_t row) {
  if (wanted_ == Wanted::numbers && column.type == ColumnType::text) {
    const values::NumberReading reading = values::read_number(column.text(row), column.decimal);
    found_.are_numbers = found_.are_numbers && (reading.form == Form::number || reading.is_missing());
    if (!found_.are_numbers) return;
  }
  const double number = table::number_at(column, row);
  if (std::isinf(number)) table::refuse(column, row, {.demand = "must be finite", .remedy = ""});
  if (!std::isnan(number)) found_.numbers.insert(number + 0.0);  // turns -0 into 0
}

void ColumnFacts::refuse(std::size_t row, const std::string& message) {
  if (!found_.refused || row < found_.refused->row) found_.refused = {row, message};
}

void ColumnFacts::merge(const Found& other) {
  found_.n_rows += other.n_rows;
  found_.n_missing += other.n_missing;
  found_.texts.merge(other.texts);
  found_.times.merge(other.times);
  found_.written.merge(other.written);
  found_.levels.insert(other.levels.begin(), other.levels.end());
  found_.numbers.insert(other.numbers.begin(), other.numbers.end());
  found_.are_numbers = found_.are_numbers && other.are_numbers;
  if (other.refused) refuse(other.refused->row, other.refused->message);
}

void ColumnFacts::check() const {
  if (found_.refused) throw InvalidInput(found_.refused->message);
}

ColumnSchema ColumnFacts::schema() const {
  check();
  if (!declared_) return infer_column(name_, type_, found_);
  return wanted_ == Wanted::encoding ? *declared_ : complete_column(*declared_, type_, found_);
}

}  // namespace pidforest::schema
