// SPDX-License-Identifier: Apache-2.0
// Which rows a report is about: the anomalies, their incidents, and the rows that are listed one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/incidents.h"
#include "pidforest/report.h"

namespace pidforest::report {

struct Listing {
  /// One per row of the table.
  std::vector<bool> is_anomaly;
  /// The counts, and the incidents of the anomalies, or of the rarest if there are too many.
  Findings all;
  /// The rows to show in detail, the rarest first.
  Findings shown;
  /// How many scored rows each witness of `shown` holds. Its own counts may be of the rows of the fit.
  std::vector<std::uint64_t> n_inside;

  /// The anomalies that incidents were looked for among, by number.
  [[nodiscard]] std::vector<std::uint64_t> in_incidents() const;
  /// The rows of both, increasing.
  [[nodiscard]] std::vector<std::uint64_t> named_rows() const;
};

/// More anomalies than this are counted, but not grouped into incidents.
inline constexpr std::size_t most_in_incidents = 10'000;
inline constexpr std::size_t most_incidents = 100;
/// The number of columns listed for each row.
inline constexpr std::size_t most_columns = 100;

/// `in_time` are the incidents in time, if they are what is reported; the rarest row of each is listed.
Listing list_rows(Explainer& explainer, const Scores& scores, const ReportOptions& options,
                  std::span<const TimedIncident> in_time, const Run& run);

}  // namespace pidforest::report
