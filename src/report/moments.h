// SPDX-License-Identifier: Apache-2.0
// Groups the rows of several series into moments of one round length, few enough to be drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "report/report_data.h"

namespace pidforest::report {

/// The values of a metric within a moment.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double sum = 0;
  std::uint64_t n = 0;

  void add(const Extent& other);
  /// NaN if there are no values.
  [[nodiscard]] double mean() const;
};

/// Anomalies of a stretch of time.
struct Anomalies {
  std::uint64_t n = 0;
  /// UTC microseconds; set if there is at least one anomaly.
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  double bits = std::numeric_limits<double>::quiet_NaN();
  /// The place of the first of them among the rows of the report.
  std::size_t place = ReportData::none;

  void add(const Anomalies& other);
};

struct Moment {
  std::uint64_t n_rows = 0;
  /// The largest.
  double bits = std::numeric_limits<double>::quiet_NaN();
  Anomalies anomalies = {};
  std::vector<Extent> metrics = {};

  void add(const Moment& other);
};

struct TimedRow {
  /// UTC microseconds.
  std::int64_t time = 0;
  /// NaN if the row has no score.
  double bits = 0;
  bool is_anomaly = false;
  /// The place among the rows of the report; `none` if the row is not listed.
  std::size_t place = ReportData::none;
  /// One value per metric; NaN if it is missing.
  std::span<const double> values = {};
};

/// The moments are as short as `most_numbers` numbers in total allow, with three per metric and two more per moment.
/// The result does not depend on the order of the rows. The shortest moment is a single time.
class Moments {
 public:
  /// By place: moment i begins at i times the length.
  using Series = std::map<std::int64_t, Moment>;

  Moments(std::size_t n_series, std::size_t n_metrics, std::size_t most_numbers);
  ~Moments() = default;
  Moments(const Moments&) = delete;
  Moments& operator=(const Moments&) = delete;

  void add(std::size_t series, const TimedRow& sample);

  /// In microseconds; 1 is a single time.
  [[nodiscard]] std::int64_t length() const;
  [[nodiscard]] const Series& of(std::size_t series) const { return series_[series].moments; }

 private:
  struct Gathered {
    Series moments = {};
    /// The moment of the last row, which is mostly that of the next row too.
    Series::iterator last = moments.end();
  };

  Moment& moment_at(Gathered& series, std::int64_t place);
  void lengthen();

  std::size_t n_metrics_;
  std::size_t most_moments_;
  std::size_t n_moments_ = 0;
  std::size_t step_ = 0;
  std::vector<Gathered> series_;
};

}  // namespace pidforest::report
