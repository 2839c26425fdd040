// SPDX-License-Identifier: Apache-2.0
#include "report/listing.h"

#include <algorithm>

#include "explain/findings.h"
#include "system/parallel.h"

namespace pidforest::report {

namespace {

/// The rarest rows, and the rarest of each incident that is listed.
std::vector<std::uint64_t> rows_to_show(const Findings& all, const Scores& scores, const ReportOptions& options,
                                        std::span<const TimedIncident> in_time) {
  const std::size_t n_anomalies = std::min<std::size_t>(all.n_anomalies, most_in_incidents);
  std::vector<std::uint64_t> rows =
      explain::rarest_rows(scores, std::max(options.fewest_rows, std::min(options.most_rows, n_anomalies)));
  // Incidents are listed by their rarest row, so those of rows that are not among the rarest come behind them in order.
  const auto add = [&rows](std::uint64_t row) {
    if (std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
  };
  if (options.in_time) {
    for (const TimedIncident& incident : in_time.first(std::min(most_incidents, in_time.size())))
      add(incident.worst_rows.front());
  } else {
    for (std::size_t i = 0; i < std::min(most_incidents, all.incidents.size()); ++i) add(all.incidents[i].rows.front());
  }
  return rows;
}

std::vector<std::uint64_t> count_inside(const Schema& schema, const Batches& rows,
                                        const std::vector<Witness>& witnesses, const Run& run) {
  std::vector<RowFilter> filters;
  for (const Witness& witness : witnesses) filters.emplace_back(schema, witness.conditions);
  std::vector<std::uint64_t> counts(witnesses.size());
  rows.for_each([&](const Table& batch) {
    system::parallel_for(filters.size(), run, "counting reasons", [&](std::size_t i, unsigned) {
      counts[i] += static_cast<std::uint64_t>(std::ranges::count(filters[i].matches(batch), true));
    });
  });
  return counts;
}

}  // namespace

std::vector<std::uint64_t> Listing::in_incidents() const {
  std::vector<std::uint64_t> rows;
  for (const Incident& incident : all.incidents) rows.insert(rows.end(), incident.rows.begin(), incident.rows.end());
  return rows;
}

std::vector<std::uint64_t> Listing::named_rows() const {
  std::vector<std::uint64_t> rows = in_incidents();
  for (const Finding& finding : shown.rows) rows.push_back(finding.row);
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  return rows;
}

Listing list_rows(Explainer& explainer, const Scores& scores, const ReportOptions& options,
                  std::span<const TimedIncident> in_time, const Run& run) {
  constexpr std::size_t n_impostors = 5;
  Listing listing;
  listing.all = find_anomalies(
      explainer, scores,
      {.min_bits = options.min_bits, .top = 0, .incidents = true, .most_in_incidents = most_in_incidents}, run);
  listing.shown = find_anomalies(explainer, scores,
                                 {.min_bits = options.min_bits,
                                  .rows = rows_to_show(listing.all, scores, options, in_time),
                                  .impostors = n_impostors,
                                  .normal_if = true},
                                 run);
  listing.n_inside = count_inside(explainer.model().schema(), scores.scored, listing.shown.witnesses, run);
  for (std::size_t row = 0; row < scores.bits.size(); ++row)
    listing.is_anomaly.push_back(
        listing.all.rule.is_anomaly(scores.bits[row], scores.is_suppressed(row)).value_or(false));
  return listing;
}

}  // namespace pidforest::report
