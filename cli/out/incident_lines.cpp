// SPDX-License-Identifier: Apache-2.0
#include "out/incident_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>

#include "flags/incident_flags.h"
#include "out/csv_line.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

/// A silence is no incident of anomalies: it has no number, score and counts.
bool is_of_anomalies(IncidentNews news) { return news != IncidentNews::silent; }

/// The line of the rarest anomaly.
std::uint64_t worst_line(const TimedIncident& incident) {
  return incident.worst_rows.empty() ? incident.last_row : incident.worst_rows.front();
}

}  // namespace

std::string_view name_of(IncidentNews news) {
  constexpr std::array<std::string_view, 4> names{"open", "closed", "unclosed", "silent"};
  return names[static_cast<std::size_t>(news)];
}

std::string IncidentForm::header() const {
  if (is_json) return {};
  CsvLine line(delimiter, excel_safe);
  for (const std::string_view name :
       {"incident", "state", "key", "begin", "end", "worst", "score", "n_events", "n_anomalies", "metrics", "reason"})
    if (name != "key" || has_keys) line.add_text(name);
  return line.take();
}

std::string IncidentForm::line(const TimedIncident& incident, IncidentNews news) const {
  if (is_json) return json(incident, news) + '\n';
  CsvLine line(delimiter, excel_safe);
  const auto add_count = [&](std::uint64_t n) {
    if (is_of_anomalies(news))
      line.add_count(n);
    else
      line.add_text("");
  };
  const auto add_moment = [&](std::int64_t moment, std::uint64_t number) {
    if (time)
      line.add_text(time_in_words(moment, *time));
    else
      line.add_count(number);
  };
  add_count(incident.number);
  line.add_text(name_of(news));
  if (has_keys) line.add_text(incident.key);
  add_moment(incident.begin, incident.first_row);
  add_moment(incident.end, incident.last_row);
  add_moment(incident.worst, worst_line(incident));
  if (is_of_anomalies(news))
    line.add_number(incident.bits);
  else
    line.add_text("");
  add_count(incident.n_events);
  add_count(incident.n_anomalies);
  line.add_text(fmt::format("{}", fmt::join(most_blamed(incident), ", ")));
  line.add_text(incident.reason);
  return line.take();
}

std::string IncidentForm::json(const TimedIncident& incident, IncidentNews news) const {
  Json one = Json::object();
  one["incident"] = is_of_anomalies(news) ? Json(incident.number) : Json(nullptr);
  one["state"] = name_of(news);
  if (has_keys) one["key"] = incident.key;
  if (time) {
    one["begin"] = time_in_utc(incident.begin);
    one["end"] = time_in_utc(incident.end);
  }
  one["first_line"] = incident.first_row;
  one["last_line"] = incident.last_row;
  if (is_of_anomalies(news)) {
    one["worst"] = Json::object();
    if (time) one["worst"]["time"] = time_in_utc(incident.worst);
    one["worst"]["line"] = worst_line(incident);
    one["worst"]["score"] = incident.bits;
    one["n_events"] = incident.n_events;
    one["n_anomalies"] = incident.n_anomalies;
    one["metrics"] = Json::array();
    for (const Blame& blame : incident.blame)
      one["metrics"].push_back(Json{{"metric", blame.metric}, {"bits", blame.bits}});
  }
  one["reason"] = incident.reason;
  return one.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string IncidentForm::message(const TimedIncident& incident, IncidentNews news) const {
  std::string text{name_of(news)};
  if (has_keys) text += ' ' + incident.key;
  if (time) text += " since " + time_in_words(incident.begin, *time);
  if (is_of_anomalies(news)) text += fmt::format(", {:.1f} bits", incident.bits);
  const Json said = Json(fmt::format("{}: {}", text, incident.reason));
  return fmt::format("{{\"text\":{},{}", said.dump(-1, ' ', false, Json::error_handler_t::replace),
                     json(incident, news).substr(1));
}

}  // namespace pidforest::cli
