// SPDX-License-Identifier: Apache-2.0
// Measures how many events per second of CPU time a stream scores and learns, one by one, how long single events take
// by the clock, and whether memory grows: `stream_rate METRICS WINDOW EVENTS` prints one line of JSON.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "pidforest/series.h"
#include "pidforest/table.h"

namespace {

/// Metrics that drift and oscillate, with occasional bursts.
class Source {
 public:
  explicit Source(std::size_t n_metrics) : level_(n_metrics), event_(n_metrics) {}

  const std::vector<double>& next() {
    ++n_;
    for (std::size_t j = 0; j < level_.size(); ++j) {
      level_[j] = 0.95 * level_[j] + normal_(random_);
      event_[j] = level_[j] + 3 * std::sin(static_cast<double>(n_) / (20.0 + 5.0 * static_cast<double>(j)));
      if (n_ % 1000 == 0) event_[j] += 20;
    }
    return event_;
  }

 private:
  std::mt19937_64 random_{2019};
  std::normal_distribution<double> normal_{};
  std::size_t n_ = 0;
  std::vector<double> level_;
  std::vector<double> event_;
};

/// The peak of this process only; getrusage would include the parent process.
double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != "VmHWM:") {
  }
  double kilobytes = 0;
  status >> kilobytes;
  return kilobytes / 1024;
}

/// A histogram of times in nanoseconds, with buckets of a twentieth of an octave. Its memory is constant, so that
/// growth is due to the stream.
class Times {
 public:
  void add(double ns) { ++counts_[std::min(counts_.size() - 1, static_cast<std::size_t>(20 * std::log2(ns + 1)))]; }
  [[nodiscard]] double quantile_us(double q) const {
    std::size_t n = 0;
    for (const std::size_t count : counts_) n += count;
    const auto wanted = static_cast<std::size_t>(q * static_cast<double>(n));
    std::size_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen > wanted) return std::exp2(static_cast<double>(i + 1) / 20) / 1000;
    }
    return 0;
  }

 private:
  std::vector<std::size_t> counts_ = std::vector<std::size_t>(1000);
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: stream_rate METRICS WINDOW EVENTS\n", stderr);
    return 2;
  }
  const auto number = [&](int i) { return static_cast<std::size_t>(std::strtoull(argv[i], nullptr, 10)); };
  const std::size_t n_metrics = number(1);
  const std::size_t n_events = number(3);
  pidforest::Stream stream({.window = number(2)});
  Source source(n_metrics);
  Times times;
  std::size_t n_anomalies = 0;
  double early_megabytes = 0;
  const std::clock_t cpu = std::clock();
  for (std::size_t i = 0; i < n_events; ++i) {
    const std::vector<double>& event = source.next();
    const auto begin = std::chrono::steady_clock::now();
    n_anomalies += stream.update(pidforest::Table::row_major(event, n_metrics))[0].is_anomaly ? 1 : 0;
    const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    times.add(ns);
    if (i == n_events / 10) early_megabytes = peak_megabytes();
  }
  const double seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  std::printf(
      "{\"metrics\": %zu, \"window\": %zu, \"events\": %zu, \"events_per_second\": %.0f, \"median_us\": %.1f, "
      "\"p99_us\": %.1f, \"p9999_us\": %.1f, \"anomalies\": %zu, \"mb_after_a_tenth\": %.1f, \"mb\": %.1f}\n",
      n_metrics, number(2), n_events, static_cast<double>(n_events) / seconds, times.quantile_us(0.5),
      times.quantile_us(0.99), times.quantile_us(0.9999), n_anomalies, early_megabytes, peak_megabytes());
  return 0;
}
