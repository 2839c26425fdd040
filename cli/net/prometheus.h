// SPDX-License-Identifier: Apache-2.0
// Series of Prometheus as lines of CSV: time, labels, and one column per query.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "net/http.h"
#include "net/web_address.h"

namespace pidforest::cli {

struct PrometheusQuery {
  /// The name of its column.
  std::string name;
  /// In PromQL.
  std::string text;
};

/// "NAME=PROMQL", or PROMQL alone, which is named "value". Throws InvalidOption for a name that comes twice, or that
/// other columns have.
std::vector<PrometheusQuery> prometheus_queries(const std::vector<std::string>& texts);

struct PrometheusFlags {
  std::string url;
  std::vector<std::string> queries;
  std::string token_file;
  /// The labels that tell series apart; empty: all.
  std::vector<std::string> by;
  std::string step = "1min";
  std::string timeout = "30s";
};

/// A time, in milliseconds since 1970, and the labels of a series as in `instance="a",job="b"`.
using PrometheusSample = std::pair<std::int64_t, std::string>;

class Prometheus {
 public:
  static constexpr std::string_view time_column = "time";
  static constexpr std::string_view series_column = "series";

  /// Throws InvalidOption, FileError or InvalidInput for flags that cannot be.
  Prometheus(const HttpModule& http, const PrometheusFlags& flags, const std::atomic<bool>* cancel);

  [[nodiscard]] std::int64_t step() const { return step_; }
  /// Scheme, host and port.
  [[nodiscard]] const std::string& shown() const { return address_.shown(); }
  /// "time,series,value".
  [[nodiscard]] std::string header() const;
  /// The lines of all samples from one time to another, in milliseconds, by time and labels. Values that are no numbers
  /// are empty. Throws FileError if there is no answer or an error, InvalidInput for an answer that is none of
  /// Prometheus, or with two series of equal labels, and Cancelled.
  [[nodiscard]] std::map<PrometheusSample, std::string> lines(std::int64_t from, std::int64_t to) const;

 private:
  using Values = std::map<PrometheusSample, std::vector<std::string>>;
  void add(std::size_t query, std::int64_t from, std::int64_t to, Values& values) const;
  void read(std::size_t query, const std::string& json, Values& values) const;
  [[nodiscard]] std::string ask(const std::string& url) const;

  const HttpModule& http_;
  WebAddress address_;
  std::vector<PrometheusQuery> queries_;
  std::string token_;
  std::vector<std::string> by_;
  std::int64_t step_;
  std::chrono::milliseconds timeout_;
  const std::atomic<bool>* cancel_;
};

/// A multiple of the step, not later than now, in milliseconds.
std::int64_t latest_time(std::int64_t step);

}  // namespace pidforest::cli
