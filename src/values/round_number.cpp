// SPDX-License-Identifier: Apache-2.0
#include "values/round_number.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "values/read_text.h"

namespace pidforest::values {

namespace {

/// A positive number of `n_digits` decimal digits: digits * 10^exponent.
class Decimal {
 public:
  /// The nearest to a number.
  Decimal(double number, int n_digits) {
    std::string text = fmt::format("{:.{}e}", number, n_digits - 1);
    const std::size_t e = text.find('e');
    exponent_ = std::stoi(text.substr(e + 1)) - (n_digits - 1);
    text.resize(e);
    std::erase(text, '.');
    digits_ = std::stoll(text);
    for (int i = 1; i < n_digits; ++i) least_ *= 10;
  }

  void increase() { ++digits_; }
  void decrease() {
    if (--digits_ >= least_) return;
    digits_ = least_ * 10 - 1;
    --exponent_;
  }
  /// NaN if it is beyond the range of a double.
  [[nodiscard]] double value() const { return read_number(fmt::format("{}e{}", digits_, exponent_)).value; }

 private:
  std::int64_t digits_;
  int exponent_;
  /// The smallest number of that many digits: 1, 10, 100.
  std::int64_t least_ = 1;
};

/// The nearest number with at most `n_digits` digits that is not below `number`, or if `is_up` is false, not above it.
double rounded(double number, int n_digits, bool is_up) {
  Decimal decimal(number, n_digits);
  const double value = decimal.value();
  if (is_up && value < number) decimal.increase();
  if (!is_up && value > number) decimal.decrease();
  return decimal.value();
}

}  // namespace

double roundest_between(double preferred, double other) {
  if ((preferred <= 0 && other >= 0) || (preferred >= 0 && other <= 0)) return 0;
  if (preferred < 0) return -roundest_between(-preferred, -other);
  const bool is_up = preferred <= other;
  const auto is_between = [&](double x) { return is_up ? x <= other : x >= other; };
  constexpr int all_digits = 17;
  for (int n_digits = 1; n_digits < all_digits; ++n_digits)
    if (const double round = rounded(preferred, n_digits, is_up); is_between(round)) return round;
  return preferred;
}

}  // namespace pidforest::values
