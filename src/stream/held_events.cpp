// SPDX-License-Identifier: Apache-2.0
#include "stream/held_events.h"

#include <deque>
#include <vector>

#include "file/byte_reader.h"
#include "file/little_endian.h"
#include "pidforest/error.h"

namespace pidforest::stream {

namespace {

constexpr std::uint8_t missing = 0;
constexpr std::uint8_t present = 1;

void append_value(std::string& bytes, const Column& column, std::size_t row) {
  if (column.type == ColumnType::time)
    return file::append_little_endian(bytes, static_cast<std::uint64_t>(column.time(row)));
  if (column.type != ColumnType::text) return file::append_little_endian(bytes, column.number(row));
  const std::string_view text = column.text(row);
  file::append_little_endian(bytes, text.data() == nullptr ? missing : present);
  if (text.data() != nullptr) file::append_text(bytes, text);
}

/// A column of one batch that was read.
struct ReadColumn {
  std::string_view name;
  ColumnType type = ColumnType::number;
  bool are_local = false;
  std::vector<double> numbers = {};
  std::vector<std::string_view> texts = {};
  std::vector<std::int64_t> times = {};

  void add(file::ByteReader& bytes) {
    if (type == ColumnType::time)
      times.push_back(static_cast<std::int64_t>(bytes.take<std::uint64_t>()));
    else if (type != ColumnType::text)
      numbers.push_back(bytes.take<double>());
    else
      texts.push_back(bytes.take<std::uint8_t>() == missing ? std::string_view() : bytes.take_text());
  }
  [[nodiscard]] Column view() const {
    Column column{.name = std::string(name), .type = type};
    column.first = numbers.data();
    column.texts = texts.data();
    column.times = times.data();
    column.are_local = are_local;
    return column;
  }
};

ReadColumn read_head(file::ByteReader& bytes) {
  ReadColumn column{.name = bytes.take_text()};
  const auto type = bytes.take<std::uint8_t>();
  if (type > static_cast<std::uint8_t>(ColumnType::time)) throw BadFile("it contains a column of an unknown type.");
  column.type = static_cast<ColumnType>(type);
  column.are_local = bytes.take<std::uint8_t>() != 0;
  return column;
}

}  // namespace

std::string bytes_of_held(const TableStore& held) {
  std::string bytes;
  held.for_each([&](const Table& batch) {
    file::append_little_endian(bytes, static_cast<std::uint64_t>(batch.n_columns()));
    file::append_little_endian(bytes, static_cast<std::uint64_t>(batch.n_rows()));
    for (const Column& column : batch.columns()) {
      file::append_text(bytes, column.name);
      file::append_little_endian(bytes, static_cast<std::uint8_t>(column.type));
      file::append_little_endian(bytes, static_cast<std::uint8_t>(column.are_local));
    }
    for (const Column& column : batch.columns())
      for (std::size_t row = 0; row < batch.n_rows(); ++row) append_value(bytes, column, row);
  });
  return bytes;
}

TableStore read_held(std::string_view all) {
  TableStore held;
  file::ByteReader bytes(all, "held");
  while (!bytes.is_at_end()) {
    const auto n_columns = bytes.take<std::uint64_t>();
    const auto n_rows = bytes.take<std::uint64_t>();
    std::vector<ReadColumn> read;
    for (std::uint64_t i = 0; i < n_columns; ++i) read.push_back(read_head(bytes));
    for (ReadColumn& column : read)
      for (std::uint64_t row = 0; row < n_rows; ++row) column.add(bytes);
    std::vector<Column> columns;
    for (const ReadColumn& column : read) columns.push_back(column.view());
    if (columns.empty() && n_rows > 0) throw BadFile("it contains events without columns.");
    held.append(Table(n_rows, std::move(columns)));
  }
  return held;
}

}  // namespace pidforest::stream
