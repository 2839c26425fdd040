// SPDX-License-Identifier: Apache-2.0
// The lowest score from which on the rows of a table open no more incidents than a budget allows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pidforest/incidents.h"

namespace pidforest::incidents {

/// Scored rows in the order of time. Views everything.
struct ScoredRows {
  std::span<const double> bits;
  /// Empty if no row is suppressed.
  const std::vector<bool>& suppressed;
  std::span<const std::int64_t> times;
  std::span<const std::uint32_t> key_of;
  /// The rows by time.
  std::span<const std::uint64_t> order;
  /// One per key.
  std::span<const std::int64_t> cool_downs;
};

/// One limit per key; all are equal unless each key has its own budget. A score of at least the limit is an anomaly.
/// At least one incident is allowed; if too many rows share the largest score, the limit is just above it.
std::vector<double> limits_in_budget(const ScoredRows& rows, const IncidentOptions& options);

}  // namespace pidforest::incidents
