// SPDX-License-Identifier: Apache-2.0
// Arrow streams of any types, values and contradictions: rejected with InvalidInput, or read; equally as a whole, by
// columns and batch by batch. Every structure is released exactly once.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/any_arrow.h"
#include "pidforest/arrow.h"
#include "pidforest/error.h"
#include "pidforest/schema.h"

namespace {

using pidforest::ArrayTable;
using pidforest::Column;
using pidforest::ColumnType;

std::string shown(const Column& column, std::size_t row) {
  if (column.type == ColumnType::text) return fmt::format("'{}'", column.text(row));
  if (column.type == ColumnType::time) return fmt::format("{}{}", column.time(row), column.are_local ? "" : "Z");
  return fmt::format("{}", column.number(row));
}

std::string shown(const Column& column, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t row = begin; row < end; ++row) text += shown(column, row) + ",";
  return text;
}

/// All values, column by column.
std::vector<std::string> columns_of(const pidforest::Batches& table) {
  std::vector<std::string> columns(table.header().n_columns());
  table.for_each([&](const pidforest::Table& batch) {
    for (std::size_t j = 0; j < columns.size(); ++j) columns[j] += shown(batch.columns()[j], 0, batch.n_rows());
  });
  return columns;
}

void require_same_parts(const ArrayTable& table, const std::vector<std::string>& columns) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    std::string parts;
    table.for_each_part(j, [&](const Column& part, std::size_t n) { parts += shown(part, 0, n); });
    if (parts != columns[j]) std::abort();
  }
}

/// The columns of all batches, which are read one by one.
std::vector<std::string> columns_by_batches(ArrowArrayStream stream) {
  std::vector<std::string> columns;
  pidforest::for_each_batch(&stream, [&](const ArrayTable& batch) {
    const std::vector<std::string> more = columns_of(batch);
    columns.resize(more.size());
    for (std::size_t j = 0; j < more.size(); ++j) columns[j] += more[j];
  });
  return columns;
}

void check(const pidforest::MadeStream& made, pidforest::Ledger& ledger) {
  try {
    ArrowArrayStream stream = pidforest::give_stream(made, ledger);
    const ArrayTable table = ArrayTable::from_arrow(&stream);
    const std::vector<std::string> columns = columns_of(table);
    require_same_parts(table, columns);
    (void)pidforest::infer_schema(table, table.declared());
    if (columns_by_batches(pidforest::give_stream(made, ledger)) != columns) std::abort();
  } catch (const pidforest::InvalidInput&) {
    return;
  }
}

void check_pair(const pidforest::MadeArray& schema, const pidforest::MadeArray& array, pidforest::Ledger& ledger) {
  ArrowSchema given_schema = pidforest::give_schema(schema, ledger);
  ArrowArray given_array = pidforest::give_array(array, ledger);
  try {
    ArrayTable table(static_cast<std::size_t>(std::max<std::int64_t>(array.length, 0)));
    table.add_arrow("x", &given_schema, &given_array);
    require_same_parts(table, columns_of(table));
  } catch (const pidforest::InvalidInput&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pidforest::fuzz::Choices choices({reinterpret_cast<const char*>(data), size});
  const pidforest::MadeStream made = pidforest::fuzz::any_stream(choices);
  pidforest::Ledger ledger;
  check(made, ledger);
  for (const pidforest::MadeArray& batch : made.arrays)
    for (std::size_t j = 0; j < std::min(batch.children.size(), made.schema.children.size()); ++j)
      check_pair(made.schema.children[j], batch.children[j], ledger);
  if (ledger.n_given != ledger.n_released) std::abort();
  return 0;
}
