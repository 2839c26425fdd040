// SPDX-License-Identifier: Apache-2.0
// The marks of one row with the most bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace pidforest::reasons
