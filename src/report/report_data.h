// SPDX-License-Identifier: Apache-2.0
// The content of a report as plain values, before it becomes JSON and a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/model.h"
#include "pidforest/options.h"
#include "pidforest/report.h"

namespace pidforest::report {

/// All that a report shows, as numbers and strings. Texts are cut to a readable length but not escaped. Places on axes
/// go from 0, the low end, to 1.
struct ReportData {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  struct Tick {
    double at = 0;
    std::string text = {};
  };

  /// How the rows spread over a column, or over what is derived from a time.
  struct Axis {
    /// "opened, hour of day"
    std::string name = {};
    /// Rows in bars of equal width, from end to end.
    std::vector<std::uint64_t> bars = {};
    /// One per bar where they have names: levels, of which the last may stand for all the others.
    std::vector<std::string> levels = {};
    /// Where they have none.
    std::vector<Tick> ticks = {};
    std::uint64_t n_missing = 0;
    /// "logarithmic", if places are not even.
    std::string scale = {};
    bool is_circle = false;
  };

  /// The bits of all rows that have a score.
  struct Scores {
    Axis axis = {};
    /// Where anomalies begin, if anywhere, and how that was set: "5.32 bits, found by contamination auto".
    std::optional<double> threshold = {};
    std::string threshold_words = {};
  };

  /// What a witness demands on one axis.
  struct Condition {
    std::size_t axis = 0;
    std::string words = {};
    std::vector<std::pair<double, double>> spans = {};
    bool holds_missing = false;
    /// The row's own value; no place if it is missing.
    std::optional<double> at = {};
    std::string value = {};
    /// log2 of how many times shorter it is than the axis.
    double bits = 0;
  };

  struct ColumnBits {
    std::size_t column = 0;
    double bits = 0;
    /// The value of the row.
    std::string value = {};
  };

  /// A metric in the window of a row, and a little before and after it; NaN where a value is missing.
  struct WindowMetric {
    std::string name = {};
    std::string unit = {};
    std::vector<double> values = {};
  };

  /// The window of a series that gave a row its score.
  struct Window {
    /// Where its samples are: seconds since 1970-01-01 UTC, or without times the numbers of the samples from 1.
    std::vector<double> places = {};
    bool is_time = false;
    /// The places of its first and last sample.
    double from = 0;
    double to = 0;
    /// The index of the row itself among the places; `none` if it is not among them.
    std::size_t at = none;
    std::uint64_t n_samples = 0;
    std::vector<WindowMetric> metrics = {};
  };

  /// A row that someone should look at.
  struct Row {
    /// From 1.
    std::uint64_t row = 0;
    /// Its identifier, if there is one.
    std::optional<std::string> id = {};
    /// Its time, if known: as text, and in seconds since 1970-01-01 UTC.
    std::string time = {};
    std::optional<double> seconds = {};
    double bits = 0;
    bool is_anomaly = false;
    std::optional<bool> label = {};
    /// Index of its incident; `none` if the row is not an anomaly.
    std::size_t incident = none;
    /// "memory > 70.7 and disk_queue > 3"; of a row without a witness the columns that give it most of its bits.
    std::string reason = {};
    /// "0.21 % of the space, 3 of 4,032 rows (about 518 expected): 7.4 bits"; empty without a witness.
    std::string counts = {};
    std::vector<Condition> conditions = {};
    /// The columns that give it bits, the most first; only some if there are very many.
    std::vector<ColumnBits> columns = {};
    /// The nearest change that makes it normal; empty if there is none.
    std::string normal_if = {};
    /// Some of the other rows that its witness holds, by number from 1, and how many there are in all.
    std::vector<std::uint64_t> impostors = {};
    std::uint64_t n_impostors = 0;
    /// The query that counts what its witness holds; empty where there is none, and then `sql_note` says why.
    std::string sql = {};
    std::string sql_note = {};
    /// Index of its pair; `none` if its witness has one condition.
    std::size_t pair = none;
    /// The metrics by which it stands out: those that its reason names, then those that give it most bits.
    std::vector<std::string> metrics = {};
    /// Without a value for rows that were scored by themselves.
    std::optional<Window> window = {};
  };

  /// A metric, or another column, that makes an incident one.
  struct Blame {
    std::string name = {};
    double bits = 0;
    /// What the rarest row has there; empty if that is not known.
    std::string value = {};
  };

  /// Anomalies that share a reason, or without a gap of time between them.
  struct Incident {
    /// The reason that they share, or else that of the rarest.
    std::string reason = {};
    std::string counts = {};
    std::uint64_t n_anomalies = 0;
    /// The highest score among them.
    double bits = 0;
    /// From when to when, if that is known: as text, and for those in time in seconds since 1970-01-01 UTC.
    std::string first_time = {};
    std::string last_time = {};
    std::optional<double> from = {};
    std::optional<double> to = {};
    /// "3 h", and the time of the rarest; only of those in time.
    std::string length = {};
    std::string worst_time = {};
    /// The series that it is in, if there are several.
    std::string key = {};
    /// The most bits first, at most three.
    std::vector<Blame> blame = {};
    /// Whether the data end before it has ended.
    bool is_open = false;
    /// The index of the rarest among the rows; `none` if it is not listed.
    std::size_t row = none;
  };

