// SPDX-License-Identifier: Apache-2.0
#include "report/report_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ranges>
#include <string_view>

#include "values/read_text.h"

namespace pidforest::report {

namespace {

double with_digits(double number, int n_digits) {
  return std::isfinite(number) ? values::read_number(fmt::format("{:.{}e}", number, n_digits - 1)).value : number;
}

/// Digits that a line on a screen, or a number of bits, needs.
double short_number(double number) {
  constexpr double parts = 10'000;
  return std::round(number * parts) / parts;
}

double metric_number(double number) {
  constexpr int n_digits = 6;
  return with_digits(number, n_digits);
}

std::optional<double> short_or_none(const std::optional<double>& number) {
  return number ? std::optional(short_number(*number)) : std::nullopt;
}
std::optional<std::size_t> index_or_none(std::size_t index) {
  return index == ReportData::none ? std::nullopt : std::optional(index);
}

/// Appends values to a text. nlohmann's arrays and objects are not used: their destructors allocate, and end the
/// process if memory is missing.
class Writer {
 public:
  std::string take() { return std::move(text_); }

  void put(const ReportData& data) {
    put_object("title", data.title, "headline", data.headline, "facts", data.facts, "notes", data.notes, "n_rows",
               data.n_rows, "n_anomalies", data.n_anomalies, "scores", data.scores, "axes", data.axes, "incidents",
               data.incidents, "is_in_time", data.is_in_time, "rows", data.rows, "columns", data.columns, "pairs",
               data.pairs, "relations", data.relations, "changes", data.changes, "series", data.series);
  }

