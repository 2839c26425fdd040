// SPDX-License-Identifier: Apache-2.0
// Maps the numbers of an axis to places between its two ends.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pidforest::report {

/// Places go from 0, the low end, to 1.
class Scale {
 public:
  /// An even scale.
  Scale(double low, double high);
  /// Logarithmic if an even scale would squeeze most of a sorted sample into a small part: from zero, or from the
  /// middle in both directions if there are negative numbers. A sample of two values has an even scale.
  Scale(double low, double high, std::span<const double> sample);

  /// A number beyond an end is put at that end.
  [[nodiscard]] double place_of(double number) const;
  [[nodiscard]] double number_at(double place) const;
  /// Round numbers between the ends.
  [[nodiscard]] std::vector<double> round_numbers() const;
  /// "logarithmic"; empty if it is even.
  [[nodiscard]] std::string words() const;

 private:
  enum class Form : std::uint8_t { even, logarithmic, two_sided };

  void choose_form(std::span<const double> sample);
  [[nodiscard]] double bent(double half) const;
  [[nodiscard]] double straightened(double bent_half) const;

  Form form_ = Form::even;
  /// Ends and numbers are halved, so that no length overflows.
  double low_;
  double high_;
  /// The centre of a scale with two sides.
  double middle_ = 0;
  double unit_ = 1;
};

}  // namespace pidforest::report
