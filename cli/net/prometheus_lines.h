// SPDX-License-Identifier: Apache-2.0
// The samples of Prometheus as they come, as the lines of a stream.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "in/line_source.h"
#include "net/prometheus.h"
#include "pidforest/options.h"

namespace pidforest::cli {

class PrometheusLines final : public LineSource {
 public:
  /// Told after each request: why it failed, or an empty text.
  using Told = std::function<void(const std::string& trouble)>;
  /// Begins with the header row, and then the samples after the time `from`, in milliseconds. Both references must
  /// outlive this.
  PrometheusLines(const Prometheus& prometheus, const Run& run, std::int64_t from, Told told);

  std::optional<std::string_view> next() override;
  bool wait() override;
  [[nodiscard]] std::uint64_t n_lines() const override { return n_lines_; }
  /// The bytes are the time of the last line, in milliseconds, and the rest is its labels.
  [[nodiscard]] LinesPosition position() const override;
  void resume(const LinesPosition& position) override;
  [[nodiscard]] std::string name() const override;

 private:
  void ask();

  const Prometheus& prometheus_;
  const Run& run_;
  Told told_;
  std::deque<std::pair<PrometheusSample, std::string>> waiting_;
  /// The sample of the last line that was returned.
  PrometheusSample last_;
  /// All samples up to this time were asked for.
  std::int64_t asked_;
  std::string line_;
  std::uint64_t n_lines_ = 0;
  std::chrono::steady_clock::time_point next_try_ = std::chrono::steady_clock::now();
};

}  // namespace pidforest::cli
