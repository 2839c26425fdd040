// SPDX-License-Identifier: Apache-2.0
// The rows of a sample in an order in which the rows of every node lie side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace pidforest::forest {

class RowOrder {
 public:
  explicit RowOrder(std::size_t n_rows) : rows_(n_rows) { std::iota(rows_.begin(), rows_.end(), 0U); }

  [[nodiscard]] std::span<const std::uint32_t> rows() const { return rows_; }
  [[nodiscard]] std::span<std::uint32_t> rows() { return rows_; }

  /// Sorts the rows at begin .. end by child, keeping the order within each child.
  void divide(std::size_t begin, std::size_t end, std::span<const std::uint32_t> child_of_row, std::size_t n_children) {
    next_.assign(n_children + 1, begin);
    for (std::size_t i = begin; i < end; ++i) ++next_[child_of_row[rows_[i]] + 1];
    for (std::size_t child = 1; child < n_children; ++child) next_[child] += next_[child - 1] - begin;
    divided_.resize(rows_.size());
    for (std::size_t i = begin; i < end; ++i) divided_[next_[child_of_row[rows_[i]]]++] = rows_[i];
    std::copy(divided_.begin() + static_cast<std::ptrdiff_t>(begin), divided_.begin() + static_cast<std::ptrdiff_t>(end),
              rows_.begin() + static_cast<std::ptrdiff_t>(begin));
  }

 private:
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> divided_;
  std::vector<std::size_t> next_;
};

}  // namespace pidforest::forest
