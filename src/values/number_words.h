// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: rounded, with thousands separators.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pidforest::values {

/// 1,204,331
std::string count_words(std::uint64_t count);

/// The noun in the plural unless there is one: row, rows; key, keys; anomaly, anomalies.
std::string noun_for(std::uint64_t n, std::string_view noun);

/// "1 row", "3 rows": the count without separators, and the noun.
std::string counted(std::uint64_t n, std::string_view noun);

/// An approximate count: 168,600, 0.012.
std::string expected_words(double count);

/// Rounds to `n_digits` significant digits: 9000, 168,600, 0.00321, 1.5e-07. Thousands separators start at five digits,
/// because a number of four digits may be a year.
std::string number_words(double number, int n_digits);

/// Two digits: 14 %, 0.21 %; below a hundredth of a percent: 1 in 83,000.
std::string share_words(double share);

}  // namespace pidforest::values
