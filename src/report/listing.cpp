// SPDX-License-Identifier: Apache-2.0
#include "report/listing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <set>

#include "pidforest/mark.h"

namespace pidforest::report {

namespace {

bool is_rarer(const FoundRow& a, const FoundRow& b) { return a.bits != b.bits ? a.bits > b.bits : a.row < b.row; }

/// Goes through all scores, and keeps the rarest rows.
Listing find_rows(const Model& model, const ScoredTable& table, const ReportOptions& options) {
  const Mark mark{.threshold = model.threshold(), .min_bits = options.min_bits};
  const std::size_t most = std::max(most_found, options.fewest_rows);
  Listing listing;
  listing.is_anomaly.resize(table.bits.size());
  std::priority_queue<FoundRow, std::vector<FoundRow>, decltype(&is_rarer)> rarest(&is_rarer);
  for (std::size_t row = 0; row < table.bits.size(); ++row) {
    const double bits = table.bits[row];
    const bool is_known = !table.is_known.empty() && table.is_known[row];
    const bool is_rare = !std::isnan(bits) && mark.is_anomaly(bits).value_or(false);
    listing.n_unscored += std::isnan(bits) ? 1 : 0;
    listing.n_known += is_rare && is_known ? 1 : 0;
    if (std::isnan(bits) || is_known) continue;
    listing.is_anomaly[row] = is_rare;
    listing.n_anomalies += is_rare ? 1 : 0;
    const FoundRow one{.bits = bits,
                       .row = row,
                       .scored = table.scored_rows.empty() ? row : table.scored_rows[row],
                       .is_anomaly = is_rare};
    if (rarest.size() == most && !is_rarer(one, rarest.top())) continue;
    if (rarest.size() == most) rarest.pop();
    rarest.push(one);
  }
  for (; !rarest.empty(); rarest.pop()) listing.found.push_back(rarest.top());
  std::ranges::reverse(listing.found);
  return listing;
}

void find_incidents_of(Listing& listing, const Model& model, const ScoredTable& table, Explainer& explainer,
                       const Run& run) {
  if (listing.n_found_anomalies() == 0) return;
  const FoundValues values =
      values_of(table.scored, listing.found, places_up_to(listing.n_found_anomalies()), ValuesOf::scored);
  std::vector<double> bits;
  bits.reserve(values.places.size());
  for (const std::size_t place : values.places) bits.push_back(listing.found[place].bits);
  listing.incidents = find_incidents(model, values.rows, bits, explainer, run);
  for (Incident& incident : listing.incidents) {
    for (std::size_t& place : incident.rows) place = values.places[place];
    std::ranges::sort(incident.rows);
  }
  std::ranges::sort(listing.incidents, {}, [](const Incident& one) { return one.rows.front(); });
}

}  // namespace

std::size_t Listing::n_found_anomalies() const {
  return static_cast<std::size_t>(std::ranges::count(found, true, &FoundRow::is_anomaly));
}

std::vector<std::size_t> places_up_to(std::size_t n) {
  std::vector<std::size_t> places(n);
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

Listing list_rows(const Model& model, const ScoredTable& table, const ReportOptions& options, Explainer& explainer,
                  const Run& run) {
  Listing listing = find_rows(model, table, options);
  find_incidents_of(listing, model, table, explainer, run);
  const std::size_t n = std::max(options.fewest_rows, std::min(options.most_rows, listing.n_found_anomalies()));
  const std::vector<std::size_t> first = places_up_to(std::min(n, listing.found.size()));
  std::set<std::size_t> shown(first.begin(), first.end());
  for (std::size_t i = 0; i < std::min(most_incidents, listing.incidents.size()); ++i)
    shown.insert(listing.incidents[i].rows.front());
  listing.shown.assign(shown.begin(), shown.end());
  return listing;
}

FoundValues values_of(const Batches& table, const std::vector<FoundRow>& found, std::vector<std::size_t> places,
                      ValuesOf what) {
  const auto number = [&](std::size_t place) {
    return what == ValuesOf::rows ? found[place].row : found[place].scored;
  };
  std::ranges::stable_sort(places, {}, number);
  std::vector<std::uint64_t> numbers;
  numbers.reserve(places.size());
  for (const std::size_t place : places) numbers.push_back(number(place));
  return {.rows = rows_at(table, numbers), .places = std::move(places)};
}

}  // namespace pidforest::report
