// SPDX-License-Identifier: Apache-2.0
// The numbers that rows have in their file, where only some of them are read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pidforest::cli {

/// Numbers count from 0, and increase.
class RowNumbers {
 public:
  /// All rows from number `first` on.
  explicit RowNumbers(std::uint64_t first = 0) : first_(first) {}
  /// Only these.
  explicit RowNumbers(std::vector<std::uint64_t> chosen) : are_chosen_(true), chosen_(std::move(chosen)) {}

  /// The number of a row, by its place among those that are read.
  [[nodiscard]] std::uint64_t of(std::uint64_t place) const { return are_chosen_ ? chosen_[place] : first_ + place; }
  /// The place of a row; nullopt for one that is not read. If all rows are read, every number has a place.
  [[nodiscard]] std::optional<std::uint64_t> place_of(std::uint64_t number) const {
    if (!are_chosen_) return number - first_;
    const auto found = std::ranges::lower_bound(chosen_, number);
    if (found == chosen_.end() || *found != number) return std::nullopt;
    return static_cast<std::uint64_t>(found - chosen_.begin());
  }

 private:
  std::uint64_t first_ = 0;
  bool are_chosen_ = false;
  std::vector<std::uint64_t> chosen_;
};

}  // namespace pidforest::cli
