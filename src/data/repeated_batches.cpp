// SPDX-License-Identifier: Apache-2.0
#include "pidforest/repeated_batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "pidforest/error.h"

namespace pidforest {

namespace {

constexpr std::size_t most_rows = 65'536;

/// Copies of rows in any order; the memory is kept from batch to batch.
class RowCopies {
 public:
  Table of(const Table& table, const std::vector<std::size_t>& rows) {
    copies_.resize(table.n_columns());
    std::vector<Column> columns;
    for (std::size_t j = 0; j < table.n_columns(); ++j) columns.push_back(copies_[j].of(table.columns()[j], rows));
    return {rows.size(), std::move(columns)};
  }

 private:
  struct Values {
    std::vector<double> numbers = {};
    std::vector<std::string_view> texts = {};
    std::vector<std::int64_t> times = {};

    Column of(const Column& column, const std::vector<std::size_t>& rows) {
      Column copy = column;
      copy.stride = 1;
      if (column.type == ColumnType::text)
        copy.texts = filled(texts, rows, [&](std::size_t row) { return column.text(row); });
      else if (column.type == ColumnType::time)
        copy.times = filled(times, rows, [&](std::size_t row) { return column.time(row); });
      else
        copy.first = filled(numbers, rows, [&](std::size_t row) { return column.number(row); });
      return copy;
    }
    template <class Value, class ValueAt>
    static const Value* filled(std::vector<Value>& values, const std::vector<std::size_t>& rows,
                               const ValueAt& value_at) {
      values.resize(rows.size());
      std::ranges::transform(rows, values.begin(), value_at);
      return values.data();
    }
  };

  std::vector<Values> copies_;
};

}  // namespace

RepeatedBatches::RepeatedBatches(const Batches& batches, std::span<const std::uint64_t> weights)
    : batches_(batches), weights_(weights) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40U;
  if (weights.size() != batches.n_rows())
    throw InvalidInput(fmt::format("there must be {} weights, one per row; got {}.", batches.n_rows(), weights.size()));
  for (const std::uint64_t weight : weights) {
    if (weight > most - n_rows_) throw InvalidInput("the sum of all weights must be at most 2^40; it is more.");
    n_rows_ += weight;
  }
}

void RepeatedBatches::for_each(const std::function<void(const Table& batch)>& visit) const {
  std::size_t n_before = 0;
  std::size_t n_shown = 0;
  RowCopies copies;
  std::vector<std::size_t> rows;
  batches_.for_each([&](const Table& batch) {
    const auto show = [&] {
      visit(copies.of(batch, rows).numbered_from(n_shown));
      n_shown += rows.size();
      rows.clear();
    };
    for (std::size_t row = 0; row < batch.n_rows(); ++row)
      for (std::uint64_t left = weights_[n_before + row]; left > 0;) {
        const auto n = std::min<std::uint64_t>(left, most_rows - rows.size());
        rows.insert(rows.end(), n, row);
        left -= n;
        if (rows.size() == most_rows) show();
      }
    if (!rows.empty()) show();
    n_before += batch.n_rows();
  });
}

}  // namespace pidforest
