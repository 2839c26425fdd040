// SPDX-License-Identifier: Apache-2.0
#include "out/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace pidforest::cli {

namespace {

constexpr auto patience = std::chrono::seconds(1);
constexpr auto between_draws = std::chrono::milliseconds(100);
constexpr const char* clear_line = "\r\x1B[K";

std::string amount(double n, Unit unit) {
  return unit == Unit::bytes ? fmt::format("{:.1f} MB", n / 1e6) : fmt::format("{:.0f}", n);
}

std::string bar(double share) {
  constexpr double width = 20;
  return fmt::format("[{:-<20}]", std::string(static_cast<std::size_t>(width * std::clamp(share, 0.0, 1.0)), '#'));
}

std::string time_left(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s left", std::ceil(seconds));
  return seconds < 5400 ? fmt::format("{:.0f} min left", seconds / 60) : fmt::format("{:.1f} h left", seconds / 3600);
}

}  // namespace

std::string progress_text(const Progress& progress, Unit unit, double seconds) {
  const auto done = static_cast<double>(progress.done);
  const auto total = static_cast<double>(progress.total);
  std::string text(progress.stage);
  if (total > 0) text += fmt::format(" {} {:.0f} %,", bar(done / total), 100 * done / total);
  text += fmt::format(" {}", amount(done, unit));
  if (total > 0) text += fmt::format("/{}", amount(total, unit));
  const double rate = done / std::max(seconds, 1e-3);
  if (done > 0) text += fmt::format(", {}/s", amount(rate, unit));
  if (done > 0 && total > done) text += fmt::format(", {}", time_left((total - done) / rate));
  return text;
}

ProgressLine::ProgressLine(bool quiet)
    : is_on_(!quiet && isatty(STDERR_FILENO) != 0), next_draw_(Clock::now() + patience), stage_begin_(Clock::now()) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (std::exchange(is_drawn_, false)) std::fputs(clear_line, stderr);
}

void ProgressLine::show(const Progress& progress, Unit unit) {
  if (!is_on_) return;
  const auto now = Clock::now();
  if (progress.stage != stage_) {
    stage_ = progress.stage;
    stage_begin_ = now;
  }
  if (now < next_draw_) return;
  const double seconds = std::chrono::duration<double>(now - stage_begin_).count();
  std::fputs((clear_line + progress_text(progress, unit, seconds)).c_str(), stderr);
  std::fflush(stderr);
  is_drawn_ = true;
  next_draw_ = now + between_draws;
}

}  // namespace pidforest::cli
