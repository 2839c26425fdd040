// SPDX-License-Identifier: Apache-2.0
// A progress line on the terminal for long work.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "pidforest/options.h"

namespace pidforest::cli {

enum class Unit : unsigned char { pieces, bytes };

/// "scoring 1200/4000 30 %, 400/s, 7 s left"; a total of 0 means unknown.
std::string progress_text(const Progress& progress, Unit unit, double seconds);

/// Shown only if standard error is a terminal and the work takes more than a second; removed at the end.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ProgressLine(ProgressLine&&) = delete;
  ProgressLine& operator=(ProgressLine&&) = delete;

  void show(const Progress& progress, Unit unit = Unit::pieces);
  /// Removes the line, before other output is written.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_on_;
  bool is_drawn_ = false;
  Clock::time_point next_draw_;
  /// The current stage and its start.
  std::string stage_;
  Clock::time_point stage_begin_;
};

}  // namespace pidforest::cli
