// SPDX-License-Identifier: Apache-2.0
// One line on the terminal that says how far a long piece of work is.
#pragma once

#include <chrono>

#include "pidforest/run.h"

namespace pidforest::cli {

/// Silent unless the standard error is a terminal and the work lasts over a second; leaves no trace at the end.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ProgressLine(ProgressLine&&) = delete;
  ProgressLine& operator=(ProgressLine&&) = delete;

  void show(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  bool is_on_;
  bool is_drawn_ = false;
  Clock::time_point next_draw_;
};

}  // namespace pidforest::cli
