// SPDX-License-Identifier: Apache-2.0
#include "in/offsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "flags/labels.h"
#include "pidforest/error.h"

namespace pidforest::cli {

Offsets::Offsets(std::string partition, std::string offset)
    : partition_(std::move(partition)),
      offset_(std::move(offset)),
      schema_{.columns = {{.name = partition_, .kind = Kind::category}, {.name = offset_, .kind = Kind::continuous}}} {}

void Offsets::begin(const TextFormat& format, const std::string& header) {
  const bool is_csv = format.form == TextFormat::Form::csv;
  const std::string beginning = is_csv ? header + "\n" : "{}\n";
  if (is_csv) {
    const Schema none;
    const TableReader names(bytes_of(beginning), format, {.schema = &none});
    for (const std::string& name : {partition_, offset_})
      if (std::ranges::find(names.not_in_schema(), name) == names.not_in_schema().end())
        throw InvalidInput(fmt::format("the column '{}' of --offsets must be in the header row.", name));
  }
  reader_ = std::make_unique<TableReader>(bytes_of(beginning), format, ColumnSelection{.schema = &schema_});
}

bool Offsets::is_new(std::string_view line, std::uint64_t number) {
  constexpr double limit = 9'007'199'254'740'992.0;  // up to here, doubles hold every whole number
  const Table row = reader_->read_line(line, number);
  const double offset = column_of(row, offset_, "--offsets").number(0);
  if (!(offset >= 0 && offset < limit && std::floor(offset) == offset))
    throw InvalidInput(
        fmt::format("line {}, column '{}': an offset must be a whole number from 0 on.", number, offset_));
  const auto value = static_cast<std::uint64_t>(offset);
  const auto [last, is_first] = last_.try_emplace(text_of(column_of(row, partition_, "--offsets"), 0), value);
  if (!is_first && value <= last->second) return false;
  last->second = value;
  return true;
}

}  // namespace pidforest::cli
