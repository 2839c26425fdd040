// SPDX-License-Identifier: Apache-2.0
#include "net/prometheus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "flags/span.h"
#include "out/csv_line.h"
#include "pidforest/error.h"
#include "pidforest/incidents.h"
#include "values/excerpt.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t milliseconds_per_microsecond = 1000;
constexpr std::int64_t most_points = 10'000;  // Prometheus refuses more than 11,000 per series
constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::string_view token_variable = "PIDFOREST_BEARER_TOKEN";

std::int64_t milliseconds_of(std::string_view flag, const std::string& text) {
  const std::int64_t span = parse_span(flag, text) / milliseconds_per_microsecond;
  if (span <= 0) throw InvalidOption(fmt::format("{} must be longer than 0; got {}.", flag, text));
  return span;
}

std::string token_of(const PrometheusFlags& flags) {
  if (!flags.token_file.empty()) return first_line_of("--bearer-token-file", flags.token_file);
  const char* token = std::getenv(token_variable.data());
  return token == nullptr ? "" : token;
}

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

/// 1700000000.123
std::string seconds(std::int64_t milliseconds) {
  return fmt::format("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
}

std::string escaped(const std::string& value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    text += c == '\n' ? "\\n" : std::string(1, c);
  }
  return text;
}

/// The text of a finite number as it is; empty for NaN and infinities.
std::string value_of(const std::string& text) {
  const bool is_number = text.find_first_of("0123456789") != std::string::npos;
  return is_number ? text : "";
}

std::string labels_of(const Json& metric, const std::vector<std::string>& by) {
  std::string text;
  for (const auto& [name, value] : metric.items()) {  // in the order of their names
    const bool is_named = by.empty() ? name != "__name__" : std::ranges::find(by, name) != by.end();
    if (is_named)
      text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", escaped(name), escaped(value.get<std::string>()));
  }
  return text;
}

/// The error that Prometheus describes in its answer, on one line.
std::string error_in(const std::string& body) {
  try {
    constexpr std::size_t longest = 300;
    std::string error = Json::parse(body).at("error").get<std::string>().substr(0, longest);
    std::ranges::replace(error, '\n', ' ');
    return error;
  } catch (const Json::exception&) {
    return "";
  }
}

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

std::vector<PrometheusQuery> prometheus_queries(const std::vector<std::string>& texts) {
  std::vector<PrometheusQuery> queries;
  std::set<std::string> names{std::string(Prometheus::time_column), std::string(Prometheus::series_column)};
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    // up == 1 is a query, and no name.
    const bool has_name = equals != std::string::npos && is_name(std::string_view(text).substr(0, equals)) &&
                          equals + 1 < text.size() && text[equals + 1] != '=';
    queries.push_back(has_name ? PrometheusQuery{.name = text.substr(0, equals), .text = text.substr(equals + 1)}
                               : PrometheusQuery{.name = "value", .text = text});
    if (!names.insert(queries.back().name).second)
      throw InvalidOption(
          fmt::format("each --query needs a name of its own, as NAME=PROMQL, other than time and series; "
                      "got '{}' again.",
                      queries.back().name));
  }
  return queries;
}

Prometheus::Prometheus(const HttpModule& http, const PrometheusFlags& flags, const std::atomic<bool>* cancel)
    : http_(http),
      address_("--url", flags.url),
      queries_(prometheus_queries(flags.queries)),
      token_(token_of(flags)),
      by_(flags.by),
      step_(milliseconds_of("--step", flags.step)),
      timeout_(milliseconds_of("--timeout", flags.timeout)),
      cancel_(cancel) {}

std::string Prometheus::header() const {
  std::string line = fmt::format("{},{}", time_column, series_column);
  for (const PrometheusQuery& query : queries_) line += "," + query.name;
  return line;
}

std::map<PrometheusSample, std::string> Prometheus::lines(std::int64_t from, std::int64_t to) const {
  Values values;
  for (std::size_t query = 0; query < queries_.size(); ++query)
    for (std::int64_t begin = from; begin <= to; begin += most_points * step_)
      add(query, begin, std::min(to, begin + (most_points - 1) * step_), values);
  std::map<PrometheusSample, std::string> lines;
  for (const auto& [sample, found] : values) {
    CsvLine line(',', false);
    line.add_text(time_in_utc(sample.first * milliseconds_per_microsecond));
    line.add_text(sample.second);
    for (const std::string& value : found) line.add_text(value);
    std::string text = line.take();
    text.pop_back();
    lines.emplace(sample, std::move(text));
  }
  return lines;
}

void Prometheus::add(std::size_t query, std::int64_t from, std::int64_t to, Values& values) const {
  std::string base = address_.url();
  while (base.ends_with('/')) base.pop_back();
  read(query,
       ask(fmt::format("{}/api/v1/query_range?query={}&start={}&end={}&step={}", base,
                       percent_encoded(queries_[query].text), seconds(from), seconds(to), seconds(step_))),
       values);
}

std::string Prometheus::ask(const std::string& url) const {
  HttpRequest request{.url = url};
  request.user = address_.user();
  request.password = address_.password();
  request.token = token_;
  request.timeout = timeout_;
  request.most_bytes = most_bytes;
  request.cancel = cancel_;
  HttpAnswer answer = http_.send(request);
  if (cancel_ != nullptr && *cancel_) throw Cancelled();
  if (answer.status == 0) throw FileError(fmt::format("cannot query {}: {}.", shown(), answer.error));
  if (!answer.is_success()) {
    const std::string why = error_in(answer.body);
    throw FileError(fmt::format("cannot query {}: it answered with HTTP {}{}{}.", shown(), answer.status,
                                why.empty() ? "" : ": ", why));
  }
  return std::move(answer.body);
}

void Prometheus::read(std::size_t query, const std::string& json, Values& values) const {
  std::string doubled;
  try {
    const Json answer = Json::parse(json);
    for (const Json& series : answer.at("data").at("result")) {
      const std::string labels = labels_of(series.at("metric"), by_);
      for (const Json& sample : series.at("values")) {
        const auto time = static_cast<std::int64_t>(std::llround(sample.at(0).get<double>() * 1000));
        std::vector<std::string>& found = values[{time, labels}];
        found.resize(queries_.size());
        if (!found[query].empty()) doubled = labels;
        found[query] = value_of(sample.at(1).get<std::string>());
      }
    }
  } catch (const Json::exception&) {
    throw InvalidInput(
        fmt::format("the answer of {} must be JSON with a matrix, as Prometheus answers a range query.", shown()));
  }
  if (!doubled.empty())
    throw InvalidInput(
        fmt::format("the query '{}' must give one series for each set of labels; two have {{{}}}. Name more labels by "
                    "--by, or aggregate in the query.",
                    values::excerpt(queries_[query].text), doubled));
}

std::int64_t latest_time(std::int64_t step) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return milliseconds - milliseconds % step;
}

}  // namespace pidforest::cli
