// SPDX-License-Identifier: Apache-2.0
#include "flags/incident_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "flags/option_flags.h"
#include "flags/span.h"
#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

std::int64_t parse_events(const std::string& text) {
  constexpr std::int64_t most = 1'000'000'000;
  std::int64_t n = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, n);
  if (error != std::errc() || rest != end || n < 0 || n > most)
    throw InvalidOption(
        fmt::format("--cool-down must be a whole number of events up to {}, or with --time a span such as 1h; got {}.",
                    most, text));
  return n;
}

}  // namespace

IncidentOptions IncidentFlags::options(const std::string& time, const std::string& by,
                                       const std::optional<double>& min_bits) const {
  if (alerts_per_day && time.empty())
    throw InvalidOption("--alerts-per-day requires --time, the column that tells the days.");
  if (alerts_per_day && min_bits)
    throw InvalidOption("--alerts-per-day and --min-bits cannot be combined: each sets the threshold.");
  if (per_key && (!alerts_per_day || by.empty()))
    throw InvalidOption("--per-key requires --alerts-per-day and --by, the column of the keys.");
  IncidentOptions options{.alerts_per_day = alerts_per_day, .is_budget_per_key = per_key};
  if (!cool_down.empty())
    options.cool_down = time.empty() ? parse_events(cool_down) : parse_span("--cool-down", cool_down);
  try {
    validate(options);
  } catch (const InvalidOption&) {
    throw InvalidOption(
        fmt::format("--alerts-per-day must be between 0.001 (one in about three years) and 10000; got {}. To be told "
                    "of no anomaly, "
                    "leave the command out.",
                    alerts_per_day.value_or(0)));
  }
  return options;
}

void add_incident_flags(CLI::App& verb, IncidentFlags& flags) {
  constexpr const char* group = "Incidents in time (docs/incidents.md)";
  verb.add_option("--cool-down", flags.cool_down,
                  "an incident ends if no anomaly follows within this time, such as 2h (a number of events without "
                  "--time); default 24 usual steps, at least 1h")
      ->type_name("SPAN")
      ->group(group);
  verb.add_option("--alerts-per-day", flags.alerts_per_day,
                  "budget: the threshold follows from the scores so that no more incidents open per day; may be less "
                  "than 1")
      ->type_name("N")
      ->check(number())
      ->group(group);
  verb.add_flag("--per-key", flags.per_key, "with --alerts-per-day: each key of --by has that budget")->group(group);
}

std::vector<std::string> most_blamed(const TimedIncident& incident) {
  constexpr std::size_t most = 3;
  std::vector<std::string> metrics;
  for (const Blame& one : incident.blame)
    if (metrics.size() < most && one.bits * 2 >= incident.blame.front().bits) metrics.push_back(one.metric);
  return metrics;
}

}  // namespace pidforest::cli