  struct Column {
    std::string name = {};
    std::string kind = {};
    std::string unit = {};
    /// Why it was taken for what it is.
    std::string note = {};
    /// NaN where it is not used.
    double missing_share = 0;
    /// What it gives the anomalies on average; without any, the rows that are listed.
    double mean_bits = 0;
    /// How many of those have a witness that names it.
    std::uint64_t n_witnesses = 0;
    /// The axes that it is; none if it is not used.
    std::vector<std::size_t> axes = {};
  };

  /// Two axes that a witness names, and how the rows spread over both.
  struct Pair {
    struct Cell {
      std::size_t x = 0;
      std::size_t y = 0;
      std::uint64_t n = 0;
    };
    std::size_t x_axis = 0;
    std::size_t y_axis = 0;
    /// For few rows all points; for many rows the cells of the grid of bars that contain rows.
    std::vector<std::pair<double, double>> points = {};
    std::vector<Cell> cells = {};
    /// Rows that lack one of both.
    std::uint64_t n_missing = 0;
  };

  /// Two columns that go together, by their places among the names, the lower one first.
  struct Relation {
    std::size_t first = 0;
    std::size_t second = 0;
    /// The mutual information, in nats.
    double information = 0;

    bool operator==(const Relation&) const = default;
  };

  /// Which columns go together. Relatives are side by side; only some columns are named if there are very many.
  struct Relations {
    std::vector<std::string> names = {};
    /// The strongest first.
    std::vector<Relation> pairs = {};
    /// How many the model has in all.
    std::uint64_t n_columns = 0;
    std::uint64_t n_pairs = 0;
  };

  /// A stretch of time with anomalies.
  struct Span {
    double from = 0;
    double to = 0;
    std::uint64_t n_anomalies = 0;
    double bits = 0;
    /// The first of its anomalies among the rows; `none` if none is listed.
    std::size_t row = none;
  };

  /// A metric, of as many moments as there are times; NaN where there is no value. `low` and `high` are empty if they
  /// are nowhere different from each other.
  struct Metric {
    std::string name = {};
    std::string unit = {};
    std::vector<double> low = {};
    std::vector<double> mean = {};
    std::vector<double> high = {};
  };

  /// One series, and the largest score of each moment.
  struct Track {
    /// What tells it apart from others; empty if there is only one.
    std::string key = {};
    /// Seconds since 1970-01-01 UTC, increasing.
    std::vector<double> times = {};
    std::vector<double> scores = {};
    std::vector<Metric> metrics = {};
    std::vector<Span> spans = {};
    std::uint64_t n_rows = 0;
  };

  struct Series {
    std::string time_column = {};
    std::string by_column = {};
    /// An IANA name, an offset or UTC.
    std::string zone = {};
    /// The first and last time of all rows, including series without a track.
    std::string first_time = {};
    std::string last_time = {};
    /// False if all times are midnights, and so dates.
    bool has_clock = true;
    /// "each point stands for the 10 min around it"; empty if each is a row.
    std::string moment_words = {};
    /// What was left out.
    std::vector<std::string> notes = {};
    std::vector<Track> tracks = {};
    /// Rows and anomalies by weekday, Monday first, and hour: 7 times 24. Also of series that have no track.
    std::vector<std::uint64_t> calendar_rows = {};
    std::vector<std::uint64_t> calendar_anomalies = {};
  };

  /// A column that differs from the rows of the fit.
  struct ColumnChange {
    std::string name = {};
    /// "missing 51 %, was 2 %"
    std::string words = {};
    double missing_then = 0;
    double missing_now = 0;
    /// The chance of such a difference in any of the columns if all rows were drawn alike.
    double p = 1;
  };

  /// The rows compared with those of the fit.
  struct Changes {
    std::uint64_t n_then = 0;
    std::uint64_t n_now = 0;
    std::uint64_t n_columns = 0;
    std::uint64_t n_changed = 0;
    /// The share of the rows above the threshold, if there is one.
    std::optional<double> anomalies_now = {};
    /// The strongest change first; only some if there are very many.
    std::vector<ColumnChange> columns = {};
  };

  std::string title = {};
  /// "23 anomalies in 4,032 rows, 5 incidents"
  std::string headline = {};
  /// What it was made of and how, as name and value.
  std::vector<std::pair<std::string, std::string>> facts = {};
  /// What was left out or sampled.
  std::vector<std::string> notes = {};
  std::uint64_t n_rows = 0;
  std::uint64_t n_anomalies = 0;
  Scores scores = {};
  std::vector<Axis> axes = {};
  std::vector<Incident> incidents = {};
  /// Whether incidents are anomalies joined in time, and not by their reasons.
  bool is_in_time = false;
  std::vector<Row> rows = {};
  std::vector<Column> columns = {};
  std::vector<Pair> pairs = {};
  Relations relations = {};
  /// Without a value if the rows were not compared with those of the fit.
  std::optional<Changes> changes = {};
  std::optional<Series> series = {};
};

/// Computes everything that a report shows. Throws as `report_html` does.
ReportData describe(Explainer& explainer, const Scores& scores, const ReportOptions& options, const Run& run = {});

/// The page with this data.
std::string to_html(const ReportData& data);

}  // namespace pidforest::report
