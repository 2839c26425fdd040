// SPDX-License-Identifier: Apache-2.0
// The rows with the most bits among many that go by.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pidforest::cli {

struct TopRow {
  double bits;
  /// From 0.
  std::uint64_t row;
  /// What is to be written of it, where that is known already.
  std::string line = {};

  /// The most bits come first; of equal ones the first in the file.
  bool operator<(const TopRow& other) const { return bits != other.bits ? bits > other.bits : row < other.row; }
};

/// Keeps the first `n` of all rows that were offered, and no more than those in memory.
class TopRows {
 public:
  explicit TopRows(std::size_t n) : n_(n) {}

  [[nodiscard]] bool would_keep(double bits, std::uint64_t row) const {
    return heap_.size() < n_ || (n_ > 0 && TopRow{bits, row} < heap_.front());
  }

  /// Only for a row that `would_keep` keeps.
  void add(TopRow one) {
    if (heap_.size() == n_) {
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(std::move(one));
    std::push_heap(heap_.begin(), heap_.end());
  }

  /// Those kept so far, in no order.
  [[nodiscard]] const std::vector<TopRow>& kept() const { return heap_; }

  /// The rows in their order. To be called once, last.
  std::vector<TopRow> take() {
    std::sort_heap(heap_.begin(), heap_.end());
    return std::move(heap_);
  }

 private:
  std::size_t n_;
  /// The last of those kept is at the front.
  std::vector<TopRow> heap_;
};

}  // namespace pidforest::cli
