// SPDX-License-Identifier: Apache-2.0
// A piece of a column as others lay it out in memory, of which a stretch of rows at a time is made a column of ours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
  /// Null, or a byte per row that is not 0 where the value is missing.
  explicit MissingRows(const std::uint8_t* mask) : mask_(mask) {}

  /// Rows whose bit is 0 are missing too: row i has bit offset + i, the lowest of a byte first. At most two such.
  void add_validity(const std::uint8_t* bits, std::size_t offset, std::size_t n_rows);

  [[nodiscard]] bool are_none() const { return mask_ == nullptr && validity_[0].bits == nullptr; }
  [[nodiscard]] bool contain(std::size_t row) const {
    return (mask_ != nullptr && mask_[row] != 0) || !validity_[0][row] || !validity_[1][row];
  }
  /// Calls visit(row - begin) for those from `begin` up to but not including `end`.
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

class ArrayPart;

/// Memory for the converted values of one column, kept from stretch to stretch.
struct Scratch {
  std::vector<double> numbers = {};
  std::vector<std::string_view> texts = {};
  std::vector<std::int64_t> times = {};
  /// The levels that codes were looked up in last, and whose they are.
  const ArrayPart* levels_of = nullptr;
  std::unique_ptr<Scratch> level_memory = {};
  Column levels = {};
};

class ArrayPart {
 public:
  ArrayPart() = default;
  virtual ~ArrayPart() = default;
  ArrayPart(const ArrayPart&) = delete;
  ArrayPart& operator=(const ArrayPart&) = delete;

  [[nodiscard]] virtual ColumnType type() const = 0;
  /// Whether `show` needs no scratch memory.
  [[nodiscard]] virtual bool is_viewed() const { return false; }
  /// Points `column`, which has its name and the number of the row `begin`, to the values from `begin` up to but not
  /// including `end`: where they lie, or in `scratch`. Throws InvalidInput for one that cannot be read.
  virtual void show(std::size_t begin, std::size_t end, Scratch& scratch, Column& column) const = 0;
};

using Part = std::unique_ptr<const ArrayPart>;

/// Booleans are a column of booleans.
Part part_of_numbers(const Elements& elements, const MissingRows& missing);
Part part_of_texts(std::vector<std::string_view> texts);
/// Integers, of which the least of 64 bits is missing.
Part part_of_times(const Elements& elements, TimeUnit unit, const MissingRows& missing, bool are_local);

/// How integers become numbers: times `factor`, by `divisor`.
struct Scale {
  double factor = 1;
  double divisor = 1;
};
/// To seconds.
Scale scale_of_durations(TimeUnit unit);
/// Integers, of which the least of 64 bits is missing, as numbers.
Part part_of_scaled(const Elements& elements, const Scale& scale, const MissingRows& missing);

/// What codes stand for.
struct CodedLevels {
  std::shared_ptr<const ArrayPart> values = {};
  std::size_t n = 0;
  /// A code below 0 is missing, and no mistake.
  bool negative_is_missing = false;
};
/// Integers that are places among levels.
Part part_of_codes(const Elements& codes, CodedLevels levels, const MissingRows& missing);

}  // namespace pidforest::arrow
