// SPDX-License-Identifier: Apache-2.0
#include "incidents/usual_step.h"

#include <algorithm>
#include <limits>

#include "values/time.h"

namespace pidforest::incidents {

std::int64_t median_of(std::vector<std::int64_t>& steps) {
  if (steps.empty()) return 0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  return *middle;
}

std::int64_t default_cool_down(std::int64_t usual_step) {
  const std::int64_t longest = std::numeric_limits<std::int64_t>::max() / steps_to_cool_down;
  return std::max(values::microseconds_per_hour, steps_to_cool_down * std::min(usual_step, longest));
}

void UsualStep::add(std::int64_t step) {
  if (step <= 0) return;
  if (steps_.size() < n_kept)
    steps_.push_back(step);
  else
    steps_[n_steps_ % n_kept] = step;
  ++n_steps_;
}

std::int64_t UsualStep::median() const {
  std::vector<std::int64_t> steps = steps_;
  return median_of(steps);
}

}  // namespace pidforest::incidents
