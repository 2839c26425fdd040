// SPDX-License-Identifier: Apache-2.0
#include "report/scale.h"

#include <algorithm>
#include <cmath>

namespace pidforest::report {

namespace {

double at_share(std::span<const double> sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

/// A sorted sample of two values, such as 0 and 1, has nothing between them that a scale could spread.
bool has_two_values(std::span<const double> sorted) {
  const auto second = std::ranges::upper_bound(sorted, sorted.front());
  return second != sorted.end() && *second == sorted.back();
}

/// The largest of 1, 2 and 5 times a power of ten that is not above `number`.
double round_below(double number) {
  const double power = std::pow(10, std::floor(std::log10(number)));
  for (const double factor : {5.0, 2.0})
    if (factor * power <= number * (1 + 1e-9)) return factor * power;
  return power;
}

double with_two_digits(double number) {
  if (number == 0) return 0;
  const double power = std::pow(10, std::floor(std::log10(std::abs(number))) - 1);
  return std::round(number / power) * power;
}

}  // namespace

Scale::Scale(double low, double high) : low_(low / 2), high_(high / 2) {}

Scale::Scale(double low, double high, std::span<const double> sample) : Scale(low, high) { choose_form(sample); }

void Scale::choose_form(std::span<const double> sample) {
  constexpr double squeezed = 0.05;
  if (sample.empty() || !(low_ < high_) || has_two_values(sample)) return;
  const double bulk = at_share(sample, 0.975) / 2 - at_share(sample, 0.025) / 2;
  if (bulk >= squeezed * (high_ - low_)) return;
  if (low_ > 0) {
    form_ = Form::logarithmic;
    return;
  }
  constexpr double smallest_unit = 1e-6;
  form_ = Form::two_sided;
  middle_ = at_share(sample, 0.5) / 2;
  unit_ = std::max(bulk, smallest_unit * (high_ - low_));
}

double Scale::bent(double half) const {
  if (form_ == Form::logarithmic) return std::log(half);
  return form_ == Form::two_sided ? std::asinh((half - middle_) / unit_) : half;
}

double Scale::straightened(double bent_half) const {
  if (form_ == Form::logarithmic) return std::exp(bent_half);
  return form_ == Form::two_sided ? middle_ + unit_ * std::sinh(bent_half) : bent_half;
}

double Scale::place_of(double number) const {
  const double half = std::clamp(number / 2, low_, high_);
  const double length = bent(high_) - bent(low_);
  if (!(length > 0)) return 0.5;
  return std::clamp((bent(half) - bent(low_)) / length, 0.0, 1.0);
}

double Scale::number_at(double place) const {
  return 2 * std::clamp(straightened(bent(low_) + place * (bent(high_) - bent(low_))), low_, high_);
}

std::vector<double> Scale::round_numbers() const {
  std::vector<double> numbers;
  if (!(low_ < high_)) return {2 * low_};
  if (form_ == Form::even) {
    const double step = round_below((high_ - low_) / 2);  // three to six ticks, since ends are halved
    for (double n = std::ceil(2 * low_ / step); n * step <= 2 * high_ && numbers.size() < 8; ++n)
      numbers.push_back(n * step);
    return numbers;
  }
  for (const double place : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double number = with_two_digits(number_at(place));
    if (number / 2 >= low_ && number / 2 <= high_ && (numbers.empty() || number > numbers.back()))
      numbers.push_back(number);
  }
  return numbers;
}

std::string Scale::words() const {
  if (form_ == Form::even) return {};
  return form_ == Form::logarithmic ? "logarithmic" : "logarithmic from the middle";
}

}  // namespace pidforest::report
