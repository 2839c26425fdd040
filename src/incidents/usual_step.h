// SPDX-License-Identifier: Apache-2.0
// The usual time between two events of a series.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pidforest::incidents {

/// How many usual steps, or events without times, a cool-down takes by default.
inline constexpr std::int64_t steps_to_cool_down = 24;

/// The upper median; 0 of no steps. Changes their order.
std::int64_t median_of(std::vector<std::int64_t>& steps);

/// The cool-down of a series with this usual step, in microseconds.
std::int64_t default_cool_down(std::int64_t usual_step);

/// The median of the last steps.
class UsualStep {
 public:
  static constexpr std::size_t n_kept = 31;

  UsualStep() = default;
  /// Restores the steps that `steps` and `n_steps` gave.
  UsualStep(std::vector<std::int64_t> steps, std::uint64_t n_steps) : steps_(std::move(steps)), n_steps_(n_steps) {}

  /// A step that is not positive is not counted.
  void add(std::int64_t step);
  /// 0 before the first step.
  [[nodiscard]] std::int64_t median() const;

  [[nodiscard]] const std::vector<std::int64_t>& steps() const { return steps_; }
  [[nodiscard]] std::uint64_t n_steps() const { return n_steps_; }

 private:
  /// The latest step is at place (n_steps_ - 1) % n_kept.
  std::vector<std::int64_t> steps_;
  std::uint64_t n_steps_ = 0;
};

}  // namespace pidforest::incidents
