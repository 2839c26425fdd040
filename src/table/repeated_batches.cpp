// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/table.h.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/table.h"

namespace pidforest {

namespace {

constexpr std::size_t most_rows = 65'536;

/// Copies selected rows of a column; the memory is reused between calls.
class RowCopies {
 public:
  Column of(const Column& column, std::span<const std::size_t> rows) {
    Column copy = column;
    copy.stride = 1;
    if (column.type == ColumnType::text)
      copy.texts = filled(texts_, rows, [&](std::size_t row) { return column.text(row); });
    else if (column.type == ColumnType::time)
      copy.times = filled(times_, rows, [&](std::size_t row) { return column.time(row); });
    else
      copy.first = filled(numbers_, rows, [&](std::size_t row) { return column.number(row); });
    return copy;
  }

 private:
  template <class Value, class ValueAt>
  static const Value* filled(std::vector<Value>& values, std::span<const std::size_t> rows, const ValueAt& value_at) {
    values.resize(rows.size());
    std::ranges::transform(rows, values.begin(), value_at);
    return values.data();
  }

  std::vector<double> numbers_;
  std::vector<std::string_view> texts_;
  std::vector<std::int64_t> times_;
};

/// Walks through the weights, batch by batch.
class Repeater {
 public:
  explicit Repeater(std::span<const std::uint64_t> weights) : weights_(weights) {}

  /// Calls show(rows, n_before) for the next `n_rows` rows. Each row is repeated by its weight; one call gets at most
  /// `most_rows` rows, and `n_before` is the number of rows shown before it.
  template <class Show>
  void repeat(std::size_t n_rows, const Show& show) {
    const auto finish = [&] {
      show(std::span<const std::size_t>(rows_), n_before_);
      n_before_ += rows_.size();
      rows_.clear();
    };
    for (std::size_t row = 0; row < n_rows; ++row)
      for (std::uint64_t left = weights_[row]; left > 0;) {
        const auto n = std::min<std::uint64_t>(left, most_rows - rows_.size());
        rows_.insert(rows_.end(), n, row);
        left -= n;
        if (rows_.size() == most_rows) finish();
      }
    if (!rows_.empty()) finish();
    weights_ = weights_.subspan(n_rows);
  }

 private:
  std::span<const std::uint64_t> weights_;
  std::vector<std::size_t> rows_;
  std::size_t n_before_ = 0;
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
  Repeater repeater(weights_);
  std::vector<RowCopies> copies(header().n_columns());
  batches_.for_each([&](const Table& batch) {
    repeater.repeat(batch.n_rows(), [&](std::span<const std::size_t> rows, std::size_t n_before) {
      std::vector<Column> repeated;
      repeated.reserve(copies.size());
      for (std::size_t j = 0; j < copies.size(); ++j) repeated.push_back(copies[j].of(batch.columns()[j], rows));
      visit(Table(rows.size(), std::move(repeated)).numbered_from(n_before));
    });
  });
}

void RepeatedBatches::for_each_part(std::size_t column,
                                    const std::function<void(const Column& part, std::size_t n_rows)>& visit) const {
  Repeater repeater(weights_);
  RowCopies copies;
  batches_.for_each_part(column, [&](const Column& part, std::size_t n_rows) {
    repeater.repeat(n_rows, [&](std::span<const std::size_t> rows, std::size_t n_before) {
      Column repeated = copies.of(part, rows);
      repeated.first_row = n_before;
      visit(repeated, rows.size());
    });
  });
}

}  // namespace pidforest