 private:
  void put(std::nullptr_t) { text_ += "null"; }
  void put(bool value) { text_ += value ? "true" : "false"; }
  void put(std::uint64_t number) { text_ += fmt::to_string(number); }
  /// Writes null for a number that is not finite.
  void put(double number) { text_ += nlohmann::json(number).dump(); }
  /// Bytes that are not UTF-8 are replaced.
  void put(const std::string& text) {
    text_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  template <class T>
  void put(const std::optional<T>& value) {
    if (value)
      put(*value);
    else
      put(nullptr);
  }

  template <std::ranges::input_range Range>
  void put(const Range& range) {
    text_ += '[';
    const char* separator = "";
    for (const auto& one : range) {
      text_ += separator;
      put(one);
      separator = ",";
    }
    text_ += ']';
  }

  template <class First, class... Others>
  void put_array(const First& first, const Others&... others) {
    text_ += '[';
    put(first);
    ((text_ += ',', put(others)), ...);
    text_ += ']';
  }

  /// The arguments are names and values by turns.
  template <class... Members>
  void put_object(const Members&... members) {
    text_ += '{';
    put_members(members...);
    text_ += '}';
  }
  template <class Value, class... Others>
  void put_members(std::string_view name, const Value& value, const Others&... others) {
    text_ += '"';
    text_ += name;
    text_ += "\":";
    put(value);
    if constexpr (sizeof...(others) > 0) {
      text_ += ',';
      put_members(others...);
    }
  }

  void put(const std::pair<std::string, std::string>& fact) { put_array(fact.first, fact.second); }
  void put(const std::pair<double, double>& places) {
    put_array(short_number(places.first), short_number(places.second));
  }

  void put(const ReportData::Tick& tick) { put_array(short_number(tick.at), tick.text); }
  void put(const ReportData::Axis& axis) {
    put_object("name", axis.name, "bars", axis.bars, "levels", axis.levels, "ticks", axis.ticks, "n_missing",
               axis.n_missing, "scale", axis.scale, "is_circle", axis.is_circle);
  }

  void put(const ReportData::Scores& scores) {
    put_object("axis", scores.axis, "threshold", short_or_none(scores.threshold), "threshold_words",
               scores.threshold_words);
  }

  void put(const ReportData::Condition& condition) {
    put_object("axis", condition.axis, "words", condition.words, "spans", condition.spans, "holds_missing",
               condition.holds_missing, "at", short_or_none(condition.at), "value", condition.value, "bits",
               short_number(condition.bits));
  }

  void put(const ReportData::ColumnBits& one) {
    put_object("column", one.column, "bits", short_number(one.bits), "value", one.value);
  }

  void put(const ReportData::Row& row) {
    put_object("row", row.row, "id", row.id, "time", row.time, "seconds", row.seconds, "bits", short_number(row.bits),
               "is_anomaly", row.is_anomaly, "label", row.label, "incident", index_or_none(row.incident), "reason",
               row.reason, "counts", row.counts, "conditions", row.conditions, "columns", row.columns, "normal_if",
               row.normal_if, "impostors", row.impostors, "n_impostors", row.n_impostors, "sql", row.sql, "sql_note",
               row.sql_note, "pair", index_or_none(row.pair), "metrics", row.metrics, "window", row.window);
  }

  void put(const ReportData::WindowMetric& metric) {
    put_object("name", metric.name, "unit", metric.unit, "values", std::views::transform(metric.values, metric_number));
  }
  void put(const ReportData::Window& window) {
    put_object("places", window.places, "is_time", window.is_time, "from", window.from, "to", window.to, "at",
               index_or_none(window.at), "n_samples", window.n_samples, "metrics", window.metrics);
  }

  void put(const ReportData::Blame& one) {
    put_object("name", one.name, "bits", short_number(one.bits), "value", one.value);
  }
  void put(const ReportData::Incident& incident) {
    put_object("reason", incident.reason, "counts", incident.counts, "n_anomalies", incident.n_anomalies, "bits",
               short_number(incident.bits), "first_time", incident.first_time, "last_time", incident.last_time, "from",
               incident.from, "to", incident.to, "length", incident.length, "worst_time", incident.worst_time, "key",
               incident.key, "blame", incident.blame, "is_open", incident.is_open, "row", index_or_none(incident.row));
  }

  void put(const ReportData::Column& column) {
    put_object("name", column.name, "kind", column.kind, "unit", column.unit, "note", column.note, "missing_share",
               with_digits(column.missing_share, 3), "mean_bits", short_number(column.mean_bits), "n_witnesses",
               column.n_witnesses, "axes", column.axes);
  }

  void put(const ReportData::Pair::Cell& cell) { put_array(cell.x, cell.y, cell.n); }
  void put(const ReportData::Pair& pair) {
    put_object("x_axis", pair.x_axis, "y_axis", pair.y_axis, "points", pair.points, "cells", pair.cells, "n_missing",
               pair.n_missing);
  }

  void put(const ReportData::Relation& one) { put_array(one.first, one.second, short_number(one.information)); }
  void put(const ReportData::Relations& relations) {
    put_object("names", relations.names, "pairs", relations.pairs, "n_columns", relations.n_columns, "n_pairs",
               relations.n_pairs);
  }

  void put(const ReportData::ColumnChange& one) {
    put_object("name", one.name, "words", one.words, "missing_then", with_digits(one.missing_then, 3), "missing_now",
               with_digits(one.missing_now, 3), "p", with_digits(one.p, 2));
  }
  void put(const ReportData::Changes& changes) {
    put_object("n_then", changes.n_then, "n_now", changes.n_now, "n_columns", changes.n_columns, "n_changed",
               changes.n_changed, "anomalies_now", changes.anomalies_now, "columns", changes.columns);
  }

  void put(const ReportData::Metric& metric) {
    put_object("name", metric.name, "unit", metric.unit, "low", std::views::transform(metric.low, metric_number),
               "mean", std::views::transform(metric.mean, metric_number), "high",
               std::views::transform(metric.high, metric_number));
  }

  void put(const ReportData::Span& span) {
    put_object("from", span.from, "to", span.to, "n_anomalies", span.n_anomalies, "bits", short_number(span.bits),
               "row", index_or_none(span.row));
  }

  void put(const ReportData::Track& track) {
    put_object("key", track.key, "times", track.times, "scores", std::views::transform(track.scores, short_number),
               "metrics", track.metrics, "spans", track.spans, "n_rows", track.n_rows);
  }

  void put(const ReportData::Series& series) {
    put_object("time_column", series.time_column, "by_column", series.by_column, "zone", series.zone, "has_clock",
               series.has_clock, "first_time", series.first_time, "last_time", series.last_time, "moment_words",
               series.moment_words, "notes", series.notes, "tracks", series.tracks, "calendar_rows",
               series.calendar_rows, "calendar_anomalies", series.calendar_anomalies);
  }

  std::string text_;
};

}  // namespace

std::string to_json(const ReportData& data) {
  Writer writer;
  writer.put(data);
  return writer.take();
}

}  // namespace pidforest::report
