// SPDX-License-Identifier: Apache-2.0
#include "stream/even_step.h"

namespace pidforest::stream {

/// 0 if there is none, or none that can be named.
std::int64_t EvenStep::step_to(std::int64_t time) const {
  if (!last_ || time <= *last_) return 0;
  const std::uint64_t step = static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(*last_);
  return step <= longest ? static_cast<std::int64_t>(step) : 0;
}

std::int64_t EvenStep::of_last(std::uint64_t n, std::int64_t time) const {
  if (n_equal_ < n) return 0;
  return !last_ || step_to(time) == step_ ? step_ : 0;
}

void EvenStep::learn(std::int64_t time) {
  if (last_) {
    const std::int64_t step = step_to(time);
    n_equal_ = step == step_ && step > 0 ? n_equal_ + 1 : 1;
    step_ = step;
  }
  last_ = time;
}

EvenStep::Saved EvenStep::saved() const {
  return {last_ ? 1U : 0U, static_cast<std::uint64_t>(last_.value_or(0)), static_cast<std::uint64_t>(step_), n_equal_};
}

void EvenStep::restore(const Saved& saved) {
  last_ = saved.has_last != 0 ? std::optional(static_cast<std::int64_t>(saved.last)) : std::nullopt;
  step_ = static_cast<std::int64_t>(saved.step);
  n_equal_ = saved.n_equal;
}

}  // namespace pidforest::stream
