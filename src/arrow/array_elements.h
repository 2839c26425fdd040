// SPDX-License-Identifier: Apache-2.0
// Numbers of any size, any distance apart, read as the two kinds that we reckon with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "pidforest/arrow.h"

namespace pidforest::arrow {

/// Element i is i * stride bytes behind `first`, aligned or not.
struct Elements {
  Element element = Element::float64;
  const std::byte* first = nullptr;
  std::ptrdiff_t stride = 0;

  [[nodiscard]] const std::byte* at(std::size_t i) const { return first + static_cast<std::ptrdiff_t>(i) * stride; }
};

std::ptrdiff_t size_of(Element element);
bool is_integer(Element element);

/// The elements from `begin` on, each as the nearest double; booleans as 0 and 1.
void read_numbers(const Elements& elements, std::size_t begin, std::span<double> out);
/// The same of integers; those beyond 64 bits with sign are the largest.
void read_integers(const Elements& elements, std::size_t begin, std::span<std::int64_t> out);

/// The bits of an IEEE 754 half as a double, exactly.
double half_value(std::uint16_t bits);

}  // namespace pidforest::arrow
