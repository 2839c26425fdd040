// SPDX-License-Identifier: Apache-2.0
// Converts the encoded numbers of one axis to the user's unit and back: the inverse of the codecs for numbers and
// times.
#pragma once

#include <cstdint>
#include <optional>

#include "pidforest/schema.h"

namespace pidforest::schema {

/// Converts a bound to the other unit such that the same values are above it. Not for axes whose cells have names.
class NativeScale {
 public:
  /// `derivation` is set for an axis of a time column. The schema must be complete.
  NativeScale(const ColumnSchema& schema, std::optional<Derivation> derivation);

  /// The length of the circle in native units; 0 if the axis is not cyclic.
  [[nodiscard]] double period() const { return period_; }
  /// The length of a cell in native units (1 for whole numbers); 0 without cells.
  [[nodiscard]] double step() const;

  [[nodiscard]] double to_native(double encoded) const;
  [[nodiscard]] double to_encoded(double native) const;

 private:
  enum class Form : std::uint8_t { plain, whole_numbers, cells, microseconds };

  void set_circle(double period, double n_cells);
  void set_time(Derivation derivation, Resolution resolution);
  [[nodiscard]] double least_whole_number(double encoded) const;

  Form form_ = Form::plain;
  double period_ = 0;
  double n_cells_ = 0;
  /// For whole numbers: the first of the range.
  double first_ = 0;
  /// For times without cells.
  double microseconds_per_unit_ = 1;
};

/// Returns the first microsecond that, converted to units, is not below `bound`.
std::int64_t first_microsecond(double bound, double microseconds_per_unit);

}  // namespace pidforest::schema
