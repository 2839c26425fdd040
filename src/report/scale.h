// SPDX-License-Identifier: Apache-2.0
// How the numbers of an axis are laid out between two ends.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pidforest::report {

/// Places go from 0, the low end, to 1.
class Scale {
 public:
  /// All lengths are as long as they are.
  Scale(double low, double high);
  /// Logarithmic where most of a sorted sample would be squeezed into a small part of an even scale: from zero, or if
  /// there are numbers below it, from the middle in both directions.
  Scale(double low, double high, std::span<const double> sample);

  /// What lies beyond an end is put at it.
  [[nodiscard]] double place_of(double number) const;
  [[nodiscard]] double number_at(double place) const;
  /// Some numbers that are easy to read, between the ends.
  [[nodiscard]] std::vector<double> round_numbers() const;
  /// "logarithmic"; empty if it is even.
  [[nodiscard]] std::string words() const;

 private:
  enum class Form : std::uint8_t { even, logarithmic, two_sided };

  void choose_form(std::span<const double> sample);
  [[nodiscard]] double bent(double half) const;
  [[nodiscard]] double straightened(double bent_half) const;

  Form form_ = Form::even;
  /// Half of each end, and of what else is a number: so the length of no axis overflows.
  double low_;
  double high_;
  /// Of a scale with two sides.
  double middle_ = 0;
  double unit_ = 1;
};

}  // namespace pidforest::report
