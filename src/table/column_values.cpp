// SPDX-License-Identifier: Apache-2.0
#include "table/column_values.h"

#include <limits>
#include <span>

#include "table/value.h"

namespace pidforest::table {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t missing_length = std::numeric_limits<std::uint32_t>::max();

template <class Value>
std::span<const char> bytes_of(const std::vector<Value>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

/// Reads `n` values starting at `place` and returns the position after them.
template <class Value>
std::uint64_t read_values(const system::ScratchFile& file, std::uint64_t place, std::size_t n,
                          std::vector<Value>& values) {
  values.resize(n);
  file.read(place, {reinterpret_cast<char*>(values.data()), n * sizeof(Value)});
  return place + n * sizeof(Value);
}

std::uint32_t length_of(const Column& column, std::size_t row) {
  const std::string_view text = column.text(row);
  if (text.data() == nullptr) return missing_length;
  if (text.size() >= missing_length)
    refuse(column, row, {.demand = "must be shorter than 4 GB", .remedy = "Exclude the column."});
  return static_cast<std::uint32_t>(text.size());
}

}  // namespace

ColumnValues::ColumnValues(ColumnType type, std::size_t n_rows) : type_(type) { append_missing(n_rows); }

std::size_t ColumnValues::n_bytes() const {
  return bytes_of(numbers_).size() + bytes_of(times_).size() + bytes_of(lengths_).size() + characters_.size();
}

void ColumnValues::shrink() {
  numbers_.shrink_to_fit();
  times_.shrink_to_fit();
  lengths_.shrink_to_fit();
  characters_.shrink_to_fit();
}

void ColumnValues::append(const Column& column, std::size_t n_rows) {
  if (n_rows_ == 0) type_ = column.type;
  if (column.type != type_) {
    if (are_missing(column, n_rows)) return append_missing(n_rows);
    *this = ColumnValues(column.type, n_rows_);
  }
  n_rows_ += n_rows;
  are_local_ = column.are_local;
  decimal_ = column.decimal;
  if (type_ == ColumnType::text)
    append_texts(column, n_rows);
  else if (type_ == ColumnType::time)
    for (std::size_t row = 0; row < n_rows; ++row) times_.push_back(column.time(row));
  else
    append_numbers(column, n_rows);
}

void ColumnValues::append_missing(std::size_t n_rows) {
  n_rows_ += n_rows;
  if (type_ == ColumnType::text)
    lengths_.resize(n_rows_, missing_length);
  else if (type_ == ColumnType::time)
    times_.resize(n_rows_, Column::missing_time);
  else
    numbers_.resize(n_rows_, nan);
}

void ColumnValues::append_numbers(const Column& column, std::size_t n_rows) {
  if (column.stride == 1)
    numbers_.insert(numbers_.end(), column.first, column.first + n_rows);
  else
    for (std::size_t row = 0; row < n_rows; ++row) numbers_.push_back(column.number(row));
}

void ColumnValues::append_texts(const Column& column, std::size_t n_rows) {
  for (std::size_t row = 0; row < n_rows; ++row) {
    lengths_.push_back(length_of(column, row));
    if (lengths_.back() != missing_length) characters_ += column.text(row);
  }
}

StoredColumn ColumnValues::write(system::ScratchFile& file) const {
  const StoredColumn stored{type_, are_local_, decimal_, n_rows_, characters_.size(), file.size()};
  file.append(bytes_of(numbers_));
  file.append(bytes_of(times_));
  file.append(bytes_of(lengths_));
  file.append(characters_);
  return stored;
}

void ColumnValues::read(const system::ScratchFile& file, const StoredColumn& stored) {
  type_ = stored.type;
  are_local_ = stored.are_local;
  decimal_ = stored.decimal;
  n_rows_ = stored.n_rows;
  const bool are_texts = type_ == ColumnType::text;
  const bool are_times = type_ == ColumnType::time;
  read_values(file, stored.place, are_texts || are_times ? 0 : n_rows_, numbers_);
  read_values(file, stored.place, are_times ? n_rows_ : 0, times_);
  const std::uint64_t place = read_values(file, stored.place, are_texts ? n_rows_ : 0, lengths_);
  characters_.resize(stored.n_characters);
  file.read(place, characters_);
}

Column ColumnValues::view(const std::string& name, std::vector<std::string_view>& texts) const {
  if (type_ == ColumnType::time) {
    Column column = Column::of_times(name, times_.data());
    column.are_local = are_local_;
    return column;
  }
  if (type_ != ColumnType::text) return {.name = name, .first = numbers_.data(), .type = type_};
  texts.clear();
  const char* next = characters_.data();
  for (const std::uint32_t length : lengths_) {
    const bool is_missing = length == missing_length;
    texts.push_back(is_missing ? std::string_view() : std::string_view(next, length));
    next += is_missing ? 0 : length;
  }
  Column column = Column::of_texts(name, texts.data());
  column.decimal = decimal_;
  return column;
}

}  // namespace pidforest::table
