// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: rounded, with thousands set apart.
#pragma once

#include <cstdint>
#include <string>

namespace pidforest::values {

/// 1,204,331
std::string count_words(std::uint64_t count);

/// A count that is not known to the last: 168,600, 0.012.
std::string expected_words(double count);

/// Rounded to as many digits: 9000, 168,600, 0.00321, 1.5e-07. Thousands are set apart from five digits on, as four may
/// be a year.
std::string number_words(double number, int n_digits);

/// 14 %, 0.21 %, and below a hundredth of a percent 1 in 83,000. Two digits.
std::string share_words(double share);

}  // namespace pidforest::values
