// SPDX-License-Identifier: Apache-2.0
// Products of marks: values that are rare on several axes of one row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "forest/forest.h"
#include "reasons/axis_marks.h"
#include "reasons/row_sets.h"

namespace pidforest::reasons {

/// The marks of a row with the most bits, the most first. Ties go to the marks that came first.
class RowMarks {
 public:
  static constexpr std::size_t most = 4;

  struct Mark {
    std::uint32_t number = 0;
    double bits = 0;
  };

  void add(const Mark& mark);
  [[nodiscard]] std::span<const Mark> marks() const { return std::span(marks_).first(n_); }
  /// The numbers in increasing order.
  [[nodiscard]] std::vector<std::uint32_t> numbers() const;

 private:
  std::array<Mark, most> marks_{};
  std::size_t n_ = 0;
};

/// The rows of a sample that a mark holds.
struct MarkedRows {
  std::vector<BlockSet> inside;
  std::uint64_t count = 0;
  double log2_share = 0;
};

/// What a sample tells of marks, by their numbers.
struct MarkFacts {
  std::function<double(std::uint32_t)> bits;
  std::function<MarkedRows(std::uint32_t)> rows;
};

/// Calls a function with all rows of a table, some at a time.
using RowSource = std::function<void(const std::function<void(const forest::Rows&)>&)>;

/// The products of marks that occur together in a row and, by a sample of `n_sample` rows, say more than their parts,
/// or hardly less: counting all rows decides. If there are too many, those that say most. Only marks with more bits
/// than chance gives the rarest axis are multiplied. Each product is a list of numbers of marks, in increasing order. A
/// product is given up if its volume is below `least_log2_volume`.
std::vector<std::vector<std::uint32_t>> find_products(const forest::Forest& forest, std::span<const Lines> lines,
                                                      const MarkFacts& facts, std::size_t n_sample,
                                                      double least_log2_volume, const RowSource& all_rows);

}  // namespace pidforest::reasons
