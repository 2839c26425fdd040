// SPDX-License-Identifier: Apache-2.0
// 64-bit integers of Arrow as texts: row identifiers keep digits that a double cannot hold.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pidforest/arrow.h"

namespace pidforest::cli {

/// Whether the values of a column are signed or unsigned 64-bit integers.
bool has_integer_texts(const ArrowSchema& schema);

/// The schema of the texts; views the name of the given one.
ArrowSchema schema_of_integer_texts(const ArrowSchema& integers);

class IntegerTexts {
 public:
  /// Throws InvalidInput for an array without values, or with a negative length.
  IntegerTexts(const ArrowArray& integers, const ArrowSchema& schema);
  IntegerTexts(const IntegerTexts&) = delete;
  IntegerTexts& operator=(const IntegerTexts&) = delete;
  IntegerTexts(IntegerTexts&&) = delete;
  IntegerTexts& operator=(IntegerTexts&&) = delete;
  ~IntegerTexts() = default;

  /// Texts with 64-bit offsets, which belong to this.
  [[nodiscard]] ArrowArray* array() { return &array_; }

 private:
  std::string validity_;
  std::vector<std::int64_t> offsets_;
  std::string characters_;
  std::array<const void*, 3> buffers_ = {};
  ArrowArray array_ = {};
};

}  // namespace pidforest::cli
