// SPDX-License-Identifier: Apache-2.0
// A piece of a column in a foreign memory layout. It is shown as one of our columns, one stretch of rows at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "arrow/array_elements.h"
#include "pidforest/arrow.h"
#include "pidforest/table.h"

namespace pidforest::arrow {

/// Which values of a piece are missing.
class MissingRows {
 public:
  MissingRows() = default;
  /// `mask` is null, or has one byte per row that is nonzero if the value is missing.
  explicit MissingRows(const std::uint8_t* mask) : mask_(mask) {}

  /// Adds a validity bitmap: row i is missing if bit offset + i is 0, counting from the lowest bit of each byte. At
  /// most two bitmaps.
  void add_validity(const std::uint8_t* bits, std::size_t offset, std::size_t n_rows);

  [[nodiscard]] bool are_none() const { return mask_ == nullptr && validity_[0].bits == nullptr; }
  [[nodiscard]] bool contain(std::size_t row) const {
    return (mask_ != nullptr && mask_[row] != 0) || !validity_[0][row] || !validity_[1][row];
  }
  /// Calls visit(row - begin) for each missing row from `begin` up to but not including `end`.
  template <class Visit>
  void for_each(std::size_t begin, std::size_t end, const Visit& visit) const {
    if (are_none()) return;
    for (std::size_t row = begin; row < end; ++row)
      if (contain(row)) visit(row - begin);
  }

 private:
  struct Validity {
    const std::uint8_t* bits = nullptr;
    std::size_t offset = 0;

    [[nodiscard]] bool operator[](std::size_t row) const {
      return bits == nullptr || ((bits[(offset + row) / 8] >> ((offset + row) % 8)) & 1U) != 0;
    }
  };

  const std::uint8_t* mask_ = nullptr;
  std::array<Validity, 2> validity_;
};

struct ArrayPart;

/// Memory for the converted values of one column, reused from stretch to stretch.
struct Scratch {
  std::vector<double> numbers = {};
  std::vector<std::string_view> texts = {};
  std::vector<std::int64_t> times = {};
  /// The levels in which codes were looked up last, and the part that they belong to.
  const ArrayPart* levels_of = nullptr;
  std::unique_ptr<Scratch> level_memory = {};
  Column levels = {};
};

struct ArrayPart {
  ColumnType type = ColumnType::number;
  /// Points `column` to the values from `begin` up to but not including `end`, either in place or in `scratch`. The
  /// name of the column and the number of its first row must be set already. Throws InvalidInput for a value that
  /// cannot be read.
  std::function<void(std::size_t begin, std::size_t end, Scratch& scratch, Column& column)> show = {};
  /// True if `show` needs no scratch memory.
  bool is_viewed = false;
};

/// Throws InvalidInput for row i of the column that is shown: "row 17, column 'amount': must be ...".
[[noreturn]] void refuse_row(const Column& column, std::size_t i, std::string_view words);

/// Elements of type boolean make a column of booleans.
ArrayPart part_of_numbers(const Elements& elements, const MissingRows& missing);
ArrayPart part_of_texts(std::vector<std::string_view> texts);
/// Integers; the smallest 64-bit integer means missing.
ArrayPart part_of_times(const Elements& elements, TimeUnit unit, const MissingRows& missing, bool are_local);

/// Converts integers to numbers: multiplied by `factor`, divided by `divisor`.
struct Ratio {
  double factor = 1;
  double divisor = 1;
};
/// The conversion to seconds.
Ratio ratio_of_durations(TimeUnit unit);
/// Integers converted to numbers; the smallest 64-bit integer means missing.
ArrayPart part_of_scaled(const Elements& elements, const Ratio& scale, const MissingRows& missing);

/// The levels that codes refer to.
struct CodedLevels {
  std::shared_ptr<const ArrayPart> values = {};
  std::size_t n = 0;
  /// A negative code means missing and is not an error.
  bool negative_is_missing = false;
};
/// Integers that are indices of levels.
ArrayPart part_of_codes(const Elements& codes, const CodedLevels& levels, const MissingRows& missing);

}  // namespace pidforest::arrow
