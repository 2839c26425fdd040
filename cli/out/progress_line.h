// SPDX-License-Identifier: Apache-2.0
// One line on the terminal that says how far a long piece of work is.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "pidforest/options.h"

namespace pidforest::cli {

enum class Unit : unsigned char { pieces, bytes };

/// "scoring 1200/4000 30 %, 400/s, 7 s left"; a total of 0 is not known.
std::string progress_text(const Progress& progress, Unit unit, double seconds);

/// Silent unless the standard error is a terminal and the work lasts over a second; leaves no trace at the end.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ProgressLine(ProgressLine&&) = delete;
  ProgressLine& operator=(ProgressLine&&) = delete;

  void show(const Progress& progress, Unit unit = Unit::pieces);
  /// Takes the line away, as before other words are written.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_on_;
  bool is_drawn_ = false;
  Clock::time_point next_draw_;
  /// What is under way, and since when.
  std::string stage_;
  Clock::time_point stage_begin_;
};

}  // namespace pidforest::cli
