// SPDX-License-Identifier: Apache-2.0
#include "verbs/row_reasons.h"

#include <cmath>
#include <cstdint>

#include "out/printable.h"

namespace pidforest::cli {

std::vector<std::string> RowReasons::of(const Scores& scores, Work& work) {
  std::vector<std::string> reasons(scores.bits.size());
  if (!explainer_) return reasons;
  std::vector<std::uint64_t> rows;
  for (std::size_t row = 0; row < reasons.size(); ++row)
    if (has_reason(scores.bits[row], scores.is_suppressed(row))) rows.push_back(row);
  if (rows.empty()) return reasons;
  const Findings found =
      find_anomalies(*explainer_, scores, {.min_bits = rule_.min_bits, .rows = rows}, work.silent_run());
  for (const Finding& finding : found.rows)
    reasons[finding.row] = printable(reason_in_words(finding, found.witness_of(finding), explainer_->model().schema()));
  return reasons;
}

bool RowReasons::has_reason(double bits, bool is_suppressed) const {
  return rule_.limit() ? rule_.is_anomaly(bits, is_suppressed).value_or(false) : !std::isnan(bits);
}

}  // namespace pidforest::cli
