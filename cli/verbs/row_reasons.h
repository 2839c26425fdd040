// SPDX-License-Identifier: Apache-2.0
// The reasons of scored rows, for lines and tables of scores.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "out/work.h"
#include "pidforest/explain.h"

namespace pidforest::cli {

/// The reasons of the anomalies, or of every scored row if nothing says which rows are anomalies.
class RowReasons {
 public:
  /// Without an explainer there are none.
  RowReasons(std::optional<Explainer> explainer, const AnomalyRule& rule)
      : explainer_(std::move(explainer)), rule_(rule) {}

  /// One text per row; empty if a row has none.
  std::vector<std::string> of(const Scores& scores, Work& work);

 private:
  [[nodiscard]] bool has_reason(double bits, bool is_suppressed) const;

  std::optional<Explainer> explainer_;
  AnomalyRule rule_;
};

}  // namespace pidforest::cli
