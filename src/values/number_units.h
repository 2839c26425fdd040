// SPDX-License-Identifier: Apache-2.0
// The currencies and units that may stand around a number. The places in these lists are written in parts of a fit, so
// new ones come last.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pidforest::values {

/// Stands for no currency and no unit.
inline constexpr std::size_t no_unit = ~std::size_t{0};

/// A longer name stands before its beginning.
inline constexpr std::array<std::string_view, 31> currencies{
    "US$", "R$",  "$",   "€",   "£",   "¥",   "₹",   "₽",   "₩",   "₺",   "₫",   "₪",   "₴",  "USD", "EUR", "GBP",
    "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "SEK", "NOK", "DKK", "PLN", "CZK", "BRL", "kr", "zł",  "฿"};

enum class UnitFamily : std::uint8_t {
  count,
  share,
  bytes,
  bits,
  time,
  length,
  mass,
  volume,
  power,
  rate,
  degree,
  other
};

/// Units of one family differ in size; `other` ones are not compared.
struct NumberUnit {
  std::string_view name;
  UnitFamily family;
  double size;
};

inline constexpr double kibi = 1024;
inline constexpr std::array<NumberUnit, 62> units{{{"k", UnitFamily::count, 1e3},
                                                   {"K", UnitFamily::count, 1e3},
                                                   {"M", UnitFamily::count, 1e6},
                                                   {"bn", UnitFamily::count, 1e9},
                                                   {"%", UnitFamily::share, 1},
                                                   {"B", UnitFamily::bytes, 1},
                                                   {"kB", UnitFamily::bytes, 1e3},
                                                   {"KB", UnitFamily::bytes, 1e3},
                                                   {"KiB", UnitFamily::bytes, kibi},
                                                   {"MB", UnitFamily::bytes, 1e6},
                                                   {"MiB", UnitFamily::bytes, kibi* kibi},
                                                   {"GB", UnitFamily::bytes, 1e9},
                                                   {"GiB", UnitFamily::bytes, kibi* kibi* kibi},
                                                   {"TB", UnitFamily::bytes, 1e12},
                                                   {"TiB", UnitFamily::bytes, kibi* kibi* kibi* kibi},
                                                   {"bps", UnitFamily::bits, 1},
                                                   {"kbps", UnitFamily::bits, 1e3},
                                                   {"Kbps", UnitFamily::bits, 1e3},
                                                   {"Mbps", UnitFamily::bits, 1e6},
                                                   {"Gbps", UnitFamily::bits, 1e9},
                                                   {"ns", UnitFamily::time, 1e-9},
                                                   {"us", UnitFamily::time, 1e-6},
                                                   {"µs", UnitFamily::time, 1e-6},
                                                   {"μs", UnitFamily::time, 1e-6},
                                                   {"ms", UnitFamily::time, 1e-3},
                                                   {"s", UnitFamily::time, 1},
                                                   {"sec", UnitFamily::time, 1},
                                                   {"min", UnitFamily::time, 60},
                                                   {"h", UnitFamily::time, 3600},
                                                   {"hr", UnitFamily::time, 3600},
                                                   {"mm", UnitFamily::length, 1e-3},
                                                   {"cm", UnitFamily::length, 1e-2},
                                                   {"m", UnitFamily::length, 1},
                                                   {"km", UnitFamily::length, 1e3},
                                                   {"mg", UnitFamily::mass, 1e-3},
                                                   {"g", UnitFamily::mass, 1},
                                                   {"kg", UnitFamily::mass, 1e3},
                                                   {"ml", UnitFamily::volume, 1e-3},
                                                   {"mL", UnitFamily::volume, 1e-3},
                                                   {"l", UnitFamily::volume, 1},
                                                   {"L", UnitFamily::volume, 1},
                                                   {"mW", UnitFamily::power, 1e-3},
                                                   {"W", UnitFamily::power, 1},
                                                   {"kW", UnitFamily::power, 1e3},
                                                   {"MW", UnitFamily::power, 1e6},
                                                   {"Hz", UnitFamily::rate, 1},
                                                   {"kHz", UnitFamily::rate, 1e3},
                                                   {"MHz", UnitFamily::rate, 1e6},
                                                   {"GHz", UnitFamily::rate, 1e9},
                                                   {"°C", UnitFamily::degree, 1},
                                                   {"°F", UnitFamily::other, 1},
                                                   {"°", UnitFamily::other, 1},
                                                   {"‰", UnitFamily::other, 1},
                                                   {"lb", UnitFamily::other, 1},
                                                   {"lbs", UnitFamily::other, 1},
                                                   {"oz", UnitFamily::other, 1},
                                                   {"ft", UnitFamily::other, 1},
                                                   {"mi", UnitFamily::other, 1},
                                                   {"mph", UnitFamily::other, 1},
                                                   {"km/h", UnitFamily::other, 1},
                                                   {"rpm", UnitFamily::other, 1},
                                                   {"kWh", UnitFamily::other, 1}}};

inline double unit_size_of(std::size_t unit) { return unit == no_unit ? 1 : units[unit].size; }
inline UnitFamily unit_family_of(std::size_t unit) { return unit == no_unit ? UnitFamily::count : units[unit].family; }

/// Units that differ in size only may stand in one column.
inline bool are_alike(std::size_t a, std::size_t b) {
  return a == b || (unit_family_of(a) == unit_family_of(b) && unit_family_of(a) != UnitFamily::other);
}

}  // namespace pidforest::values
