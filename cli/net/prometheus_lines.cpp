// SPDX-License-Identifier: Apache-2.0
#include "net/prometheus_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "pidforest/error.h"
#include "system/parallel.h"

namespace pidforest::cli {

namespace {

constexpr std::string_view after_all_labels = "\x7F";
constexpr std::chrono::milliseconds between_looks(100);
constexpr std::chrono::seconds between_failures(5);

}  // namespace

PrometheusLines::PrometheusLines(const Prometheus& prometheus, const Run& run, std::int64_t from, Told told)
    : prometheus_(prometheus), run_(run), told_(std::move(told)), last_(from, after_all_labels), asked_(from) {}

std::optional<std::string_view> PrometheusLines::next() {
  if (n_lines_ == 0) {
    n_lines_ = 1;
    line_ = prometheus_.header();
    return line_;
  }
  if (waiting_.empty()) ask();
  if (waiting_.empty()) return std::nullopt;
  last_ = std::move(waiting_.front().first);
  line_ = std::move(waiting_.front().second);
  waiting_.pop_front();
  ++n_lines_;
  return line_;
}

/// Asks for samples that are due. After a failure, the next try has to wait.
void PrometheusLines::ask() {
  const std::int64_t step = prometheus_.step();
  const std::int64_t now = latest_time(step);
  if (asked_ >= now || std::chrono::steady_clock::now() < next_try_) return;
  try {
    for (auto& [sample, line] : prometheus_.lines(asked_ + step, now))
      if (sample > last_) waiting_.emplace_back(sample, line);
    asked_ = now;
    told_("");
  } catch (const FileError& error) {
    next_try_ = std::chrono::steady_clock::now() + between_failures;
    told_(error.what());
  } catch (const InvalidInput& error) {
    next_try_ = std::chrono::steady_clock::now() + between_failures;
    told_(error.what());
  }
}

bool PrometheusLines::wait() {
  system::check_cancelled(run_);
  std::this_thread::sleep_for(between_looks);
  return true;
}

LinesPosition PrometheusLines::position() const {
  LinesPosition position{.n_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(last_.first, 0)),
                         .n_lines = n_lines_};
  position.rest = last_.second;
  return position;
}

/// Asks for the samples of the last time again, and leaves out what was read.
void PrometheusLines::resume(const LinesPosition& position) {
  const auto time = static_cast<std::int64_t>(position.n_bytes);
  n_lines_ = std::max<std::uint64_t>(position.n_lines, 1);
  last_ = {time, position.rest};
  asked_ = time - prometheus_.step();
}

std::string PrometheusLines::name() const { return prometheus_.shown(); }

}  // namespace pidforest::cli
