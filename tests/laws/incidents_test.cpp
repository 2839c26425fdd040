// SPDX-License-Identifier: Apache-2.0
// Laws of incidents in time.
#include "pidforest/incidents.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/error.h"

namespace pidforest {
namespace {

struct MadeEvent {
  std::string key;
  std::int64_t time;
  double bits;
};

/// Events of a few keys whose times increase, with steps that are mostly alike.
std::vector<MadeEvent> made_events() {
  const int n = *rc::gen::inRange(0, 150);
  std::vector<MadeEvent> events;
  std::int64_t time = *rc::gen::inRange<std::int64_t>(-1'000'000'000'000, 1'000'000'000'000);
  for (int i = 0; i < n; ++i) {
    time += *rc::gen::weightedOneOf<std::int64_t>(
        {{8, rc::gen::just<std::int64_t>(60'000'000)}, {1, rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000)}});
    events.push_back(
        {std::string(1, static_cast<char>('a' + *rc::gen::inRange(0, 3))), time, 0.125 * *rc::gen::inRange(-200, 300)});
  }
  return events;
}

IncidentOptions made_options() {
  IncidentOptions options;
  if (*rc::gen::arbitrary<bool>()) options.cool_down = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000);
  if (*rc::gen::arbitrary<bool>()) options.alerts_per_day = *rc::gen::element(0.01, 0.5, 3.0, 1000.0);
  options.is_budget_per_key = options.alerts_per_day && *rc::gen::arbitrary<bool>();
  return options;
}

std::vector<TimedIncident> add(IncidentTracker& tracker, const MadeEvent& event, std::uint64_t row) {
  const bool is_anomaly = tracker.rule(event.key, {.threshold = 10}).is_anomaly(event.bits).value_or(false);
  const std::vector<Blame> metrics{{event.key, event.bits}, {"other", 1}};
  return tracker.add({.key = event.key,
                      .time = event.time,
                      .row = row,
                      .bits = event.bits,
                      .is_anomaly = is_anomaly,
                      .metrics = metrics,
                      .reason = event.key});
}

RC_GTEST_PROP(Incidents, a_tracker_restored_from_its_bytes_goes_on_as_the_original, ()) {
  const std::vector<MadeEvent> events = made_events();
  const std::size_t cut = *rc::gen::inRange<std::size_t>(0, events.size() + 1);
  IncidentTracker original(made_options());
  for (std::size_t i = 0; i < cut; ++i) (void)add(original, events[i], i);
  IncidentTracker restored = IncidentTracker::from_bytes(original.to_bytes());
  RC_ASSERT(restored.to_bytes() == original.to_bytes());
  for (std::size_t i = cut; i < events.size(); ++i)
    RC_ASSERT(add(restored, events[i], i) == add(original, events[i], i));
  RC_ASSERT(restored.to_bytes() == original.to_bytes());
}

RC_GTEST_PROP(Incidents, bytes_with_an_error_are_refused_or_give_a_tracker, ()) {
  IncidentTracker original(made_options());
  const std::vector<MadeEvent> events = made_events();
  for (std::size_t i = 0; i < events.size(); ++i) (void)add(original, events[i], i);
  std::string bytes = original.to_bytes();
  const std::size_t place = *rc::gen::inRange<std::size_t>(0, bytes.size());
  if (*rc::gen::arbitrary<bool>())
    bytes.resize(place);
  else
    bytes[place] = static_cast<char>(*rc::gen::inRange(0, 256));
  try {
    IncidentTracker forged = IncidentTracker::from_bytes(bytes);
    RC_ASSERT(forged.to_bytes() == bytes);
    (void)add(forged, {"a", 0, 20}, 1);
    (void)add(forged, {"b", 4'000'000'000'000'000'000, 20}, 1);
  } catch (const BadFile&) {
    RC_SUCCEED("refused");
  }
}

/// Each anomaly lies in one incident, gaps within are at most the cool-down, and gaps between are longer.
RC_GTEST_PROP(Incidents, partition_the_anomalies_of_each_key, ()) {
  const std::int64_t cool_down = *rc::gen::inRange<std::int64_t>(0, 300'000'000);
  const std::vector<MadeEvent> events = made_events();
  IncidentTracker tracker({.cool_down = cool_down});
  std::vector<TimedIncident> closed;
  std::map<std::string, std::uint64_t> n_anomalies;
  for (std::size_t i = 0; i < events.size(); ++i) {
    n_anomalies[events[i].key] += events[i].bits > 10 ? 1 : 0;
    for (const TimedIncident& one : add(tracker, events[i], i))
      if (!one.is_open) closed.push_back(one);
  }
  std::ranges::copy(tracker.open(), std::back_inserter(closed));
  std::ranges::sort(closed, {}, [](const TimedIncident& one) { return std::pair(one.key, one.begin); });
  for (std::size_t i = 0; i < closed.size(); ++i) {
    n_anomalies[closed[i].key] -= closed[i].n_anomalies;
    RC_ASSERT(closed[i].begin <= closed[i].worst && closed[i].worst <= closed[i].end);
    if (i > 0 && closed[i].key == closed[i - 1].key) RC_ASSERT(closed[i].begin - closed[i - 1].end > cool_down);
  }
  for (const auto& [key, n] : n_anomalies) RC_ASSERT(n == 0U);
}

}  // namespace
}  // namespace pidforest
