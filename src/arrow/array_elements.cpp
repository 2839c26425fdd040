// SPDX-License-Identifier: Apache-2.0
#include "arrow/array_elements.h"

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

namespace pidforest::arrow {

namespace {

struct Half {
  std::uint16_t bits;
};
struct Byte {
  std::uint8_t is_true;
};

double number_of(Half half) { return half_value(half.bits); }
double number_of(Byte boolean) { return boolean.is_true == 0 ? 0 : 1; }
template <class T>
double number_of(T value) {
  return static_cast<double>(value);
}

template <class T>
std::int64_t integer_of(T value) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  if constexpr (std::is_same_v<T, std::uint64_t>) return value > largest ? largest : static_cast<std::int64_t>(value);
  if constexpr (std::is_integral_v<T>) return static_cast<std::int64_t>(value);
  return 0;
}

/// Calls visit(T{}) with T, the element's type in memory.
template <class Visit>
void with_type(ElementType element, const Visit& visit) {
  switch (element) {
    case ElementType::boolean:
      return visit(Byte{});
    case ElementType::int8:
      return visit(std::int8_t{});
    case ElementType::int16:
      return visit(std::int16_t{});
    case ElementType::int32:
      return visit(std::int32_t{});
    case ElementType::int64:
      return visit(std::int64_t{});
    case ElementType::uint8:
      return visit(std::uint8_t{});
    case ElementType::uint16:
      return visit(std::uint16_t{});
    case ElementType::uint32:
      return visit(std::uint32_t{});
    case ElementType::uint64:
      return visit(std::uint64_t{});
    case ElementType::float16:
      return visit(Half{});
    case ElementType::float32:
      return visit(float{});
    case ElementType::float64:
      return visit(double{});
  }
}

/// out[i] = value_of(element begin + i). Contiguous elements have a loop of their own, which compilers vectorize.
template <class T, class Value, class ValueOf>
void read(const Elements& elements, std::size_t begin, std::span<Value> out, const ValueOf& value_of) {
  const std::byte* first = elements.at(begin);
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(T));
  const auto n = static_cast<std::ptrdiff_t>(out.size());
  Value* to = out.data();
  if (elements.stride == size)
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = value_of(loaded<T>(first + i * size));
  else
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = value_of(loaded<T>(first + i * elements.stride));
}

}  // namespace

std::ptrdiff_t size_of(ElementType element) {
  std::ptrdiff_t size = 0;
  with_type(element, [&](auto type) { size = sizeof(type); });
  return size;
}

bool is_integer(ElementType element) { return element >= ElementType::int8 && element <= ElementType::uint64; }

void read_numbers(const Elements& elements, std::size_t begin, std::span<double> out) {
  with_type(elements.element, [&](auto type) {
    using T = decltype(type);
    read<T>(elements, begin, out, [](T value) { return number_of(value); });
  });
}

void read_integers(const Elements& elements, std::size_t begin, std::span<std::int64_t> out) {
  with_type(elements.element, [&](auto type) {
    using T = decltype(type);
    read<T>(elements, begin, out, [](T value) { return integer_of(value); });
  });
}

double half_value(std::uint16_t bits) {
  constexpr unsigned n_fraction_bits = 10;
  constexpr int bias = 15;
  const int exponent = (bits >> n_fraction_bits) & 0x1F;
  const int fraction = bits & 0x3FF;
  double size = 0;
  if (exponent == 0x1F)
    size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    size = std::ldexp(fraction, 1 - bias - static_cast<int>(n_fraction_bits));
  else
    size = std::ldexp(fraction + 0x400, exponent - bias - static_cast<int>(n_fraction_bits));
  return (bits & 0x8000) != 0 ? -size : size;
}

}  // namespace pidforest::arrow
