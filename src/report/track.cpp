// SPDX-License-Identifier: Apache-2.0
#include "report/track.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "values/excerpt.h"
#include "values/time.h"

namespace pidforest::report {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t second = values::microseconds_per_second;

double seconds(std::int64_t microseconds) { return static_cast<double>(microseconds) / static_cast<double>(second); }

/// The quantile of the values at `share`. Side effect: reorders the values.
std::int64_t quantile(std::vector<std::int64_t>& values, double share) {
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + place);
  return values[static_cast<std::size_t>(place)];
}

std::vector<std::int64_t> steps_of(const Moments::Series& moments, std::int64_t length) {
  std::vector<std::int64_t> steps;
  for (auto moment = moments.begin(), next = std::next(moment); next != moments.end(); ++moment, ++next)
    steps.push_back((next->first - moment->first) * length);
  return steps;
}

/// The usual step between rows, in microseconds. A moment that covers several rows does not know each step, so its
/// usual number of rows is used.
std::int64_t usual_step(const Moments::Series& moments, std::int64_t length) {
  if (length == 1) {
    std::vector<std::int64_t> steps = steps_of(moments, length);
    return steps.empty() ? second : quantile(steps, 0.5);
  }
  std::vector<std::int64_t> counts;
  for (const auto& [place, moment] : moments) counts.push_back(static_cast<std::int64_t>(moment.n_rows));
  return std::max<std::int64_t>(length / quantile(counts, 0.5), 1);
}

std::vector<ReportData::Span> spans_of(const Moments::Series& moments, std::int64_t length) {
  const std::int64_t step = usual_step(moments, length);
  std::vector<Anomalies> stretches;
  for (const auto& [place, moment] : moments) {
    if (moment.anomalies.n == 0) continue;
    if (stretches.empty() || moment.anomalies.first - stretches.back().last > std::max(2 * step, length))
      stretches.emplace_back();
    stretches.back().add(moment.anomalies);
  }
  std::vector<ReportData::Span> spans;
  spans.reserve(stretches.size());
  for (const Anomalies& anomalies : stretches)
    spans.push_back({.from = seconds(anomalies.first),
                     .to = seconds(anomalies.last + step),
                     .n_anomalies = anomalies.n,
                     .bits = anomalies.bits,
                     .row = anomalies.place});
  return spans;
}

class Drawing {
 public:
  Drawing(std::int64_t length, std::span<const ColumnSchema> metrics) : length_(length) {
    for (const ColumnSchema& metric : metrics)
      track_.metrics.push_back({.name = values::excerpt(metric.name), .unit = values::excerpt(metric.unit)});
  }

  ReportData::Track draw(const Moments::Series& moments) {
    std::vector<std::int64_t> steps = steps_of(moments, length_);
    const std::int64_t gap = steps.empty() ? 0 : 2 * quantile(steps, 0.75);
    const Moment nothing{.metrics = std::vector<Extent>(track_.metrics.size())};
    std::int64_t last = 0;
    for (const auto& [place, moment] : moments) {
      const std::int64_t time = place * length_ + length_ / 2;
      if (track_.n_rows > 0 && time - last >= gap) add(last + (time - last) / 2, nothing);
      add(time, moment);
      last = time;
    }
    leave_out_bands();
    return std::move(track_);
  }

 private:
  void add(std::int64_t time, const Moment& moment) {
    track_.times.push_back(seconds(time));
    track_.scores.push_back(moment.bits);
    track_.n_rows += moment.n_rows;
    for (std::size_t j = 0; j < moment.metrics.size(); ++j) {
      const Extent& extent = moment.metrics[j];
      track_.metrics[j].low.push_back(extent.n == 0 ? missing : extent.low);
      track_.metrics[j].mean.push_back(extent.mean());
      track_.metrics[j].high.push_back(extent.n == 0 ? missing : extent.high);
    }
  }

  void leave_out_bands() {
    for (ReportData::Metric& metric : track_.metrics) {
      bool has_band = false;
      for (std::size_t i = 0; i < metric.mean.size(); ++i) has_band = has_band || metric.low[i] < metric.high[i];
      if (has_band) continue;
      metric.low.clear();
      metric.high.clear();
    }
  }

  std::int64_t length_;
  ReportData::Track track_ = {};
};

}  // namespace

ReportData::Track track_of(const Moments::Series& moments, std::int64_t length, std::span<const ColumnSchema> metrics) {
  ReportData::Track track = Drawing(length, metrics).draw(moments);
  track.spans = spans_of(moments, length);
  return track;
}

}  // namespace pidforest::report
