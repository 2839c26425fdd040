// SPDX-License-Identifier: Apache-2.0
#include "report/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "report/incident_lines.h"
#include "report/moments.h"
#include "report/row_names.h"
#include "report/track.h"
#include "report/track_keys.h"
#include "schema/match.h"
#include "schema/time_column.h"
#include "system/parallel.h"
#include "table/value.h"
#include "values/excerpt.h"
#include "values/number_words.h"
#include "values/span_words.h"

namespace pidforest::report {

namespace {

constexpr std::size_t most_tracks = 12;
constexpr std::size_t most_metrics = 24;
constexpr std::size_t hours = 24;

/// "28 rows, 1 anomaly"
std::string with_anomalies(std::uint64_t n_rows, std::uint64_t n_anomalies) {
  return fmt::format("{} {}, {} {}", values::count_words(n_rows), values::noun_for(n_rows, "row"),
                     values::count_words(n_anomalies), values::noun_for(n_anomalies, "anomaly"));
}

class Gathering {
 public:
  Gathering(const Timeline& timeline, const Run& run)
      : timeline_(timeline), run_(run), columns_(timeline.rows.header()), reader_(timeline.time) {
    time_ = schema::place_of(columns_, timeline.time.name, "the time column");
    choose_metrics();
    choose_tracks();
    for (std::size_t i = 0; i < timeline.listed.size(); ++i) places_.try_emplace(timeline.listed[i], i);
    series_.calendar_rows.assign(7 * hours, 0);
    series_.calendar_anomalies.assign(7 * hours, 0);
  }

  ReportData::Series gather() {
    Moments moments(keys_.keys.size(), metrics_.size(), timeline_.most_numbers);
    std::size_t n_before = 0;
    timeline_.rows.for_each([&](const Table& batch) {
      for (std::size_t i = 0; i < batch.n_rows(); ++i) add(batch, i, n_before + i, moments);
      n_before += batch.n_rows();
    });
    if (run_.on_progress) run_.on_progress({"timeline", n_before, n_before});
    describe(moments);
    return std::move(series_);
  }

 private:
  void choose_metrics() {
    std::size_t n_drawable = 0;
    for (const ColumnSchema& metric : timeline_.metrics) {
      const std::size_t place = schema::place_of(columns_, metric.name, "a metric");
      const ColumnType type = columns_.columns()[place].type;
      if (type != ColumnType::number && type != ColumnType::boolean) continue;
      if (++n_drawable > most_metrics) continue;
      metrics_.push_back(metric);
      metric_places_.push_back(place);
    }
    values_.resize(metrics_.size());
    if (n_drawable > most_metrics)
      series_.notes.push_back(fmt::format("Numeric columns: {} in all, the first {} are drawn.",
                                          values::count_words(n_drawable), most_metrics));
  }

  void choose_tracks() {
    if (timeline_.by.empty()) {
      keys_.keys = {""};
      return;
    }
    by_ = schema::place_of(columns_, timeline_.by, "the series key");
    keys_ = choose_keys(timeline_.rows, by_, timeline_.anomalies, most_tracks);
    const KeyCounts& left_out = keys_.left_out;
    if (left_out.n_keys > 0)
      series_.notes.push_back(
          fmt::format("Series: {} in all, the {} with the most anomalies are drawn; the others have {}.",
                      values::count_words(left_out.n_keys + most_tracks), most_tracks,
                      with_anomalies(left_out.n_rows, left_out.n_anomalies)));
  }

