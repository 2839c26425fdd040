// SPDX-License-Identifier: Apache-2.0
// Reads numbers of any size and stride as doubles or 64-bit integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "pidforest/arrow.h"

namespace pidforest::arrow {

/// The value at a place that need not be aligned.
template <class T>
T loaded(const std::byte* place) {
  T value;
  std::memcpy(&value, place, sizeof(T));
  return value;
}

/// Element i is at first + i * stride bytes; it need not be aligned.
struct Elements {
  ElementType element = ElementType::float64;
  const std::byte* first = nullptr;
  std::ptrdiff_t stride = 0;

  [[nodiscard]] const std::byte* at(std::size_t i) const { return first + static_cast<std::ptrdiff_t>(i) * stride; }
};

std::ptrdiff_t size_of(ElementType element);
bool is_integer(ElementType element);

/// Reads the elements from `begin` on, each as the nearest double; booleans as 0 and 1.
void read_numbers(const Elements& elements, std::size_t begin, std::span<double> out);
/// Reads the elements from `begin` on as integers; values above the signed 64-bit range become the largest.
void read_integers(const Elements& elements, std::size_t begin, std::span<std::int64_t> out);

/// Converts the bits of an IEEE 754 half to a double, exactly.
double half_value(std::uint16_t bits);

}  // namespace pidforest::arrow
