// SPDX-License-Identifier: Apache-2.0
// Model files: any bytes must be rejected with BadFile, or be a model that scores and survives a round trip.
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "fixed_checksums.h"
#include "pidforest/error.h"
#include "pidforest/model.h"

namespace {

using pidforest::Column;
using pidforest::ColumnSchema;
using pidforest::Kind;

constexpr std::size_t n_rows = 48;  // enough for a block

/// Values for a column of the schema: some of its levels, or numbers on both sides of 0.
class Values {
 public:
  explicit Values(const pidforest::Schema& schema) {
    for (const ColumnSchema& column : schema.columns) add(column);
  }
  [[nodiscard]] pidforest::Table table() const { return {n_rows, columns_}; }

 private:
  void add(const ColumnSchema& column) {
    if (column.kind == Kind::time) {
      auto& times = times_.emplace_back();
      for (std::size_t row = 0; row < n_rows; ++row)
        times.push_back(static_cast<std::int64_t>(row * row) * 7'777'777'777);
      columns_.push_back(Column::of_times(column.name, times.data()));
    } else if (!column.levels.empty()) {
      auto& texts = texts_.emplace_back();
      for (std::size_t row = 0; row < n_rows; ++row)
        texts.push_back(row % 9 == 8 ? std::string_view() : column.levels[row % column.levels.size()]);
      columns_.push_back(Column::of_texts(column.name, texts.data()));
    } else {
      const bool is_boolean = column.kind == Kind::boolean;
      auto& numbers = numbers_.emplace_back();
      for (std::size_t row = 0; row < n_rows; ++row)
        numbers.push_back(is_boolean ? static_cast<double>(row % 2) : static_cast<double>(row) * 3 - 20);
      columns_.push_back({column.name, numbers.data()});
    }
  }

  std::deque<std::vector<double>> numbers_;
  std::deque<std::vector<std::string_view>> texts_;
  std::deque<std::vector<std::int64_t>> times_;
  std::vector<Column> columns_;
};

void score(const pidforest::Model& model) {
  try {
    const Values values(model.schema());
    const auto scores = model.score(values.table(), {.threads = 1});
    for (std::size_t row = 0; row < n_rows; row += 5)
      if (model.score(values.table().rows(row, row + 1), {.threads = 1})[0] != scores[row]) std::abort();
  } catch (const pidforest::InvalidInput&) {
    return;  // the values do not fit the schema
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const auto model = pidforest::Model::from_bytes(pidforest::with_fixed_checksums(bytes));
    if (!(pidforest::Model::from_bytes(model.to_bytes()) == model)) std::abort();
    score(model);
  } catch (const pidforest::BadFile&) {
    return 0;
  }
  return 0;
}