  void add(const Table& batch, std::size_t i, std::size_t row, Moments& moments) {
    if (row % 65'536 == 0) {
      system::check_cancelled(run_);
      if (run_.on_progress) run_.on_progress({"timeline", row, timeline_.rows.n_rows()});
    }
    const bool is_anomaly = timeline_.anomalies[row];
    const std::int64_t time = reader_.utc(batch.columns()[time_], i);
    if (time == Column::missing_time) {
      ++without_time_.n_rows;
      without_time_.n_anomalies += is_anomaly ? 1 : 0;
      return;
    }
    first_ = std::min(first_, time);
    last_ = std::max(last_, time);
    add_to_calendar(time, is_anomaly);
    const std::size_t track = track_of_row(batch, i);
    if (track == ReportData::none) return;
    for (std::size_t j = 0; j < values_.size(); ++j) values_[j] = batch.columns()[metric_places_[j]].number(i);
    moments.add(track, {.time = time,
                        .bits = timeline_.bits[row],
                        .is_anomaly = is_anomaly,
                        .place = is_anomaly ? listed_place(row) : ReportData::none,
                        .values = values_});
  }

  void add_to_calendar(std::int64_t time, bool is_anomaly) {
    const std::int64_t local = reader_.local(time);
    const auto cell_of = [&](Derivation derivation) {
      return static_cast<std::size_t>(values::derived_cell(derivation, Resolution::hour, local));
    };
    const std::size_t cell = cell_of(Derivation::day_of_week) * hours + cell_of(Derivation::hour_of_day);
    ++series_.calendar_rows[cell];
    series_.calendar_anomalies[cell] += is_anomaly ? 1 : 0;
  }

  [[nodiscard]] std::size_t track_of_row(const Table& batch, std::size_t i) const {
    if (timeline_.by.empty()) return 0;
    const auto found = keys_.places.find(table::key_of(batch.columns()[by_], i));
    return found == keys_.places.end() ? ReportData::none : found->second;
  }

  [[nodiscard]] std::size_t listed_place(std::uint64_t row) const {
    const auto found = places_.find(row);
    return found == places_.end() ? ReportData::none : found->second;
  }

  void describe(const Moments& moments) {
    series_.time_column = values::excerpt(timeline_.time.name);
    series_.by_column = values::excerpt(timeline_.by);
    series_.zone = timeline_.time.zone.empty() ? "UTC" : timeline_.time.zone;
    if (first_ <= last_) series_.first_time = time_words(reader_, first_, timeline_.has_clock);
    if (first_ <= last_) series_.last_time = time_words(reader_, last_, timeline_.has_clock);
    series_.has_clock = timeline_.has_clock;
    bool has_joined_rows = false;
    for (std::size_t t = 0; t < keys_.keys.size(); ++t) {
      if (moments.of(t).empty()) continue;
      series_.tracks.push_back(track_of(moments.of(t), moments.length(), metrics_));
      if (!timeline_.by.empty()) series_.tracks.back().key = shown_key(keys_.keys[t]);
      for (const auto& [place, moment] : moments.of(t)) has_joined_rows = has_joined_rows || moment.n_rows > 1;
    }
    if (moments.length() > 1)
      series_.moment_words =
          fmt::format("each point summarizes the {} around it", values::span_words(moments.length()));
    else if (has_joined_rows)
      series_.moment_words = "each point summarizes all rows of its time";
    if (without_time_.n_rows > 0)
      series_.notes.push_back(fmt::format("Rows without a time are not drawn: {}.",
                                          with_anomalies(without_time_.n_rows, without_time_.n_anomalies)));
  }

  const Timeline& timeline_;
  const Run& run_;
  Table columns_;
  schema::TimeReader reader_;
  std::size_t time_ = 0;
  std::size_t by_ = 0;
  std::vector<ColumnSchema> metrics_ = {};
  std::vector<std::size_t> metric_places_ = {};
  /// State of the current row.
  std::vector<double> values_ = {};
  TrackKeys keys_ = {};
  /// Indexed by row.
  std::unordered_map<std::uint64_t, std::size_t> places_ = {};
  KeyCounts without_time_ = {};
  /// UTC microseconds.
  std::int64_t first_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_ = std::numeric_limits<std::int64_t>::min();
  ReportData::Series series_ = {};
};

}  // namespace

ReportData::Series timeline_of(const Timeline& timeline, const Run& run) { return Gathering(timeline, run).gather(); }

}  // namespace pidforest::report
