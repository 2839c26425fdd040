// SPDX-License-Identifier: Apache-2.0
// Which rows a report is about: the anomalies, their incidents, and the rows that are listed one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/report.h"
#include "pidforest/table.h"

namespace pidforest::report {

/// A row of the table, by number from 0, and that of those which are scored.
struct FoundRow {
  double bits = 0;
  std::uint64_t row = 0;
  std::uint64_t scored = 0;
  bool is_anomaly = false;
};

struct Listing {
  /// One per row of the table.
  std::vector<bool> is_anomaly;
  std::uint64_t n_anomalies = 0;
  std::uint64_t n_known = 0;
  std::uint64_t n_unscored = 0;
  /// The rarest rows, all anomalies among them unless those are too many, the rarest first.
  std::vector<FoundRow> found;
  /// Of the anomalies among the found rows, by place, which are the first ones.
  std::vector<Incident> incidents;
  /// What to show in detail, by place among the found rows, in order.
  std::vector<std::size_t> shown;

  [[nodiscard]] std::size_t n_found_anomalies() const;
};

/// More anomalies than these are counted, but not looked at.
inline constexpr std::size_t most_found = 10'000;
inline constexpr std::size_t most_incidents = 100;
/// Of each row that is shown.
inline constexpr std::size_t most_columns = 100;

Listing list_rows(const Model& model, const ScoredTable& table, const ReportOptions& options, Explainer& explainer,
                  const Run& run);

/// The values of found rows, and for each of them its place among those: they come in another order.
struct FoundValues {
  TableStore rows;
  std::vector<std::size_t> places;
};
/// As their owner has them, or as they are scored.
enum class ValuesOf : std::uint8_t { rows, scored };
FoundValues values_of(const Batches& table, const std::vector<FoundRow>& found, std::vector<std::size_t> places,
                      ValuesOf what);

/// 0, 1, ... up to but not including n.
std::vector<std::size_t> places_up_to(std::size_t n);

}  // namespace pidforest::report
