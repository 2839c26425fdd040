// SPDX-License-Identifier: Apache-2.0
#include "progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace pidforest::cli {

namespace {

constexpr auto patience = std::chrono::seconds(1);
constexpr auto between_draws = std::chrono::milliseconds(100);
constexpr const char* clear_line = "\r\x1B[K";

}  // namespace

ProgressLine::ProgressLine(bool quiet)
    : is_on_(!quiet && isatty(STDERR_FILENO) != 0), next_draw_(Clock::now() + patience) {}

ProgressLine::~ProgressLine() {
  if (is_drawn_) std::fputs(clear_line, stderr);
}

void ProgressLine::show(const Progress& progress) {
  if (!is_on_ || Clock::now() < next_draw_) return;
  const auto total = std::max<std::uint64_t>(progress.total, 1);
  const double percent = 100.0 * static_cast<double>(progress.done) / static_cast<double>(total);
  const std::string line =
      fmt::format("{}{} {}/{} {:.0f} %", clear_line, progress.stage, progress.done, progress.total, percent);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  is_drawn_ = true;
  next_draw_ = Clock::now() + between_draws;
}

}  // namespace pidforest::cli
