// SPDX-License-Identifier: Apache-2.0
#include "report/report_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "values/read_text.h"

namespace pidforest::report {

namespace {

using Json = nlohmann::ordered_json;

Json with_digits(double number, int n_digits) {
  if (!std::isfinite(number)) return nullptr;
  return values::read_number(fmt::format("{:.{}e}", number, n_digits - 1)).value;
}

/// Digits that a line on a screen, or a number of bits, needs.
Json short_number(double number) {
  constexpr double parts = 10'000;
  return std::isfinite(number) ? Json(std::round(number * parts) / parts) : Json(nullptr);
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
Json place_or_null(const std::optional<double>& place) { return place ? short_number(*place) : Json(nullptr); }
Json number_or_null(std::size_t number) { return number == ReportData::none ? Json(nullptr) : Json(number); }

template <class Range, class Make>
Json array_of(const Range& range, Make make) {
  Json array = Json::array();
  for (const auto& one : range) array.push_back(make(one));
  return array;
}

Json pair_of_places(const std::pair<double, double>& pair) {
  return Json::array({short_number(pair.first), short_number(pair.second)});
}

Json axis_as_json(const ReportData::Axis& axis) {
  return {
      {"name", axis.name},
      {"bars", axis.bars},
      {"levels", axis.levels},
      {"ticks", array_of(axis.ticks, [](const auto& tick) { return Json::array({short_number(tick.at), tick.text}); })},
      {"n_missing", axis.n_missing},
      {"scale", axis.scale},
      {"is_circle", axis.is_circle}};
}

Json scores_as_json(const ReportData::Scores& scores) {
  return {{"axis", axis_as_json(scores.axis)},
          {"threshold", place_or_null(scores.threshold)},
          {"threshold_words", scores.threshold_words}};
}

Json condition_as_json(const ReportData::Condition& condition) {
  return {{"axis", condition.axis},
          {"words", condition.words},
          {"spans", array_of(condition.spans, pair_of_places)},
          {"holds_missing", condition.holds_missing},
          {"at", place_or_null(condition.at)},
          {"value", condition.value},
          {"bits", short_number(condition.bits)}};
}

Json row_as_json(const ReportData::Row& row) {
  Json json{{"row", row.row},
            {"id", or_null(row.id)},
            {"time", row.time},
            {"seconds", or_null(row.seconds)},
            {"bits", short_number(row.bits)},
            {"is_anomaly", row.is_anomaly},
            {"label", or_null(row.label)},
            {"incident", number_or_null(row.incident)},
            {"reason", row.reason},
            {"counts", row.counts},
            {"conditions", array_of(row.conditions, condition_as_json)}};
  json["columns"] = array_of(row.columns, [](const auto& one) {
    return Json{{"column", one.column}, {"bits", short_number(one.bits)}, {"value", one.value}};
  });
  json["normal_if"] = row.normal_if;
  json["impostors"] = row.impostors;
  json["n_impostors"] = row.n_impostors;
  json["sql"] = row.sql;
  json["sql_note"] = row.sql_note;
  json["pair"] = number_or_null(row.pair);
  return json;
}

Json incident_as_json(const ReportData::Incident& incident) {
  return {{"reason", incident.reason},           {"counts", incident.counts},
          {"n_anomalies", incident.n_anomalies}, {"bits", short_number(incident.bits)},
          {"first_time", incident.first_time},   {"last_time", incident.last_time}};
}

Json column_as_json(const ReportData::Column& column) {
  return {{"name", column.name},
          {"kind", column.kind},
          {"unit", column.unit},
          {"note", column.note},
          {"missing_share", with_digits(column.missing_share, 3)},
          {"mean_bits", short_number(column.mean_bits)},
          {"n_witnesses", column.n_witnesses},
          {"axes", column.axes}};
}

Json pair_as_json(const ReportData::Pair& pair) {
  return {{"x_axis", pair.x_axis},
          {"y_axis", pair.y_axis},
          {"points", array_of(pair.points, pair_of_places)},
          {"cells", array_of(pair.cells, [](const auto& cell) { return Json::array({cell.x, cell.y, cell.n}); })},
          {"n_missing", pair.n_missing}};
}

Json relations_as_json(const ReportData::Relations& relations) {
  return {{"names", relations.names},
          {"pairs", array_of(relations.pairs,
                             [](const ReportData::Relation& one) {
                               return Json::array({one.first, one.second, short_number(one.information)});
                             })},
          {"n_columns", relations.n_columns},
          {"n_pairs", relations.n_pairs}};
}

Json values_as_json(const std::vector<double>& values) {
  constexpr int n_digits = 6;
  return array_of(values, [](double value) { return with_digits(value, n_digits); });
}

Json track_as_json(const ReportData::Track& track) {
  return {{"key", track.key},
          {"times", track.times},
          {"scores", array_of(track.scores, short_number)},
          {"metrics", array_of(track.metrics,
                               [](const ReportData::Metric& metric) {
                                 return Json{{"name", metric.name},
                                             {"unit", metric.unit},
                                             {"low", values_as_json(metric.low)},
                                             {"mean", values_as_json(metric.mean)},
                                             {"high", values_as_json(metric.high)}};
                               })},
          {"spans", array_of(track.spans,
                             [](const ReportData::Span& span) {
                               return Json{{"from", span.from},
                                           {"to", span.to},
                                           {"n_anomalies", span.n_anomalies},
                                           {"bits", short_number(span.bits)},
                                           {"row", number_or_null(span.row)}};
                             })},
          {"n_rows", track.n_rows}};
}

Json series_as_json(const ReportData::Series& series) {
  return {{"time_column", series.time_column},
          {"by_column", series.by_column},
          {"zone", series.zone},
          {"first_time", series.first_time},
          {"last_time", series.last_time},
          {"moment_words", series.moment_words},
          {"notes", series.notes},
          {"tracks", array_of(series.tracks, track_as_json)},
          {"calendar_rows", series.calendar_rows},
          {"calendar_anomalies", series.calendar_anomalies}};
}

}  // namespace

std::string to_json(const ReportData& data) {
  Json json{{"title", data.title}, {"headline", data.headline}};
  json["facts"] = array_of(data.facts, [](const auto& fact) { return Json::array({fact.first, fact.second}); });
  json["notes"] = data.notes;
  json["n_rows"] = data.n_rows;
  json["n_anomalies"] = data.n_anomalies;
  json["scores"] = scores_as_json(data.scores);
  json["axes"] = array_of(data.axes, axis_as_json);
  json["incidents"] = array_of(data.incidents, incident_as_json);
  json["rows"] = array_of(data.rows, row_as_json);
  json["columns"] = array_of(data.columns, column_as_json);
  json["pairs"] = array_of(data.pairs, pair_as_json);
  json["relations"] = relations_as_json(data.relations);
  json["series"] = data.series ? series_as_json(*data.series) : Json(nullptr);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pidforest::report
